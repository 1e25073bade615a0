// The room in which the motion is seen: camera, light, floor. Inside it y is up, whatever the model calls up.
import {
  Box3,
  CircleGeometry,
  Color,
  DirectionalLight,
  Group,
  HemisphereLight,
  Mesh,
  NeutralToneMapping,
  PCFShadowMap,
  PerspectiveCamera,
  PMREMGenerator,
  Quaternion,
  Scene,
  ShaderMaterial,
  ShadowMaterial,
  Vector2,
  Vector3,
  WebGLRenderer,
} from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { RoomEnvironment } from "three/examples/jsm/environments/RoomEnvironment.js";
import type { SceneData } from "./data";
import type { Drawing } from "./drawing";
import { drawGrid, gridMaterial, niceStep } from "./floor";
import { Pace, type Detail } from "./pace";
import type { Moment, Track } from "./track";

export { Vector3 };

const fieldOfView = 32;

export class Stage {
  readonly canvas: HTMLCanvasElement;
  followed: Track | null = null;
  private readonly renderer: WebGLRenderer;
  private readonly scene = new Scene();
  private readonly world = new Group(); // turns the model's up to y
  private readonly camera = new PerspectiveCamera(fieldOfView, 1, 0.01, 100);
  private readonly orbit: OrbitControls;
  private box = new Box3();
  private radius = 1;
  private grid: Mesh<CircleGeometry, ShaderMaterial> | null = null;
  private ink = "#888";
  private readonly sun = new DirectionalLight("#fff6e8", 2.4);
  private readonly retired: (() => void)[] = []; // what gives back the memory of what is no longer seen
  private readonly lastFollowed = new Vector3();
  private readonly surroundings = new Group(); // light and floor
  private moment: Moment = { t: 0, frame: 0, part: 0 };
  private readonly software = isSoftware();
  private readonly fast: boolean; // is there a graphics card?
  private readonly pace: Pace;
  private detail: Detail | null = null; // of what is drawn
  private stale = true;

  constructor(
    private drawing: Drawing,
    private data: SceneData,
  ) {
    const beautiful = location.hash.includes("beautiful");
    this.fast = !this.software || beautiful;
    this.pace = new Pace(this.software, beautiful);
    // A processor smooths a still picture by drawing it twice as large, and a moving one not at all.
    this.renderer = new WebGLRenderer({ antialias: !this.software, alpha: true, preserveDrawingBuffer: true });
    this.renderer.toneMapping = NeutralToneMapping;
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.canvas = this.renderer.domElement;
    this.scene.add(this.world, this.surroundings);
    this.addSky();
    this.furnish();
    this.orbit = new OrbitControls(this.camera, this.canvas);
    this.orbit.enableDamping = true;
    this.orbit.dampingFactor = 0.12;
    this.orbit.addEventListener("change", () => (this.stale = true));
    this.resetCamera();
  }

  // Another motion in the same room; the camera stays where it is unless that is asked for.
  show(drawing: Drawing, data: SceneData, fresh: boolean): void {
    const before = this.drawing;
    this.world.remove(before.group);
    this.retired.push(() => before.dispose());
    this.removeFloor();
    drawing.viewport.copy(this.drawing.viewport);
    Object.assign(this, { drawing, data, followed: null });
    this.surroundings.position.set(0, 0, 0);
    this.furnish();
    if (fresh) this.resetCamera();
    this.stale = true;
  }

  private furnish(): void {
    const { drawing } = this;
    this.world.quaternion.copy(turnUpright(drawing.up));
    this.world.add(drawing.group);
    this.box = uprightBox(drawing.box, this.world.quaternion);
    this.radius = drawing.extent;
    this.placeSun();
    this.grid = this.data.ground ? this.addFloor() : null;
    this.setTheme(this.ink);
  }

  private removeFloor(): void {
    for (const part of this.surroundings.children.filter((each) => each instanceof Mesh)) {
      this.surroundings.remove(part);
      this.retired.push(() => (part.geometry.dispose(), part.material.dispose()));
    }
  }

  // From now on the camera, the light and the floor move with that place.
  follow(track: Track | null): void {
    this.followed = track;
    if (track) this.lastFollowed.copy(this.placeOf(track, this.moment));
    if (track) this.resetCamera();
  }

  resetCamera(): void {
    this.orbit.enableDamping = false; // lets it forget how it was turning
    this.orbit.update();
    this.orbit.enableDamping = true;
    const toward = this.viewDirection();
    const { target, distance } = this.fit(toward);
    this.orbit.target.copy(target);
    this.camera.position.copy(target).addScaledVector(toward, distance);
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
    this.renderer.setSize(width, height, false);
    this.drawing.viewport.set(width, height);
    this.detail = null;
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    if (first) this.resetCamera();
    this.stale = true;
  }

