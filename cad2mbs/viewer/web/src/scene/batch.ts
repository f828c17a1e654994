// All instances of one shape are drawn by one call: a thousand equal screws cost what one costs.
// Buffers of the shape are shared; what differs (place, colours, number) is one row per instance.

import {
  BufferAttribute,
  DynamicDrawUsage,
  InstancedBufferGeometry,
  InstancedInterleavedBuffer,
  InterleavedBufferAttribute,
  LineSegments,
  type Matrix4,
  Mesh,
  type Object3D,
  Sphere,
  Vector3,
} from "three";
import type { Vec3 } from "../protocol";
import { coarseLevel, levelOf } from "./coarse";
import { ballOf, faceOfVertex, isClosed, outermost, type Shape } from "./geometry";
import type { PartLook } from "./highlight";
import type { Paint } from "./shaders";

const ROW = 21; // numbers: placement 12, colour and opacity 4, edge colour and opacity 4, part 1
const FIELDS: [string, number, number][] = [
  ["row0", 4, 0],
  ["row1", 4, 4],
  ["row2", 4, 8],
  ["tint", 4, 12],
  ["line", 4, 16],
  ["mark", 1, 20],
];

export const SOLID_LAYER = 1;
export const GLASS_LAYER = 2;

const made = new WeakMap<Shape, ShapeBuffers>();

/** The buffers of a shape on the graphics card, and what is found out about it once. */
export class ShapeBuffers {
  /** Those of this shape; an edit of the mates brings a new scene with the same shapes. */
  static of(shape: Shape): ShapeBuffers {
    const buffers = made.get(shape) ?? new ShapeBuffers(shape);
    made.set(shape, buffers);
    return buffers;
  }

  readonly position: BufferAttribute;
  readonly normal: BufferAttribute;
  readonly face: BufferAttribute;
  readonly index: BufferAttribute;
  readonly segments: BufferAttribute | null;
  readonly sphere: Sphere;
  readonly points: Vec3[]; // farthest out
  readonly closed: boolean; // else its inside may be seen
  private readonly levels = new Map<number, BufferAttribute>();

  private constructor(readonly shape: Shape) {
    this.position = new BufferAttribute(shape.vertices, 3);
    this.normal = new BufferAttribute(shape.normals, 3);
    this.face = new BufferAttribute(faceOfVertex(shape), 1);
    this.index = new BufferAttribute(shape.triangles, 1);
    this.segments = shape.segments.length ? new BufferAttribute(shape.segments, 3) : null;
    this.closed = isClosed(shape);
    this.points = outermost(shape);
    const ball = ballOf(shape.box);
    this.sphere = new Sphere(new Vector3(...ball.centre), ball.radius);
  }

  /** Triangles for a shape that appears `size` large, with details of `cell` left out [px]. Coarser
   * sets are made when first asked for, unless there is no time for it in this frame. */
  triangles(size: number, cell: number, time: { left: number }): BufferAttribute {
    const level = cell > 0 ? levelOf(this.shape, size, cell) : -1;
    if (level < 0) return this.index;
    if (!this.levels.has(level)) {
      if (time.left <= 0) return this.index;
      const start = performance.now();
      const found = coarseLevel(this.shape, level);
      this.levels.set(level, found ? new BufferAttribute(found, 1) : this.index);
      time.left -= performance.now() - start;
    }
    return this.levels.get(level)!;
  }
}

/** The instances of one shape that are drawn in one way: as solids or as glass. */
export class Batch {
  readonly objects: Object3D[];
  private readonly rows: Float32Array;
  private readonly buffer: InstancedInterleavedBuffer;
  private readonly faces: InstancedBufferGeometry;
  private readonly lines: InstancedBufferGeometry | null;
  private readonly front: Mesh;
  private readonly back: Mesh;
  private readonly edges: LineSegments | null;
  private count = 0;
  private size = 0; // [px] of the largest instance

  constructor(readonly shape: ShapeBuffers, capacity: number, readonly glass: boolean) {
    this.rows = new Float32Array(ROW * capacity);
    this.buffer = new InstancedInterleavedBuffer(this.rows, ROW).setUsage(DynamicDrawUsage);
    const fields = FIELDS.map(([name, size, at]): [string, InterleavedBufferAttribute] => [
      name,
      new InterleavedBufferAttribute(this.buffer, size, at),
    ]);
    this.faces = this.geometry(fields);
    this.faces.setAttribute("position", shape.position);
    this.faces.setAttribute("normal", shape.normal);
    this.faces.setAttribute("face", shape.face);
    this.faces.setIndex(shape.index);
    this.front = new Mesh(this.faces);
    this.back = new Mesh(this.faces);
    this.lines = shape.segments && this.geometry(fields);
    this.lines?.setAttribute("position", shape.segments!);
    this.edges = this.lines && new LineSegments(this.lines);
    this.objects = [this.front, this.back, ...(this.edges ? [this.edges] : [])];
    this.order(glass ? 4 : 0);
  }

  private geometry(fields: [string, InterleavedBufferAttribute][]): InstancedBufferGeometry {
    const geometry = new InstancedBufferGeometry();
    for (const [name, attribute] of fields) geometry.setAttribute(name, attribute);
    geometry.boundingSphere = this.shape.sphere; // else three.js walks through all vertices
    return geometry;
  }

  private order(first: number): void {
    this.objects.forEach((object) => {
      object.frustumCulled = false;
      object.matrixAutoUpdate = false;
    });
    this.back.renderOrder = first;
    this.front.renderOrder = first + 0.1;
    if (this.edges) this.edges.renderOrder = first + 1;
    this.front.layers.enable(this.glass ? GLASS_LAYER : SOLID_LAYER);
  }

  /** Draw with these materials from now on. */
  paint(paint: Paint): void {
    this.front.material = paint.faces;
    if (paint.backs) this.back.material = paint.backs;
    this.back.userData.used = paint.backs !== null;
    if (this.edges) this.edges.material = paint.edges;
  }

  clear(): void {
    this.count = 0;
    this.size = 0;
  }

  /** One instance more, placed in the frame of the camera; `size` on the screen [px]. */
  add(part: number, placement: Matrix4, look: PartLook, size: number): void {
    const { rows } = this;
    this.size = Math.max(this.size, size);
    const row = ROW * this.count++;
    const e = placement.elements; // column by column
    for (let k = 0; k < 12; k++) rows[row + k] = e[4 * (k & 3) + (k >> 2)];
    for (let k = 0; k < 3; k++) {
      rows[row + 12 + k] = look.rgb[k];
      rows[row + 16 + k] = look.line[k];
    }
    rows[row + 15] = look.opacity;
    rows[row + 19] = look.opacity < 1 ? Math.min(1, 0.25 + look.opacity) : 1;
    rows[row + 20] = part;
  }

  /** Hand the instances to the graphics card. */
  finish(edges: boolean, cell: number, time: { left: number }): void {
    const any = this.count > 0;
    this.front.visible = any;
    this.back.visible = any && this.back.userData.used === true;
    if (this.edges) this.edges.visible = any && edges;
    if (!any) return;
    const index = this.shape.triangles(this.size, cell, time);
    if (this.faces.index !== index) this.faces.setIndex(index);
    this.faces.instanceCount = this.count;
    if (this.lines) this.lines.instanceCount = this.count;
    this.buffer.clearUpdateRanges();
    this.buffer.addUpdateRange(0, ROW * this.count);
    this.buffer.needsUpdate = true;
  }

  dispose(): void {
    this.faces.dispose();
    this.lines?.dispose();
  }
}
