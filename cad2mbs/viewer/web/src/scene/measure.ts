// Measuring between two picked things, in closed form. A pick snaps to what its face is: a plane,
// the axis of a round face, the centre of a ball; else it is the point itself.

import type { Units, Vec3 } from "../protocol";
import type { Feature } from "./geometry";
import { cross, dot, length, minus, plus, unit } from "./vec";

export type Element =
  | { kind: "point"; p: Vec3 }
  | { kind: "plane"; p: Vec3; d: Vec3 } // d: normal
  | { kind: "axis"; p: Vec3; d: Vec3 };

export interface Amount {
  label: string;
  value: number; // [mm], [rad]
  of: "length" | "angle";
}

export interface Measure {
  amounts: Amount[];
  line: [Vec3, Vec3] | null; // between the places that the distance is between
}

const PARALLEL = 1e-6; // sine of the angle below which directions are the same

/** What a pick at a point of a face means; both in the part. */
export function elementOf(feature: Feature | null, point: Vec3): Element {
  switch (feature?.kind) {
    case "plane": {
      const off = dot(minus(point, feature.origin), feature.z);
      return { kind: "plane", p: plus(point, feature.z, -off), d: feature.z };
    }
    case "cylinder":
    case "cone":
    case "torus":
      return { kind: "axis", p: feature.origin, d: feature.z };
    case "sphere":
      return { kind: "point", p: feature.origin };
    default:
      return { kind: "point", p: point };
  }
}

/** Where a pick is shown: the point for a plane, the foot on the axis, the centre. */
export function anchorOf(element: Element, point: Vec3): Vec3 {
  if (element.kind !== "axis") return element.p;
  return plus(element.p, element.d, dot(minus(point, element.p), element.d));
}

/** The sizes that a single pick shows by itself. */
export function sizesOf(feature: Feature | null): Amount[] {
  const round = (label: string, value: number): Amount => ({ label, value, of: "length" });
  switch (feature?.kind) {
    case "cylinder":
    case "sphere":
      return [round("radius", feature.radius), round("diameter", 2 * feature.radius)];
    case "cone":
      return [{ label: "cone angle", value: 2 * feature.half_angle, of: "angle" }];
    case "torus":
      return [round("radius", feature.radius), round("tube radius", feature.minor)];
    default:
      return [];
  }
}

/** Distance and angle between two elements in the world. */
export function between(a: Element, b: Element): Measure {
  if (a.kind === "point") return fromPoint(a.p, b);
  if (b.kind === "point") {
    const { amounts, line } = fromPoint(b.p, a);
    return { amounts, line: line && [line[1], line[0]] };
  }
  const sine = length(cross(a.d, b.d));
  const cosine = Math.abs(dot(a.d, b.d));
  if (a.kind === "axis" && b.kind === "axis") return betweenAxes(a.p, a.d, b.p, b.d);
  if (a.kind === "plane" && b.kind === "plane") {
    if (sine < PARALLEL) return toPlane(a.p, b.p, b.d);
    return { amounts: [angle(Math.atan2(sine, cosine))], line: null };
  }
  const [axis, plane] = a.kind === "axis" ? [a, b] : [b, a];
  if (cosine > PARALLEL) {
    return { amounts: [angle(Math.atan2(cosine, sine))], line: null };
  }
  const { amounts, line } = toPlane(axis.p, plane.p, plane.d);
  return { amounts, line: a.kind === "axis" ? line : [line[1], line[0]] };
}

function fromPoint(p: Vec3, b: Element): Measure {
  if (b.kind === "plane") return toPlane(p, b.p, b.d);
  const foot = b.kind === "axis" ? plus(b.p, b.d, dot(minus(p, b.p), b.d)) : b.p;
  const step = minus(foot, p);
  const amounts = [distance(length(step))];
  if (b.kind === "point") {
    "xyz".split("").forEach((name, k) => {
      amounts.push({ label: `along ${name}`, value: step[k], of: "length" });
    });
  }
  return { amounts, line: [p, foot] };
}

function toPlane(p: Vec3, on: Vec3, normal: Vec3): { amounts: Amount[]; line: [Vec3, Vec3] } {
  const off = dot(minus(p, on), normal);
  return { amounts: [distance(Math.abs(off))], line: [p, plus(p, normal, -off)] };
}

function betweenAxes(p: Vec3, d: Vec3, q: Vec3, e: Vec3): Measure {
  const normal = cross(d, e);
  const sine = length(normal);
  const gap = minus(q, p);
  if (sine < PARALLEL) {
    const foot = plus(q, e, -dot(gap, e));
    return { amounts: [distance(length(minus(foot, p))), angle(0)], line: [p, foot] };
  }
  const n = unit(normal);
  const s = dot(cross(gap, e), normal) / (sine * sine);
  const t = dot(cross(gap, d), normal) / (sine * sine);
  const turned = angle(Math.atan2(sine, Math.abs(dot(d, e))));
  return {
    amounts: [distance(Math.abs(dot(gap, n))), turned],
    line: [plus(p, d, s), plus(q, e, t)],
  };
}

const distance = (value: number): Amount => ({ label: "distance", value, of: "length" });
const angle = (value: number): Amount => ({ label: "angle", value, of: "angle" });

/** An amount as text in the user's units. */
export function shown(amount: Amount, units: Units): string {
  const inDegrees = units.angle.startsWith("deg");
  const value =
    amount.of === "length"
      ? amount.value / units.mm
      : amount.value * (inDegrees ? 180 / Math.PI : 1);
  const rounded = Number(value.toPrecision(6));
  const text = Math.abs(rounded) < 1e-9 ? "0" : String(rounded);
  return `${text} ${amount.of === "length" ? units.length : units.angle}`;
}

/** What was picked, in words. */
export function describe(feature: Feature | null, part: string, units: Units): string {
  const size = (r: number) => `R ${Number((r / units.mm).toPrecision(5))}`;
  switch (feature?.kind) {
    case "plane":
      return `plane of ${part}`;
    case "cylinder":
      return `${feature.concave ? "hole" : "pin"} ${size(feature.radius)} of ${part}`;
    case "sphere":
      return `${feature.concave ? "socket" : "ball"} ${size(feature.radius)} of ${part}`;
    case "cone":
      return `cone of ${part}`;
    case "torus":
      return `ring ${size(feature.radius)} of ${part}`;
    default:
      return `point on ${part}`;
  }
}
