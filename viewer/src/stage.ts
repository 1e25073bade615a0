// The room in which the motion is seen: camera, light, floor. Inside it y is up, whatever the model calls up.
import {
  Box3,
  Color,
  DirectionalLight,
  Group,
  HemisphereLight,
  Mesh,
  NeutralToneMapping,
  PCFShadowMap,
  PerspectiveCamera,
  PlaneGeometry,
  PMREMGenerator,
  Quaternion,
  Scene,
  ShaderMaterial,
  ShadowMaterial,
  Vector3,
  WebGLRenderer,
} from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { RoomEnvironment } from "three/examples/jsm/environments/RoomEnvironment.js";
import type { SceneData } from "./data";
import type { Drawing } from "./drawing";
import type { Moment, Track } from "./track";

const fieldOfView = 32;

export class Stage {
  readonly canvas: HTMLCanvasElement;
  followed: Track | null = null;
  private readonly renderer: WebGLRenderer;
  private readonly scene = new Scene();
  private readonly world = new Group(); // turns the model's up to y
  private readonly camera = new PerspectiveCamera(fieldOfView, 1, 0.01, 100);
  private readonly orbit: OrbitControls;
  private readonly box: Box3;
  private readonly radius: number;
  private readonly grid: Mesh<PlaneGeometry, ShaderMaterial> | null;
  private readonly lastFollowed = new Vector3();
  private stale = true;

  constructor(
    private readonly drawing: Drawing,
    private readonly data: SceneData,
  ) {
    this.renderer = new WebGLRenderer({ antialias: true, alpha: true, preserveDrawingBuffer: true });
    this.renderer.toneMapping = NeutralToneMapping;
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.canvas = this.renderer.domElement;
    this.world.quaternion.copy(turnUpright(drawing.up));
    this.world.add(drawing.group);
    this.scene.add(this.world);
    this.box = uprightBox(drawing.box, this.world.quaternion);
    this.radius = drawing.extent;
    this.addLight();
    this.grid = data.ground ? this.addFloor() : null;
    this.orbit = new OrbitControls(this.camera, this.canvas);
    this.orbit.enableDamping = true;
    this.orbit.dampingFactor = 0.12;
    this.orbit.addEventListener("change", () => (this.stale = true));
    this.resetCamera();
  }

  // The moving frame of the camera is the place that it follows.
  follow(track: Track | null, moment: Moment): void {
    this.followed = track;
    if (track) this.lastFollowed.copy(this.placeOf(track, moment));
  }

  resetCamera(): void {
    const center = this.box.getCenter(new Vector3());
    const toward = this.viewDirection();
    const distance = this.distanceToSee(toward);
    this.orbit.target.copy(center);
    this.camera.position.copy(center).addScaledVector(toward, distance);
    this.camera.near = distance / 200;
    this.camera.far = distance * 12;
    this.camera.updateProjectionMatrix();
    this.orbit.minDistance = distance / 30;
    this.orbit.maxDistance = distance * 6;
    this.orbit.update();
    this.stale = true;
  }

  resize(width: number, height: number): void {
    const first = this.camera.aspect === 1;
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    this.renderer.setSize(width, height, false);
    this.renderer.getDrawingBufferSize(this.drawing.viewport);
    this.drawing.viewport.divideScalar(this.renderer.getPixelRatio());
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    if (first) this.resetCamera();
    this.stale = true;
  }

  setTheme(ink: string): void {
    if (this.grid) (this.grid.material.uniforms["ink"]!.value as Color).set(ink);
    this.stale = true;
  }

  touch(): void {
    this.stale = true;
  }

  // Draws only when something has changed.
  draw(moment: Moment, memory: number): void {
    if (this.followed) this.moveWith(this.followed, moment);
    this.orbit.update();
    if (!this.stale) return;
    this.stale = false;
    this.drawing.update(moment, memory);
    this.renderer.render(this.scene, this.camera);
  }

  private placeOf(track: Track, moment: Moment): Vector3 {
    return track.position(moment, place).applyQuaternion(this.world.quaternion);
  }

  private moveWith(track: Track, moment: Moment): void {
    const now = this.placeOf(track, moment);
    step.subVectors(now, this.lastFollowed);
    this.camera.position.add(step);
    this.orbit.target.add(step);
    this.lastFollowed.copy(now);
  }

  // Across the motion: along its shorter horizontal side, a little from above and from the right.
  private viewDirection(): Vector3 {
    const from = this.data.camera?.from;
    if (from) return new Vector3(...from).applyQuaternion(this.world.quaternion).normalize();
    const size = this.box.getSize(new Vector3());
    const front = size.x >= 0.6 * size.z ? new Vector3(0, 0, 1) : new Vector3(1, 0, 0);
    const flat = Math.min(size.x, size.z) < 0.05 * Math.max(size.x, size.y, size.z);
    const azimuth = ((flat ? 14 : 32) * Math.PI) / 180;
    const elevation = ((flat ? 8 : 16) * Math.PI) / 180;
    front.applyAxisAngle(new Vector3(0, 1, 0), azimuth);
    return front.multiplyScalar(Math.cos(elevation)).setY(Math.sin(elevation));
  }