  setTheme(ink: string): void {
    this.ink = ink;
    if (this.grid) (this.grid.material.uniforms["ink"]!.value as Color).set(ink);
    this.stale = true;
  }

  touch(): void {
    this.stale = true;
  }

  // Draws only when something has changed.
  draw(moment: Moment, memory: number): void {
    this.moment = moment;
    if (this.followed) this.moveWith(this.followed, moment);
    this.orbit.update();
    const now = performance.now();
    if (this.stale) this.pace.move(now);
    else if (!this.pace.rest(now)) return;
    this.stale = false;
    this.refine(this.pace.detail);
    this.drawing.update(moment, memory);
    this.renderer.render(this.scene, this.camera);
    // Not before: shaders that are in use still need not be compiled again.
    for (const giveBack of this.retired.splice(0)) giveBack();
  }

  private refine(detail: Detail): void {
    const { ratio, shadows, fine, whole } = detail;
    this.drawing.refine(fine);
    if (this.grid) drawGrid(this.grid.material, ratio / window.devicePixelRatio);
    this.sun.castShadow = shadows;
    for (const part of this.surroundings.children) if (part instanceof Mesh && part.receiveShadow) part.visible = shadows;
    if (this.detail?.ratio !== ratio) this.renderer.setPixelRatio(ratio);
    if (this.detail?.whole !== whole) this.canvas.dataset["drawn"] = whole ? "whole" : "coarsely";
    this.detail = detail;
  }

  private placeOf(track: Track, moment: Moment): Vector3 {
    return track.position(moment, place).applyQuaternion(this.world.quaternion);
  }

