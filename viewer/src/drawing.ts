// The objects of a scene, as shapes that move. Coordinates are those of the model; the stage turns them upright.
import { Box3, Group, InstancedMesh, Mesh, Quaternion, Vector2, Vector3 } from "three";
import type { SceneData, SceneObject, Vector } from "./data";
import { colorOf, nth, palette } from "./palette";
import { Batch, between, type Instance, type Shape } from "./shapes";
import { fadingDisc, translucentSphere } from "./surfaces";
import { Track, type Moment } from "./track";
import { Trail } from "./trail";

export interface Followable {
  name: string;
  at: Track;
}

// An object was here, at some frame; it does not move where there is none.
export interface Seen {
  at: Vector3;
  reach: number; // of the object around its place
  frame: number | null;
}

export class Drawing {
  readonly group = new Group();
  readonly box = new Box3(); // of all places at all times
  readonly outline: Seen[] = []; // some of these places
  readonly middle: Track; // of all that moves
  readonly drifts: boolean; // does it leave the place where it began?
  readonly extent: number; // the radius of what is seen at once
  readonly followables: Followable[] = [];
  readonly viewport = new Vector2(1, 1);
  readonly up: Vector3;
  private readonly tracks: Track[];
  private readonly instances = new Map<Shape, Instance[]>();
  private readonly batches: Batch[];
  private readonly trails: Trail[] = [];
  private readonly beforeDrawing: (() => void)[] = [];
  private readonly begin: number;
  private readonly times: Float32Array; // since the beginning, for the sake of digits
  private readonly thickness: number; // of a ball; all else follows
  private moment: Moment = { t: 0, frame: 0, part: 0 };
  private colored = 0;
  private readonly colorful: boolean; // few points: each has a colour of its own, not only those with trails

  constructor(scene: SceneData, times: Float64Array) {
    this.begin = times[0] ?? 0;
    this.times = Float32Array.from(times, (t) => t - this.begin);
    this.up = new Vector3(...scene.up);
    this.tracks = scene.tracks.map((data) => Track.read(data));
    const places = this.placesWithReach(scene);
    this.measure(places);
    this.middle = this.middleOf([...places.keys()].map((index) => this.track(index)).filter((track) => track.moves));
    const everything = this.box.getSize(new Vector3()).length() / 2;
    const atOnce = 1.2 * Math.max(...this.outline.map((seen) => this.distanceFromMiddle(seen)));
    const anchored = this.outline.some(({ frame }) => frame === null);
    this.drifts = !anchored && atOnce > 0 && everything > 2 * atOnce;
    this.extent = Math.max(1e-9, this.drifts ? atOnce : everything);
    this.thickness = this.chooseThickness(scene);
    this.colorful = scene.objects.filter(({ kind }) => kind === "point").length <= 4;
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
    for (const action of this.beforeDrawing) action();
    for (const batch of this.batches) batch.update();
    for (const trail of this.trails) trail.update(moment, moment.t - this.begin, memory);
  }

  // Round, or of few triangles while there is no time for more.
  refine(fine: boolean): void {
    for (const batch of this.batches) batch.refine(fine);
  }

  // Gives back what the graphics card holds of it.
  dispose(): void {
    for (const batch of this.batches) batch.dispose();
    this.group.traverse((part) => {
      if (!(part instanceof Mesh)) return;
      part.geometry.dispose();
      for (const material of [part.material].flat()) material.dispose();
      if (part instanceof InstancedMesh) part.dispose();
    });
  }

  private track(index: number): Track {
    const track = this.tracks[index];
    if (!track) throw new Error(`The scene has no track ${index}.`);
    return track;
  }

  // Every place that is drawn, and how far its objects reach around it.
  private placesWithReach(scene: SceneData): Map<number, number> {
    const places = new Map<number, number>();
    for (const object of scene.objects)
      for (const index of placesOf(object)) places.set(index, Math.max(places.get(index) ?? 0, objectReach(object)));
    return places;
  }

  private measure(places: Map<number, number>): void {
    const stride = Math.max(1, Math.floor((this.times.length * places.size) / 20000));
    for (const [index, reach] of places) {
      const track = this.track(index);
      for (let frame = 0; frame < track.frames; frame += stride) {
        const at = new Vector3().fromArray(track.values, 3 * frame);
        this.outline.push({ at, reach, frame: track.moves ? frame : null });
        this.box.union(new Box3(at.clone().subScalar(reach), at.clone().addScalar(reach)));
      }
    }
    if (this.box.isEmpty()) this.box.set(new Vector3(-1, -1, -1), new Vector3(1, 1, 1));
  }

