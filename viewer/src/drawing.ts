// The objects of a scene, as shapes that move. Coordinates are those of the model; the stage turns them upright.
import {
  Box3,
  DoubleSide,
  Group,
  Mesh,
  MeshStandardMaterial,
  PlaneGeometry,
  Quaternion,
  SphereGeometry,
  Vector2,
  Vector3,
} from "three";
import type { SceneData, SceneObject, Vector } from "./data";
import { colorOf, nth, palette } from "./palette";
import { Batch, between, type Instance, type Shape } from "./shapes";
import { Track, type Moment } from "./track";
import { Trail } from "./trail";

export interface Followable {
  name: string;
  at: Track;
}

export class Drawing {
  readonly group = new Group();
  readonly box = new Box3(); // of all places at all times
  readonly extent: number; // the radius of what moves
  readonly followables: Followable[] = [];
  readonly viewport = new Vector2(1, 1);
  readonly up: Vector3;
  private readonly tracks: Track[];
  private readonly instances = new Map<Shape, Instance[]>();
  private readonly batches: Batch[];
  private readonly trails: Trail[] = [];
  private readonly times: Float32Array;
  private readonly thickness: number; // of a ball; all else follows
  private moment: Moment = { t: 0, frame: 0, part: 0 };
  private colored = 0;

  constructor(scene: SceneData, times: Float64Array) {
    this.times = Float32Array.from(times);
    this.up = new Vector3(...scene.up);
    this.tracks = scene.tracks.map((data) => new Track(data));
    this.measure(scene);
    this.extent = Math.max(1e-9, this.box.getSize(new Vector3()).length() / 2);
    this.thickness = this.chooseThickness(scene);
    for (const object of scene.objects) this.add(object);
    this.batches = [...this.instances].map(([shape, instances]) => new Batch(shape, instances));
    for (const batch of this.batches) this.group.add(batch.mesh);
    for (const trail of this.trails) this.group.add(trail.mesh);
  }

  get hasTrails(): boolean {
    return this.trails.length > 0;
  }

  update(moment: Moment, memory: number): void {
    this.moment = moment;
    for (const batch of this.batches) batch.update();
    for (const trail of this.trails) trail.update(moment, memory);
  }

  private track(index: number): Track {
    const track = this.tracks[index];
    if (!track) throw new Error(`The scene has no track ${index}.`);
    return track;
  }

  private measure(scene: SceneData): void {
    for (const object of scene.objects) {
      const padding = objectReach(object);
      for (const index of placesOf(object)) {
        const { values } = this.track(index);
        for (let i = 0; i + 2 < values.length; i += 3) {
          point.fromArray(values, i);
          this.box.expandByPoint(point);
          if (padding > 0) this.box.union(new Box3(point.clone().subScalar(padding), point.clone().addScalar(padding)));
        }
      }
    }
    if (this.box.isEmpty()) this.box.set(new Vector3(-1, -1, -1), new Vector3(1, 1, 1));
  }

  // Balls look right at some 3 % of the picture, and never larger than a third of a link.
  private chooseThickness(scene: SceneData): number {
    let radius = 0.034 * this.extent;
    for (const object of scene.objects) {
      if (object.kind !== "link" || object.style !== "rod") continue;
      const from = point.fromArray(this.track(object.at).values, 0);
      const length = from.distanceTo(other.fromArray(this.track(object.to).values, 0));
      if (length > 1e-3 * this.extent) radius = Math.min(radius, 0.3 * length);
    }
    const points = scene.objects.filter((object) => object.kind === "point").length;
    return radius * Math.min(1, Math.cbrt(40 / Math.max(points, 1)));
  }

  private add(object: SceneObject): void {
    switch (object.kind) {
      case "point":
        return this.addPoint(object);
      case "link":
        return this.addLink(object);
      case "arrow":
        return this.addArrow(object);
      case "body":
        return this.addBody(object);
      case "cart":
        return this.addCart(object);
      case "sphere":
        return this.addSphere(object);
      case "rail":
        return this.addRail(object);
      case "plane":
        return this.addPlane(object);
    }
  }

  private instance(shape: Shape, color: string, place: Instance["place"]): void {
    const list = this.instances.get(shape) ?? [];
    list.push({ color, place });
    this.instances.set(shape, list);
  }

  private addTrail(object: SceneObject, track: Track, color: string): void {
    if (object.trail && track.moves) this.trails.push(new Trail(track, this.times, color, this.viewport));
  }

  private follow(object: SceneObject, at: Track): void {
    if (object.name && at.moves) this.followables.push({ name: object.name, at });
  }

  private addPoint(object: SceneObject & { kind: "point" }): void {
    const track = this.track(object.at);
    const color = colorOf(object.color, track.moves ? nth(this.colored++) : palette["grey"]!);
    const radius = object.radius || this.thickness * (track.moves ? 1 : 0.55);
    this.instance("ball", color, (at, turn, scale) => {
      track.position(this.moment, at);
      turn.identity();
      scale.setScalar(radius);
    });
    this.addTrail(object, track, color);
    this.follow(object, track);
  }

  private addLink(object: SceneObject & { kind: "link" }): void {
    const from = this.track(object.at);
    const to = this.track(object.to);
    const shape = object.style === "spring" ? "coil" : "bar";
    const part = { rod: 0.3, string: 0.1, spring: 0.7 }[object.style];
    const radius = object.radius || part * this.thickness;
    this.instance(shape, colorOf(object.color, palette["grey"]!), (at, turn, scale) => {
      between(from.position(this.moment, point), to.position(this.moment, other), radius, at, turn, scale);
    });
  }

