// The path of a point, fading into the past: a ribbon of constant width on the screen.
//
// The whole path with its times is one texture that never changes. The shader takes the two ends of each piece from it,
// cuts the ribbon at the time that it is told and fades what is older than the memory of the trail. Only the pieces of
// that time are drawn: they are triangles of one mesh, since without a graphics card every instance is a drawing of its own.
import { BufferGeometry, Color, DataTexture, FloatType, Mesh, NearestFilter, RGBAFormat, ShaderMaterial, Sphere, Vector2, Vector3 } from "three";
import { momentAt, type Moment, type Track } from "./track";

const rowLength = 1024; // of the texture

const vertexShader = `
  uniform highp sampler2D path;
  uniform float now, memory, width;
  uniform vec2 viewport;
  uniform vec3 head;
  varying float fade;
  vec4 frame(int k) {
    return texelFetch(path, ivec2(k % ${rowLength}, k / ${rowLength}), 0);
  }
  void main() {
    int corner = gl_VertexID % 4;
    bool ahead = corner == 1 || corner == 2;
    float side = corner >= 2 ? 1.0 : -1.0;
    vec4 start = frame(gl_VertexID / 4), end = frame(gl_VertexID / 4 + 1);
    bool current = start.w <= now && now < end.w;
    vec4 a = projectionMatrix * modelViewMatrix * vec4(start.xyz, 1.0);
    vec4 b = projectionMatrix * modelViewMatrix * vec4(current ? head : end.xyz, 1.0);
    vec2 direction = (b.xy / b.w - a.xy / a.w) * viewport;
    direction = length(direction) > 1e-6 ? normalize(direction) : vec2(1.0, 0.0);
    vec2 normal = vec2(-direction.y, direction.x);
    float t = ahead ? min(end.w, now) : start.w;
    fade = clamp(1.0 - (now - t) / memory, 0.0, 1.0);
    gl_Position = ahead ? b : a;
    gl_Position.xy += normal * side * width / viewport * gl_Position.w;
    if (start.w > now || fade <= 0.0) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
  }`;

const fragmentShader = `
  uniform vec3 color;
  uniform float opacity;
  varying float fade;
  void main() {
    gl_FragColor = vec4(color, opacity * fade * (2.0 - fade));
    #include <colorspace_fragment>
  }`;

function textureOf(track: Track, times: Float32Array): DataTexture {
  const rows = Math.ceil(track.frames / rowLength);
  const data = new Float32Array(4 * rowLength * rows);
  for (let k = 0; k < track.frames; ++k) {
    data.set(track.values.subarray(3 * k, 3 * k + 3), 4 * k);
    data[4 * k + 3] = times[k]!;
  }
  const texture = new DataTexture(data, rowLength, rows, RGBAFormat, FloatType);
  texture.minFilter = texture.magFilter = NearestFilter;
  texture.needsUpdate = true;
  return texture;
}

// Two triangles for each piece.
function ribbon(pieces: number): BufferGeometry {
  const corners = new Array<number>(6 * pieces);
  for (let k = 0; k < pieces; ++k) [0, 1, 2, 0, 2, 3].forEach((corner, i) => (corners[6 * k + i] = 4 * k + corner));
  const geometry = new BufferGeometry().setIndex(corners);
  geometry.boundingSphere = new Sphere(); // there are no positions of which it could be made
  return geometry;
}

export class Trail {
  readonly mesh: Mesh<BufferGeometry, ShaderMaterial>;

  constructor(
    private readonly track: Track,
    private readonly times: Float32Array,
    color: string,
    viewport: Vector2,
  ) {
    const path = textureOf(track, times);
    const material = new ShaderMaterial({
      vertexShader,
      fragmentShader,
      transparent: true,
      depthWrite: false,
      uniforms: {
        path: { value: path },
        now: { value: 0 },
        memory: { value: 1 },
        width: { value: 2.5 },
        viewport: { value: viewport },
        head: { value: new Vector3() },
        color: { value: new Color(color) },
        opacity: { value: 0.85 },
      },
    });
    material.addEventListener("dispose", () => path.dispose());
    this.mesh = new Mesh(ribbon(track.frames - 1), material);
    this.mesh.frustumCulled = false;
  }

  // Neither what comes after now nor what is forgotten is drawn.
  update(moment: Moment, now: number, memory: number): void {
    const { uniforms } = this.mesh.material;
    this.mesh.visible = memory > 0;
    uniforms["now"]!.value = now;
    uniforms["memory"]!.value = memory;
    this.track.position(moment, uniforms["head"]!.value as Vector3);
    const first = momentAt(this.times, now - memory).frame;
    const last = Math.min(moment.frame + 1, this.track.frames - 1);
    this.mesh.geometry.setDrawRange(6 * first, 6 * Math.max(0, last - first));
  }
}
