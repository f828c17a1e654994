// Bodies and their parts in the world. Poses come as numbers and go straight into the placement
// rows that are drawn; exploding only shifts what is drawn, true poses stay readable.

import { type Camera, Frustum, type Group, Matrix4, Quaternion, Sphere, Vector3 } from "three";
import type { Part, Place, Scene, Vec3 } from "../protocol";
import { Batch, ShapeBuffers } from "./batch";
import type { Shape } from "./geometry";
import type { PartLook } from "./highlight";
import type { Detail } from "./quality";
import { type Paint, paint } from "./shaders";
import { stickShape } from "./sticks";

const COARSENING = 30; // [ms] of a frame that may go into making coarser sets of triangles

interface Held {
  shape: ShapeBuffers;
  solid: Batch;
  glass: Batch | null; // made when the first instance turns to glass
  instances: number;
}

export class Bodies {
  readonly matrices: Matrix4[]; // of the bodies, true
  readonly offsets: Vec3[]; // of the bodies, exploded
  looks: PartLook[] = [];
  private readonly places: Matrix4[]; // of the parts in their bodies
  private readonly drawn: Matrix4[]; // places of the parts in the world, exploded
  private readonly shapes: (Held | null)[]; // of the parts
  private readonly held: Held[] = [];
  private readonly paints = new Map<string, Paint>();
  private section = false;

  /** `shapes` are those of the blob; parts without one get a stick figure of bars this thick. */
  constructor(readonly scene: Scene, shapes: Shape[], bar: number, private readonly group: Group) {
    this.matrices = scene.bodies.map(() => new Matrix4());
    this.offsets = scene.bodies.map((): Vec3 => [0, 0, 0]);
    this.places = scene.parts.map((part) => matrixOf(part.place));
    this.drawn = scene.parts.map(() => new Matrix4());
    this.shapes = this.instances(shapes, bar);
    for (const held of this.held) this.join(held.solid);
  }

  private instances(shapes: Shape[], bar: number): (Held | null)[] {
    const users = new Map<Shape, number[]>();
    this.scene.parts.forEach((part, row) => {
      const shape = shapes[part.solid] ?? stick(part, row, bar);
      if (shape) users.set(shape, [...(users.get(shape) ?? []), row]);
    });
    const out: (Held | null)[] = this.scene.parts.map(() => null);
    for (const [shape, rows] of users) {
      const buffers = ShapeBuffers.of(shape);
      const solid = new Batch(buffers, rows.length, false);
      const held = { shape: buffers, solid, glass: null, instances: rows.length };
      this.held.push(held);
      for (const row of rows) out[row] = held;
    }
    return out;
  }

  private join(batch: Batch): void {
    batch.paint(this.paintOf(batch));
    this.group.add(...batch.objects);
  }

  private paintOf({ glass, shape }: Batch): Paint {
    const key = `${this.section} ${glass} ${shape.closed}`;
    const made = this.paints.get(key) ?? paint(this.section, glass, !shape.closed);
    this.paints.set(key, made);
    return made;
  }

  /** Draw with or without a section plane from now on. */
  setSection(on: boolean): void {
    if (on === this.section) return;
    this.section = on;
    for (const { solid, glass } of this.held) {
      for (const batch of [solid, glass]) batch?.paint(this.paintOf(batch));
    }
  }

  /** Take the poses of all bodies, 7 numbers each; false where their count is another. */
  apply(poses: Float64Array): boolean {
    if (poses.length !== 7 * this.matrices.length) return false;
    this.matrices.forEach((matrix, row) => setPose(matrix, poses, 7 * row));
    this.place();
    return true;
  }

  /** Start where the bodies of the scene before are, if they are as many: no jump after an edit. */
  keepPoses(before: Bodies | null): boolean {
    if (before?.matrices.length !== this.matrices.length) return false;
    before.matrices.forEach((matrix, row) => this.matrices[row].copy(matrix));
    before.offsets.forEach((offset, row) => (this.offsets[row] = offset));
    this.place();
    return true;
  }

  /** Put the parts where bodies and offsets have them. */
  place(): void {
    this.scene.parts.forEach((part, row) => {
      const world = this.drawn[row].multiplyMatrices(this.matrices[part.body], this.places[row]);
      const offset = this.offsets[part.body];
      for (let k = 0; k < 3; k++) world.elements[12 + k] += offset[k];
    });
  }

