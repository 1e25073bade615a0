// Unit shapes, drawn many at a time: each kind is one instanced mesh, however many there are of it.
import {
  BufferGeometry,
  CatmullRomCurve3,
  Color,
  ConeGeometry,
  CylinderGeometry,
  DynamicDrawUsage,
  InstancedMesh,
  Matrix4,
  MeshStandardMaterial,
  Quaternion,
  SphereGeometry,
  TubeGeometry,
  Vector3,
} from "three";
import { RoundedBoxGeometry } from "three/examples/jsm/geometries/RoundedBoxGeometry.js";

export type Shape = "ball" | "bar" | "coil" | "block" | "cone";

// From (0, 0, 0) to (0, 1, 0), with turns of radius 1 and straight ends. The wire is round where the spring is 16 times
// as long as wide, and nearly so at other lengths.
function coil(fine: boolean): BufferGeometry {
  const turns = 9;
  const width = 1 / 16;
  const points: Vector3[] = [new Vector3(0, 0, 0), new Vector3(0, 0.06, 0)];
  const count = 20 * turns;
  for (let i = 0; i <= count; ++i) {
    const s = i / count;
    const angle = 2 * Math.PI * turns * s;
    const radius = width * Math.min(1, 10 * s, 10 * (1 - s));
    points.push(new Vector3(radius * Math.cos(angle), 0.1 + 0.8 * s, radius * Math.sin(angle)));
  }
  points.push(new Vector3(0, 0.94, 0), new Vector3(0, 1, 0));
  return new TubeGeometry(new CatmullRomCurve3(points), fine ? 420 : 200, 0.15 * width, fine ? 6 : 4).scale(1 / width, 1, 1 / width);
}

function geometryOf(shape: Shape, fine: boolean): BufferGeometry {
  switch (shape) {
    case "ball":
      return fine ? new SphereGeometry(1, 40, 24) : new SphereGeometry(1, 20, 12);
    case "bar":
      return new CylinderGeometry(1, 1, 1, fine ? 20 : 8, 1).translate(0, 0.5, 0);
    case "cone":
      return new ConeGeometry(1, 1, fine ? 28 : 14).translate(0, 0.5, 0);
    case "coil":
      return coil(fine);
    case "block":
      return new RoundedBoxGeometry(1, 1, 1, fine ? 4 : 2, 0.06);
  }
}

export type Placement = (position: Vector3, turn: Quaternion, scale: Vector3) => void;

export interface Instance {
  color: string;
  place: Placement; // called when the time has changed, before drawing
}

// All instances of one shape.
export class Batch {
  readonly mesh: InstancedMesh;
  private coarse: BufferGeometry | null = null; // until it is needed
  private readonly fine: BufferGeometry;

  constructor(
    private readonly shape: Shape,
    private readonly instances: Instance[],
  ) {
    const metal = shape === "coil" || shape === "bar";
    const material = new MeshStandardMaterial({ roughness: 0.42, metalness: metal ? 0.2 : 0.05 });
    this.fine = geometryOf(shape, true);
    this.mesh = new InstancedMesh(this.fine, material, instances.length);
    this.mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    this.mesh.castShadow = true;
    this.mesh.receiveShadow = true;
    this.mesh.frustumCulled = false;
    instances.forEach((instance, i) => this.mesh.setColorAt(i, new Color(instance.color)));
  }

  refine(fine: boolean): void {
    if (!fine) this.coarse ??= geometryOf(this.shape, false);
    this.mesh.geometry = fine ? this.fine : this.coarse!;
  }

  dispose(): void {
    this.fine.dispose();
    this.coarse?.dispose();
  }

  update(): void {
    this.instances.forEach((instance, i) => {
      instance.place(position, turn, scale);
      this.mesh.setMatrixAt(i, matrix.compose(position, turn, scale));
    });
    this.mesh.instanceMatrix.needsUpdate = true;
  }
}

// The placement of a unit shape along y between two points.
export function between(a: Vector3, b: Vector3, radius: number, at: Vector3, turn: Quaternion, scale: Vector3): void {
  direction.subVectors(b, a);
  const length = direction.length();
  at.copy(a);
  scale.set(radius, Math.max(length, 1e-9), radius);
  turn.setFromUnitVectors(upwards, length > 0 ? direction.divideScalar(length) : upwards);
}

const upwards = new Vector3(0, 1, 0);
const direction = new Vector3();
const position = new Vector3();
const turn = new Quaternion();
const scale = new Vector3();
const matrix = new Matrix4();