  private middleOf(tracks: Track[]): Track {
    const values = new Float32Array(3 * (tracks.length > 0 ? this.times.length : 1));
    for (const track of tracks) track.values.forEach((value, i) => (values[i]! += value / tracks.length));
    return new Track(values, 3);
  }

  private distanceFromMiddle({ at, reach, frame }: Seen): number {
    return frame === null ? 0 : at.distanceTo(point.fromArray(this.middle.values, 3 * frame)) + reach;
  }

  // Balls look right at some 3 % of the picture, and no larger than a third of a link, unless they would vanish.
  private chooseThickness(scene: SceneData): number {
    let radius = 0.034 * this.extent;
    for (const object of scene.objects) {
      if (object.kind !== "link" || object.style !== "rod") continue;
      const from = point.fromArray(this.track(object.at).values, 0);
      const length = from.distanceTo(other.fromArray(this.track(object.to).values, 0));
      if (length > 1e-3 * this.extent) radius = Math.min(radius, 0.3 * length);
    }
    const points = scene.objects.filter((object) => object.kind === "point").length;
    return Math.max(radius * Math.min(1, Math.cbrt(40 / Math.max(points, 1))), 0.009 * this.extent);
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
    const standsOut = track.moves && (object.trail || this.colorful);
    const quiet = track.moves ? palette["slate"]! : palette["grey"]!;
    const color = colorOf(object.color, standsOut ? nth(this.colored++) : quiet);
    const radius = object.radius || this.thickness * (track.moves ? 1 : 0.6);
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
    const part = { rod: 0.3, string: 0.1, spring: 0.9 }[object.style];
    const radius = object.radius || Math.max(part * this.thickness, 0.002 * this.extent);
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
    this.addAxes(place, attitude, object.size);
    this.addTrail(object, place, color);
    this.follow(object, place);
  }

  // The body's own axes, a little longer than the body: they show how it turns.
  private addAxes(place: Track, attitude: Track, size: Vector): void {
    const margin = 0.16 * Math.max(...size);
    ["orange", "green", "purple"].forEach((color, i) => {
      const axis = new Vector3().setComponent(i, size[i]! / 2 + margin);
      this.instance("bar", palette[color]!, (at, turn, scale) => {
        place.position(this.moment, third);
        other.copy(axis).applyQuaternion(attitude.attitude(this.moment, turn)).add(third);
        between(third, other, 0.1 * margin, at, turn, scale);
      });
    });
  }

  private addCart(object: SceneObject & { kind: "cart" }): void {
    const place = this.track(object.at);
    const color = colorOf(object.color, nth(this.colored++));
    const unit = Math.max(3.2 * this.thickness, 0.05 * this.extent);
    const [a, b, c] = object.size ?? [2.2 * unit, 1.5 * unit, 0.7 * unit];
    const turned = uprightFrame(object.axis, this.up);
    this.instance("block", color, (at, turn, scale) => {
      place.position(this.moment, at).addScaledVector(this.up, c / 2); // it stands on its rail
      turn.copy(turned);
      scale.set(a, b, c);
    });
    this.addTrail(object, place, color);
    this.follow(object, place);
  }

  private addSphere(object: SceneObject & { kind: "sphere" }): void {
    const sphere = translucentSphere(object.radius, colorOf(object.color, "#9fb4c7"));
    sphere.position.fromArray(this.track(object.at).values, 0);
    sphere.quaternion.setFromUnitVectors(new Vector3(0, 1, 0), this.up);
    this.group.add(sphere);
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
    const normal = new Vector3(...object.axis).normalize();
    const through = new Vector3().fromArray(this.track(object.at).values, 0);
    const disc = fadingDisc(1.1 * this.extent, colorOf(object.color, "#8fa6ba"));
    this.beforeDrawing.push(() => {
      if (this.drifts) this.middle.position(this.moment, disc.position);
      else this.box.getCenter(disc.position);
      disc.position.addScaledVector(normal, normal.dot(through) - normal.dot(disc.position));
    });
    disc.quaternion.setFromUnitVectors(new Vector3(0, 0, 1), normal);
    this.group.add(disc);
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