  // The distance from which every corner of the box is in the picture, with a margin.
  private distanceToSee(toward: Vector3): number {
    const center = this.box.getCenter(new Vector3());
    const right = new Vector3().crossVectors(new Vector3(0, 1, 0), toward).normalize();
    const top = new Vector3().crossVectors(toward, right);
    const tanY = Math.tan((fieldOfView * Math.PI) / 360);
    const tanX = tanY * this.camera.aspect;
    let distance = 0;
    for (const corner of cornersOf(this.box)) {
      corner.sub(center);
      const depth = corner.dot(toward);
      const across = Math.abs(corner.dot(right)) / tanX;
      const height = Math.abs(corner.dot(top)) / tanY;
      distance = Math.max(distance, depth + Math.max(across, height));
    }
    return Math.max(1.12 * distance, 0.5 * this.radius);
  }

  private addLight(): void {
    const studio = new PMREMGenerator(this.renderer);
    this.scene.environment = studio.fromScene(new RoomEnvironment(), 0.04).texture;
    this.scene.environmentIntensity = 0.45;
    studio.dispose();
    this.scene.add(new HemisphereLight("#ffffff", "#b8b2a7", 0.9));
    const sun = new DirectionalLight("#fff6e8", 2.4);
    const center = this.box.getCenter(new Vector3());
    const reach = 1.35 * this.radius;
    sun.position.copy(center).add(new Vector3(0.55, 1.6, 0.8).multiplyScalar(2 * this.radius));
    sun.target.position.copy(center);
    sun.castShadow = true;
    sun.shadow.mapSize.set(2048, 2048);
    Object.assign(sun.shadow.camera, { left: -reach, right: reach, top: reach, bottom: -reach });
    sun.shadow.camera.near = 0.1 * this.radius;
    sun.shadow.camera.far = 8 * this.radius;
    sun.shadow.radius = 5;
    sun.shadow.normalBias = 0.004 * this.radius;
    this.scene.add(sun, sun.target);
  }

  private addFloor(): Mesh<PlaneGeometry, ShaderMaterial> {
    const center = this.box.getCenter(new Vector3());
    const height = this.box.min.y - 0.1 * this.radius;
    const plane = new PlaneGeometry(10 * this.radius, 10 * this.radius).rotateX(-Math.PI / 2);
    const shadow = new Mesh(plane, new ShadowMaterial({ opacity: 0.2 }));
    shadow.receiveShadow = true;
    const grid = new Mesh(plane, gridMaterial(niceStep(this.radius / 2), 4 * this.radius));
    for (const mesh of [shadow, grid]) {
      mesh.position.set(center.x, height, center.z);
      this.scene.add(mesh);
    }
    shadow.position.y += 1e-3 * this.radius;
    grid.renderOrder = -1;
    return grid;
  }
}

// Lines at every step, fading with the distance from the middle.
function gridMaterial(cell: number, reach: number): ShaderMaterial {
  return new ShaderMaterial({
    transparent: true,
    depthWrite: false,
    uniforms: { cell: { value: cell }, reach: { value: reach }, ink: { value: new Color("#888") } },
    vertexShader: `
      varying vec2 here;
      varying vec2 middle;
      void main() {
        here = (modelMatrix * vec4(position, 1.0)).xz;
        middle = position.xz;
        gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
      }`,
    fragmentShader: `
      uniform float cell, reach;
      uniform vec3 ink;
      varying vec2 here, middle;
      void main() {
        vec2 at = here / cell;
        vec2 near = abs(fract(at - 0.5) - 0.5) / fwidth(at);
        float line = 1.0 - min(min(near.x, near.y), 1.0);
        float fade = smoothstep(1.0, 0.1, length(middle) / reach);
        gl_FragColor = vec4(ink, 0.3 * line * fade);
        #include <colorspace_fragment>
      }`,
  });
}

function niceStep(size: number): number {
  const power = Math.pow(10, Math.floor(Math.log10(size)));
  const digit = size / power;
  return power * (digit < 2 ? 1 : digit < 5 ? 2 : 5);
}

function turnUpright(up: Vector3): Quaternion {
  // A model whose third axis points down is turned about its first one, so that right stays right.
  const down = up.z < -0.9;
  const first = new Quaternion().setFromAxisAngle(new Vector3(1, 0, 0), ((down ? 1 : -1) * Math.PI) / 2);
  const turned = up.clone().applyQuaternion(first).normalize();
  return new Quaternion().setFromUnitVectors(turned, new Vector3(0, 1, 0)).multiply(first);
}

function uprightBox(box: Box3, turn: Quaternion): Box3 {
  return new Box3().setFromPoints(cornersOf(box).map((corner) => corner.applyQuaternion(turn)));
}

function cornersOf(box: Box3): Vector3[] {
  const corners: Vector3[] = [];
  for (const x of [box.min.x, box.max.x])
    for (const y of [box.min.y, box.max.y]) for (const z of [box.min.z, box.max.z]) corners.push(new Vector3(x, y, z));
  return corners;
}

const place = new Vector3();
const step = new Vector3();
