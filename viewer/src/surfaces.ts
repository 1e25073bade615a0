// What things move on: seen, but seen through.
import {
  BufferGeometry,
  CircleGeometry,
  Color,
  DoubleSide,
  Float32BufferAttribute,
  Group,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshStandardMaterial,
  ShaderMaterial,
  SphereGeometry,
} from "three";

// Meridians and parallels, every 30 degrees.
function graticule(radius: number): BufferGeometry {
  const points: number[] = [];
  const add = (latitude: number, longitude: number) =>
    points.push(
      radius * Math.cos(latitude) * Math.cos(longitude),
      radius * Math.sin(latitude),
      radius * Math.cos(latitude) * Math.sin(longitude),
    );
  const step = Math.PI / 60;
  for (let line = 0; line < 12; ++line)
    for (let i = -30; i < 30; ++i) {
      add(i * step, (line * Math.PI) / 6);
      add((i + 1) * step, (line * Math.PI) / 6);
    }
  for (let line = -2; line <= 2; ++line)
    for (let i = 0; i < 120; ++i) {
      add((line * Math.PI) / 6, i * step);
      add((line * Math.PI) / 6, (i + 1) * step);
    }
  return new BufferGeometry().setAttribute("position", new Float32BufferAttribute(points, 3));
}

export function translucentSphere(radius: number, color: string): Group {
  const glass = new MeshStandardMaterial({
    color,
    transparent: true,
    opacity: 0.22,
    roughness: 0.35,
    depthWrite: false,
  });
  const ball = new Mesh(new SphereGeometry(radius, 64, 40), glass);
  ball.renderOrder = 1;
  const ink = new LineBasicMaterial({ color, transparent: true, opacity: 0.35, depthWrite: false });
  return new Group().add(ball, new LineSegments(graticule(radius), ink));
}

export function fadingDisc(radius: number, color: string): Mesh {
  const material = new ShaderMaterial({
    transparent: true,
    depthWrite: false,
    side: DoubleSide,
    uniforms: { color: { value: new Color(color) }, radius: { value: radius } },
    vertexShader: `
      varying vec2 here;
      void main() {
        here = position.xy;
        gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
      }`,
    fragmentShader: `
      uniform vec3 color;
      uniform float radius;
      varying vec2 here;
      void main() {
        gl_FragColor = vec4(color, 0.2 * smoothstep(1.0, 0.35, length(here) / radius));
        #include <colorspace_fragment>
      }`,
  });
  return new Mesh(new CircleGeometry(radius, 96), material);
}
