// The path of a point, fading into the past: a ribbon of constant width on the screen.
//
// The whole path is one buffer that never changes; the shader is told the time, cuts the ribbon there and fades what
// is older than the memory of the trail.
import {
  Color,
  InstancedBufferGeometry,
  InstancedInterleavedBuffer,
  InterleavedBufferAttribute,
  BufferAttribute,
  Mesh,
  ShaderMaterial,
  Vector2,
  Vector3,
} from "three";
import type { Moment, Track } from "./track";

const vertexShader = `
  attribute vec3 start, end;
  attribute float startTime, endTime;
  uniform float now, memory, width;
  uniform vec2 viewport;
  uniform vec3 head;
  varying float fade;
  void main() {
    float along = position.x, side = position.y;
    bool current = startTime <= now && now < endTime;
    vec4 a = projectionMatrix * modelViewMatrix * vec4(start, 1.0);
    vec4 b = projectionMatrix * modelViewMatrix * vec4(current ? head : end, 1.0);
    vec2 direction = (b.xy / b.w - a.xy / a.w) * viewport;
    direction = length(direction) > 1e-6 ? normalize(direction) : vec2(1.0, 0.0);
    vec2 normal = vec2(-direction.y, direction.x);
    float t = along < 0.5 ? startTime : min(endTime, now);
    fade = clamp(1.0 - (now - t) / memory, 0.0, 1.0);
    gl_Position = along < 0.5 ? a : b;
    gl_Position.xy += normal * side * width / viewport * gl_Position.w;
    if (startTime > now || fade <= 0.0) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
  }`;

const fragmentShader = `
  uniform vec3 color;
  uniform float opacity;
  varying float fade;
  void main() {
    gl_FragColor = vec4(color, opacity * fade * (2.0 - fade));
    #include <colorspace_fragment>
  }`;

const quad = new Float32Array([0, -1, 0, 1, -1, 0, 1, 1, 0, 0, 1, 0]);

export class Trail {
  readonly mesh: Mesh<InstancedBufferGeometry, ShaderMaterial>;

  constructor(
    private readonly track: Track,
    times: Float32Array,
    color: string,
    viewport: Vector2,
  ) {
    const geometry = new InstancedBufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(quad, 3)); // its own: it is given back with the geometry
    geometry.setIndex([0, 1, 2, 0, 2, 3]);
    const path = new InstancedInterleavedBuffer(track.values, 3);
    const clock = new InstancedInterleavedBuffer(times, 1);
    geometry.setAttribute("start", new InterleavedBufferAttribute(path, 3, 0));
    geometry.setAttribute("end", new InterleavedBufferAttribute(path, 3, 3));
    geometry.setAttribute("startTime", new InterleavedBufferAttribute(clock, 1, 0));
    geometry.setAttribute("endTime", new InterleavedBufferAttribute(clock, 1, 1));
    const material = new ShaderMaterial({
      vertexShader,
      fragmentShader,
      transparent: true,
      depthWrite: false,
      uniforms: {
        now: { value: 0 },
        memory: { value: 1 },
        width: { value: 2.5 },
        viewport: { value: viewport },
        head: { value: new Vector3() },
        color: { value: new Color(color) },
        opacity: { value: 0.85 },
      },
    });
    this.mesh = new Mesh(geometry, material);
    this.mesh.frustumCulled = false;
  }

  // Segments after now are not drawn at all.
  update(moment: Moment, now: number, memory: number): void {
    const { uniforms } = this.mesh.material;
    this.mesh.visible = memory > 0;
    uniforms["now"]!.value = now;
    uniforms["memory"]!.value = memory;
    this.track.position(moment, uniforms["head"]!.value as Vector3);
    this.mesh.geometry.instanceCount = Math.min(moment.frame + 1, this.track.frames - 1);
  }
}
