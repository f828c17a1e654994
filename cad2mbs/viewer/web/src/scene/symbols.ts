// Symbols of the joints: axis and arc arrow, double arrow, ball and so on; of nearly constant size
// on the screen and drawn over the parts, so that they can be seen inside a housing.

import type { Object3D } from "three";
import { Matrix4, Vector3 } from "three";
import type { Joint, Vec3 } from "../protocol";
import type { Bodies } from "./bodies";
import { type Rgb, SELECTED } from "./highlight";
import { FatLines } from "./lines";
import type { Stage } from "./stage";
import { across, cross, dot, length, minus, plus, unit } from "./vec";

const SIZE = 34; // [px] half the length of an axis
const LARGEST = 0.22; // of the assembly's radius, seen from afar
const TREE: [Rgb, Rgb] = [[0.05, 0.42, 0.45], [0.35, 0.85, 0.85]]; // light and dark
const CLOSING: [Rgb, Rgb] = [[0.78, 0.38, 0.0], [1.0, 0.68, 0.3]];

type Line = Vec3[];

const axis: Line[] = [[[0, 0, -1], [0, 0, 1]]];

function arc(radius: number, from: number, to: number, z = 0): Line {
  const steps = Math.max(6, Math.round(Math.abs(to - from) / 0.3));
  return Array.from({ length: steps + 1 }, (_, k) => {
    const angle = from + ((to - from) * k) / steps;
    return [radius * Math.cos(angle), radius * Math.sin(angle), z];
  });
}

/** Head of an arrow at `tip`, pointing along `d`, spread along `side`. */
function head(tip: Vec3, d: Vec3, side: Vec3, size = 0.2): Line {
  const foot = plus(tip, d, -size);
  return [plus(foot, side, 0.6 * size), tip, plus(foot, side, -0.6 * size)];
}

function turning(): Line[] {
  const end = 1.55 * Math.PI;
  const tip: Vec3 = [0.5 * Math.cos(end), 0.5 * Math.sin(end), 0];
  const along: Vec3 = [-Math.sin(end), Math.cos(end), 0];
  return [arc(0.5, 0, end), head(tip, along, unit(tip))];
}

const sliding: Line[] = [
  head([0, 0, 1], [0, 0, 1], [1, 0, 0]),
  head([0, 0, -1], [0, 0, -1], [1, 0, 0]),
  head([0, 0, 1], [0, 0, 1], [0, 1, 0]),
  head([0, 0, -1], [0, 0, -1], [0, 1, 0]),
];

const ball: Line[] = [0, 1, 2].map((turn) =>
  arc(0.38, 0, 2 * Math.PI).map((p): Vec3 => [p[turn % 3], p[(turn + 1) % 3], p[(turn + 2) % 3]]),
);

const square: Line[] = [
  [[-0.6, -0.6, 0], [0.6, -0.6, 0], [0.6, 0.6, 0], [-0.6, 0.6, 0], [-0.6, -0.6, 0]],
  [[0, 0, 0], [0, 0, 0.5]],
];

const helix: Line = Array.from({ length: 49 }, (_, k) => {
  const angle = (6 * Math.PI * k) / 48;
  return [0.28 * Math.cos(angle), 0.28 * Math.sin(angle), -0.6 + (1.2 * k) / 48];
});

const spread: Line[] = [[1, 0, 0], [0, 1, 0], [0, 0, 1]].flatMap((d): Line[] => {
  const v = d as Vec3;
  const side = across(v)[0];
  const tip = v.map((x) => 0.8 * x) as Vec3;
  const tail = v.map((x) => -0.8 * x) as Vec3;
  return [[tail, tip], head(tip, v, side), head(tail, v.map((x) => -x) as Vec3, side)];
});

const revolute: Line[] = [...axis, ...turning()];

const LINES: Record<string, Line[]> = {
  fixed: [],
  free: [],
  revolute,
  prismatic: [...axis, ...sliding],
  cylindrical: [...revolute, ...sliding],
  screw: [...axis, helix, sliding[0], sliding[2]],
  spherical: ball,
  planar: square,
  universal: [...axis, [[-1, 0, 0], [1, 0, 0]], arc(0.3, 0, 2 * Math.PI)],
  translation: spread,
  "translation in a plane": square,
  "pin in slot": revolute,
  "point on line": ball,
  "point on cylinder": ball,
  "point on plane": ball,
  rod: ball,
};