  /** Fill the buffers with the parts that this camera can see, in a picture so high [px]. */
  fill(camera: Camera, height: number, detail: Pick<Detail, "edges" | "cell">): void {
    const { projectionMatrix, matrixWorldInverse } = camera;
    const through = new Matrix4().multiplyMatrices(projectionMatrix, matrixWorldInverse);
    const frustum = new Frustum().setFromProjectionMatrix(through);
    const sphere = new Sphere();
    const seen = new Matrix4();
    const scale = projectionMatrix.elements[5] * height; // [px] of twice a length, one away
    const deep = "isPerspectiveCamera" in camera;
    for (const { solid, glass } of this.held) {
      solid.clear();
      glass?.clear();
    }
    this.shapes.forEach((held, row) => {
      const look = this.looks[row];
      if (!held || !look?.shown) return;
      sphere.copy(held.shape.sphere);
      sphere.center.applyMatrix4(this.drawn[row]);
      if (!frustum.intersectsSphere(sphere)) return;
      seen.multiplyMatrices(matrixWorldInverse, this.drawn[row]);
      const depth = deep ? -seen.elements[14] - sphere.radius : 1;
      const size = (scale * sphere.radius) / Math.max(depth, 1e-3 * sphere.radius);
      if (size < detail.cell / 2) return;
      const batch = look.opacity < 1 ? this.glassOf(held) : held.solid;
      batch.add(row, seen, look, size);
    });
    const time = { left: COARSENING };
    for (const { solid, glass } of this.held) {
      solid.finish(detail.edges, detail.cell, time);
      glass?.finish(detail.edges, detail.cell, time);
    }
  }

  private glassOf(held: Held): Batch {
    if (!held.glass) {
      held.glass = new Batch(held.shape, held.instances, true);
      this.join(held.glass);
    }
    return held.glass;
  }

  /** Whether any part that is shown is glass. */
  get anyGlass(): boolean {
    return this.looks.some((look) => look.shown && look.opacity < 1);
  }

  shapeOf(part: number): Shape | null {
    return this.shapes[part]?.shape.shape ?? null;
  }

  /** Place of a part in the world: true, or as drawn when exploded. */
  worldOf(part: number, drawn: boolean): Matrix4 {
    if (drawn) return this.drawn[part].clone();
    const { body } = this.scene.parts[part];
    return new Matrix4().multiplyMatrices(this.matrices[body], this.places[part]);
  }

  /** Outermost points of parts in the world, as drawn; of all that are shown if none are named. */
  pointsOf(parts?: Iterable<number>): Vec3[] {
    const rows = [...(parts ?? this.scene.parts.keys())];
    return rows.flatMap((row) => {
      const held = this.shapes[row];
      if (!held || (!parts && !this.shown(row))) return [];
      return held.shape.points.map(
        (point) => new Vector3(...point).applyMatrix4(this.drawn[row]).toArray() as Vec3,
      );
    });
  }

  shown(part: number): boolean {
    return this.looks[part]?.shown ?? true;
  }

  dispose(): void {
    for (const { solid, glass } of this.held) {
      for (const batch of [solid, glass]) {
        if (!batch) continue;
        this.group.remove(...batch.objects);
        batch.dispose();
      }
    }
    for (const { faces, backs, edges } of this.paints.values()) {
      for (const material of [faces, backs, edges]) material?.dispose();
    }
  }
}

function stick(part: Part, row: number, bar: number): Shape | null {
  if (part.solid >= 0 || !part.points.length) return null;
  const round = (1.6 + 0.1 * (row % 5)) * bar; // unequal: joined parts share the places of balls
  return stickShape(part.name, part.points, bar, round);
}

function setPose(matrix: Matrix4, poses: ArrayLike<number>, at: number): void {
  const turn = new Quaternion(poses[at + 3], poses[at + 4], poses[at + 5], poses[at + 6]);
  matrix.makeRotationFromQuaternion(turn);
  matrix.setPosition(poses[at], poses[at + 1], poses[at + 2]);
}

export function matrixOf(place: Place): Matrix4 {
  const matrix = new Matrix4();
  setPose(matrix, place, 0);
  return matrix;
}

/** x y z qx qy qz qw of a placement. */
export function poseOf(matrix: Matrix4): Place {
  const turn = new Quaternion().setFromRotationMatrix(matrix);
  const e = matrix.elements;
  return [e[12], e[13], e[14], turn.x, turn.y, turn.z, turn.w];
}