  private moveWith(track: Track, moment: Moment): void {
    const now = this.placeOf(track, moment);
    step.subVectors(now, this.lastFollowed);
    this.camera.position.add(step);
    this.orbit.target.add(step);
    this.surroundings.position.add(step.setY(0));
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

  // Where to look and from how far, so that every place of the motion is in the picture, with a margin.
  private fit(toward: Vector3): { target: Vector3; distance: number } {
    const right = new Vector3().crossVectors(new Vector3(0, 1, 0), toward).normalize();
    const top = new Vector3().crossVectors(toward, right);
    const tanY = Math.tan((fieldOfView * Math.PI) / 360);
    const tanX = tanY * this.camera.aspect;
    const seen = this.places().map(({ at, reach }) => ({
      x: at.dot(right),
      y: at.dot(top),
      z: at.dot(toward),
      reach,
    }));
    const middle = (axis: "x" | "y" | "z") => {
      const low = Math.min(...seen.map((s) => s[axis] - s.reach));
      const high = Math.max(...seen.map((s) => s[axis] + s.reach));
      return (low + high) / 2;
    };
    const [x, y, z] = [middle("x"), middle("y"), middle("z")];
    let distance = 0.5 * this.radius;
    for (const s of seen) {
      const across = (Math.abs(s.x - x) + s.reach) / tanX;
      const height = (Math.abs(s.y - y) + s.reach) / tanY;
      distance = Math.max(distance, s.z - z + Math.max(across, height));
    }
    const target = new Vector3().addScaledVector(right, x).addScaledVector(top, y).addScaledVector(toward, z);
    return { target, distance: 1.1 * distance + 0.1 * this.radius };
  }

  // All places of the motion, upright; as they are seen from what the camera follows.
  private places(): { at: Vector3; reach: number }[] {
    const { outline, middle } = this.drawing;
    const { followed } = this;
    const upright = (at: Vector3) => at.applyQuaternion(this.world.quaternion);
    if (!followed?.moves) return outline.map(({ at, reach }) => ({ at: upright(at.clone()), reach }));
    const now = followed.position(this.moment, new Vector3());
    const stride = Math.max(1, Math.floor(followed.frames / 24));
    const some = Array.from({ length: Math.ceil(followed.frames / stride) }, (_, k) => k * stride);
    const seen = followed === middle ? outline.filter(({ frame }) => frame !== null) : outline;
    return seen.flatMap(({ at, reach, frame }) =>
      (frame === null ? some : [frame]).map((k) => ({
        at: upright(at.clone().sub(step.fromArray(followed.values, 3 * k)).add(now)),
        reach,
      })),
    );
  }

  // How far what is seen reaches.
  get reach(): number {
    return this.radius;
  }

  // Where a place of the model is seen, in pixels of the picture.
  seen(at: Vector3, out: Vector3): Vector3 {
    const { width, height } = this.canvas.getBoundingClientRect();
    out.copy(at).applyQuaternion(this.world.quaternion).project(this.camera);
    return out.set(((1 + out.x) / 2) * width, ((1 - out.y) / 2) * height, out.z);
  }

  // The place that is seen so many pixels to the right of another one, below it and behind it.
  beside(at: Vector3, right: number, below: number, behind: number, out: Vector3): Vector3 {
    const { camera } = this;
    const [x, y, z] = [new Vector3(), new Vector3(), new Vector3()];
    camera.matrixWorld.extractBasis(x, y, z);
    out.copy(at).applyQuaternion(this.world.quaternion);
    const depth = step.subVectors(camera.position, out).dot(z);
    const pixel = (2 * Math.tan((camera.fov * Math.PI) / 360) * depth) / this.canvas.getBoundingClientRect().height;
    out.addScaledVector(x, pixel * right).addScaledVector(y, -pixel * below).addScaledVector(z, -pixel * behind);
    return out.applyQuaternion(this.world.quaternion.clone().invert());
  }

  // The picture of the moment in another size; lines are as thick as they are seen.
  picture(width: number, height: number, background: string | null, memory: number): HTMLCanvasElement {
    const { renderer, camera, drawing } = this;
    const seen = renderer.getSize(new Vector2());
    const { aspect, fov } = camera;
    const smooth = this.software && Math.max(width, height) <= 4096;
    this.refine({ ratio: smooth ? 2 : 1, shadows: true, fine: true, whole: true });
    renderer.setSize(width, height, false);
    drawing.viewport.set(width, height).multiplyScalar(seen.y / height);
    camera.aspect = width / height;
    camera.fov = (360 / Math.PI) * Math.atan(Math.tan((fov * Math.PI) / 360) * Math.max(1, aspect / camera.aspect));
    camera.updateProjectionMatrix();
    drawing.update(this.moment, memory);
    renderer.render(this.scene, camera);
    const copy = Object.assign(document.createElement("canvas"), { width, height });
    const context = copy.getContext("2d")!;
    if (background) {
      context.fillStyle = background;
      context.fillRect(0, 0, width, height);
    }
    context.imageSmoothingQuality = "high";
    context.drawImage(this.canvas, 0, 0, width, height);
    camera.fov = fov;
    this.resize(seen.x, seen.y);
    return copy;
  }

  private addSky(): void {
    if (this.fast) this.addReflections();
    this.scene.add(new HemisphereLight("#ffffff", "#cfcac0", this.fast ? 1.1 : 1.9));
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.setScalar(this.fast ? 2048 : 1024);
    this.sun.shadow.radius = 5;
    this.surroundings.add(this.sun, this.sun.target);
  }

  private placeSun(): void {
    const { sun } = this;
    const center = this.start();
    const reach = 1.35 * this.radius;
    sun.position.copy(center).add(new Vector3(0.55, 1.6, 0.8).multiplyScalar(2 * this.radius));
    sun.target.position.copy(center);
    Object.assign(sun.shadow.camera, { left: -reach, right: reach, top: reach, bottom: -reach });
    sun.shadow.camera.near = 0.1 * this.radius;
    sun.shadow.camera.far = 8 * this.radius;
    sun.shadow.camera.updateProjectionMatrix();
    sun.shadow.normalBias = 0.004 * this.radius;
  }

  private addReflections(): void {
    const studio = new PMREMGenerator(this.renderer);
    this.scene.environment = studio.fromScene(new RoomEnvironment(), 0.04).texture;
    this.scene.environmentIntensity = 0.45;
    studio.dispose();
  }

  // Around what the light and the floor are, to begin with.
  private start(): Vector3 {
    if (!this.drawing.drifts) return this.box.getCenter(new Vector3());
    return new Vector3().fromArray(this.drawing.middle.values, 0).applyQuaternion(this.world.quaternion);
  }

  private addFloor(): Mesh<CircleGeometry, ShaderMaterial> {
    const center = this.start();
    const height = this.box.min.y - 0.1 * this.radius;
    const disc = new CircleGeometry(4 * this.radius, 64).rotateX(-Math.PI / 2); // at its rim nothing is left of the grid
    const shadow = new Mesh(disc, new ShadowMaterial({ opacity: 0.2 }));
    shadow.receiveShadow = true;
    const grid = new Mesh(disc, gridMaterial(niceStep(this.radius / 2), 4 * this.radius));
    for (const mesh of [shadow, grid]) {
      mesh.position.set(center.x, height, center.z);
      this.surroundings.add(mesh);
    }
    shadow.position.y += 1e-3 * this.radius;
    grid.renderOrder = -1;
    return grid;
  }
}

// Does the processor draw? Asked of a picture of one point, before there is any other.
function isSoftware(): boolean {
  const canvas = Object.assign(document.createElement("canvas"), { width: 1, height: 1 });
  const context = canvas.getContext("webgl2");
  const known = context?.getExtension("WEBGL_debug_renderer_info");
  const name = known ? String(context!.getParameter(known.UNMASKED_RENDERER_WEBGL)) : "";
  context?.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|software|basic render/i.test(name);
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