/** Lines of a joint's symbol, about its origin, axis along z, one unit to each side. */
export function symbolOf(kind: string): Line[] {
  if (Object.hasOwn(LINES, kind)) return LINES[kind];
  const pair = kind.split("/").filter((name) => Object.hasOwn(LINES, name)); // of a chain of two
  return pair.length ? pair.flatMap((name) => LINES[name]) : axis;
}

export interface SymbolLook {
  shown: boolean; // false: only that of the joint selected
  selected: number; // joint, -1: none
  dark: boolean;
}

export class Symbols {
  private readonly lines: FatLines;
  private readonly strong: FatLines;

  constructor(parent: Object3D) {
    this.lines = new FatLines(parent, { width: 1.7, onTop: true, opacity: 0.92 });
    this.strong = new FatLines(parent, { width: 3, onTop: true });
  }

  /** Place the symbols for this view. */
  update(bodies: Bodies, stage: Stage, look: SymbolLook): void {
    const { shown, selected, dark } = look;
    this.lines.clear();
    this.strong.clear();
    bodies.scene.joints.forEach((joint, row) => {
      if (!shown && row !== selected) return;
      const placed = placeOf(joint, bodies);
      const size = Math.min(SIZE * stage.pixelAt(placed.origin), LARGEST * stage.radius);
      const ink = (joint.role === "tree" ? TREE : CLOSING)[dark ? 1 : 0];
      const to = row === selected ? this.strong : this.lines;
      const rgb = row === selected ? SELECTED : ink;
      const scale = row === selected ? 1.35 * size : size;
      for (const line of symbolOf(joint.kind)) {
        const points = line.map((p) => put(p, placed, scale));
        for (let k = 0; k + 1 < points.length; k++) to.add(points[k], points[k + 1], rgb);
      }
    });
    this.lines.finish();
    this.strong.finish();
  }

  dispose(): void {
    this.lines.dispose();
    this.strong.dispose();
  }
}

interface Frame {
  origin: Vec3;
  x: Vec3;
  y: Vec3;
  z: Vec3;
}

/** Frame of a joint in the world, as drawn. */
export function placeOf(joint: Joint, bodies: Bodies): Frame {
  const { body, origin, x, z } = joint.place;
  const world = new Matrix4().copy(bodies.matrices[body] ?? new Matrix4());
  const turned = (v: Vec3) => new Vector3(...v).transformDirection(world).toArray() as Vec3;
  const at = new Vector3(...origin).applyMatrix4(world).toArray() as Vec3;
  const [wz, wx] = [turned(z), turned(x)];
  return { origin: plus(at, bodies.offsets[body] ?? [0, 0, 0]), x: wx, y: cross(wz, wx), z: wz };
}

function put(p: Vec3, frame: Frame, scale: number): Vec3 {
  const { origin, x, y, z } = frame;
  return plus(plus(plus(origin, x, scale * p[0]), y, scale * p[1]), z, scale * p[2]);
}

/** The joint whose symbol is under a place of the view [px]; -1: none. */
export function symbolAt(x: number, y: number, bodies: Bodies, stage: Stage): number {
  let [found, nearest] = [-1, 8];
  bodies.scene.joints.forEach((joint, row) => {
    if (!symbolOf(joint.kind).length) return;
    const frame = placeOf(joint, bodies);
    const size = Math.min(SIZE * stage.pixelAt(frame.origin), LARGEST * stage.radius);
    const [a, b] = [-0.9, 0.9].map((s): Vec3 => {
      const [across, down] = stage.project(put([0, 0, s], frame, size));
      return [across, down, 0];
    });
    const away = distanceToSegment([x, y, 0], a, b);
    if (away < nearest) [found, nearest] = [row, away];
  });
  return found;
}

function distanceToSegment(p: Vec3, a: Vec3, b: Vec3): number {
  const d = minus(b, a);
  const at = Math.min(1, Math.max(0, dot(minus(p, a), d) / Math.max(dot(d, d), 1e-9)));
  return length(minus(p, plus(a, d, at)));
}