  private addArrow(object: SceneObject & { kind: "arrow" }): void {
    const base = this.track(object.at);
    const direction = this.track(object.turn);
    const color = colorOf(object.color, nth(this.colored++));
    const length = object.length || 1;
    const radius = Math.min(0.03 * length, 0.5 * this.thickness);
    const head = 7 * radius;
    const tip = (part: number, out: Vector3) => {
      direction.position(this.moment, out).normalize();
      return out.multiplyScalar(part).add(base.position(this.moment, point));
    };
    this.instance("bar", color, (at, turn, scale) => {
      between(base.position(this.moment, third), tip(length - head, other), radius, at, turn, scale);
    });
    this.instance("cone", color, (at, turn, scale) => {
      tip(length - head, third);
      between(third, tip(length, other), 2.6 * radius, at, turn, scale);
    });
  }

  private addBody(object: SceneObject & { kind: "body" }): void {
    const place = this.track(object.at);
    const attitude = this.track(object.turn);
    const color = colorOf(object.color, nth(this.colored++));
    const [a, b, c] = object.size;
    this.instance("block", color, (at, turn, scale) => {
      place.position(this.moment, at);
      attitude.attitude(this.moment, turn);
      scale.set(a, b, c);
    });
    this.addTrail(object, place, color);
    this.follow(object, place);
  }

  private addCart(object: SceneObject & { kind: "cart" }): void {
    const place = this.track(object.at);
    const color = colorOf(object.color, palette["blue"]!);
    const unit = Math.max(3.2 * this.thickness, 0.05 * this.extent);
    const [a, b, c] = object.size ?? [2.2 * unit, 1.5 * unit, 0.7 * unit];
    const turned = uprightFrame(object.axis, this.up);
    this.instance("block", color, (at, turn, scale) => {
      place.position(this.moment, at);
      turn.copy(turned);
      scale.set(a, b, c);
    });
    this.addTrail(object, place, color);
    this.follow(object, place);
  }

  private addSphere(object: SceneObject & { kind: "sphere" }): void {
    const center = new Vector3().fromArray(this.track(object.at).values, 0);
    const material = new MeshStandardMaterial({
      color: colorOf(object.color, "#9fb4c7"),
      transparent: true,
      opacity: 0.2,
      roughness: 0.3,
      depthWrite: false,
    });
    const mesh = new Mesh(new SphereGeometry(object.radius, 96, 64), material);
    mesh.position.copy(center);
    mesh.renderOrder = 1;
    this.group.add(mesh);
  }

  private addRail(object: SceneObject & { kind: "rail" }): void {
    const direction = new Vector3(...object.axis).normalize();
    const through = new Vector3().fromArray(this.track(object.at).values, 0);
    const reach = this.reachAlong(direction, through);
    const ends = [-reach, reach].map((s) => through.clone().addScaledVector(direction, s));
    this.instance("bar", colorOf(object.color, palette["grey"]!), (at, turn, scale) => {
      between(ends[0]!, ends[1]!, 0.28 * this.thickness, at, turn, scale);
    });
  }

  private addPlane(object: SceneObject & { kind: "plane" }): void {
    const material = new MeshStandardMaterial({
      color: colorOf(object.color, "#9fb4c7"),
      transparent: true,
      opacity: 0.16,
      side: DoubleSide,
      depthWrite: false,
      roughness: 0.9,
    });
    const mesh = new Mesh(new PlaneGeometry(2.4 * this.extent, 2.4 * this.extent), material);
    mesh.position.fromArray(this.track(object.at).values, 0);
    mesh.quaternion.setFromUnitVectors(new Vector3(0, 0, 1), new Vector3(...object.axis).normalize());
    mesh.receiveShadow = true;
    this.group.add(mesh);
  }

  private reachAlong(direction: Vector3, through: Vector3): number {
    let reach = 0.35 * this.extent;
    for (const x of [this.box.min.x, this.box.max.x])
      for (const y of [this.box.min.y, this.box.max.y])
        for (const z of [this.box.min.z, this.box.max.z])
          reach = Math.max(reach, Math.abs(point.set(x, y, z).sub(through).dot(direction)));
    return 1.08 * reach;
  }
}

function placesOf(object: SceneObject): number[] {
  switch (object.kind) {
    case "link":
      return [object.at, object.to];
    case "rail":
    case "plane":
      return [];
    default:
      return [object.at];
  }
}

function objectReach(object: SceneObject): number {
  switch (object.kind) {
    case "arrow":
      return object.length || 1;
    case "body":
      return Math.hypot(...object.size) / 2;
    case "sphere":
      return object.radius;
    default:
      return 0;
  }
}

// A cart's own axes: along its rail (or any horizontal line), across, up.
function uprightFrame(axis: Vector | undefined, up: Vector3): Quaternion {
  const rise = new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), up.clone().normalize());
  if (!axis) return rise;
  const forward = new Vector3(1, 0, 0).applyQuaternion(rise);
  const heading = new Vector3(...axis).normalize();
  return new Quaternion().setFromUnitVectors(forward, heading).multiply(rise);
}

const point = new Vector3();
const other = new Vector3();
const third = new Vector3();
