// What the floor shows: a grid, whose step is a round number.
import { Color, ShaderMaterial } from "three";

// Lines at every step, fading with the distance from the middle.
export function gridMaterial(cell: number, reach: number): ShaderMaterial {
  return new ShaderMaterial({
    transparent: true,
    depthWrite: false,
    uniforms: { thickness: { value: 1 }, strength: { value: 0.3 }, cell: { value: cell }, reach: { value: reach }, ink: { value: new Color("#888") } },
    vertexShader: `
      varying vec2 here;
      varying vec2 middle;
      void main() {
        here = (modelMatrix * vec4(position, 1.0)).xz;
        middle = position.xz;
        gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
      }`,
    fragmentShader: `
      uniform float cell, reach, thickness, strength;
      uniform vec3 ink;
      varying vec2 here, middle;
      void main() {
        vec2 at = here / cell;
        vec2 near = abs(fract(at - 0.5) - 0.5) / (thickness * fwidth(at));
        float line = 1.0 - min(min(near.x, near.y), 1.0);
        float fade = smoothstep(1.0, 0.1, length(middle) / reach);
        gl_FragColor = vec4(ink, strength * line * fade);
        #include <colorspace_fragment>
      }`,
  });
}

export function niceStep(size: number): number {
  const power = Math.pow(10, Math.floor(Math.log10(size)));
  const digit = size / power;
  return power * (digit < 2 ? 1 : digit < 5 ? 2 : 5);
}

// Lines are as thick as they are seen, or fainter where one point is more than that.
export function drawGrid({ uniforms }: ShaderMaterial, points: number): void {
  uniforms["thickness"]!.value = Math.max(1, points);
  uniforms["strength"]!.value = 0.3 * Math.min(1, points);
}
