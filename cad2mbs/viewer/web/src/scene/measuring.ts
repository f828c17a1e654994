// The measuring tool: remembers what was picked, follows the parts while they move, and draws the
// line of the distance with a dot at each end.

import { Matrix4, type Object3D, Vector3 } from "three";
import type { Vec3 } from "../protocol";
import { measured, type Picked, picked } from "../state";
import type { Bodies } from "./bodies";
import { type Feature, featureOfFace } from "./geometry";
import type { Rgb } from "./highlight";
import { Dots, FatLines } from "./lines";
import {
  anchorOf,
  between,
  describe,
  type Element,
  elementOf,
  type Measure,
  shown,
  sizesOf,
} from "./measure";
import type { Hit } from "./picking";
import { plus } from "./vec";

const INK: Rgb = [0.82, 0.12, 0.5];

interface Known {
  feature: Feature | null;
  element: Element; // in the part
  anchor: Vec3; // in the part
}

export class Measuring {
  private readonly line: FatLines;
  private readonly dots: Dots;
  private readonly known = new WeakMap<Picked, Known>(); // others may drop picks from the list

  constructor(parent: Object3D) {
    this.line = new FatLines(parent, { width: 2, onTop: true });
    this.dots = new Dots(parent, 9);
  }

  /** Pick one thing more; a third begins anew. */
  pick(hit: Hit, bodies: Bodies): void {
    const { scene } = bodies;
    const inside = bodies.worldOf(hit.part, true).invert();
    const point = new Vector3(...hit.point).applyMatrix4(inside).toArray() as Vec3;
    const shape = bodies.shapeOf(hit.part);
    const feature = shape && hit.face >= 0 ? featureOfFace(shape, hit.face) : null;
    const element = elementOf(feature, point);
    const anchor = anchorOf(element, point);
    const label = describe(feature, scene.parts[hit.part].name, scene.units);
    const pick: Picked = { part: hit.part, point: anchor, label };
    this.known.set(pick, { feature, element, anchor });
    picked.value = picked.value.length >= 2 ? [pick] : [...picked.value, pick];
  }

  /** Measure at the present pose, and draw. */
  update(bodies: Bodies): void {
    this.line.clear();
    this.dots.clear();
    const { parts } = bodies.scene;
    const picks = picked.value.filter((pick) => this.known.has(pick) && pick.part in parts);
    const rows: { label: string; value: string }[] = [];
    const { units } = bodies.scene;
    for (const pick of picks) {
      const { anchor, feature } = this.known.get(pick)!;
      this.dots.add(moved(anchor, bodies.worldOf(pick.part, true)), INK);
      if (picks.length > 1) continue;
      for (const amount of sizesOf(feature)) {
        rows.push({ label: amount.label, value: shown(amount, units) });
      }
    }
    if (picks.length === 2) {
      const measure = this.between(picks, bodies);
      for (const amount of measure.amounts) {
        rows.push({ label: amount.label, value: shown(amount, units) });
      }
      this.draw(measure, picks, bodies);
    }
    this.line.finish();
    this.dots.finish();
    if (JSON.stringify(rows) !== JSON.stringify(measured.peek())) measured.value = rows;
  }

  private between(picks: Picked[], bodies: Bodies): Measure {
    const [a, b] = picks.map((pick) =>
      placed(this.known.get(pick)!.element, bodies.worldOf(pick.part, false)),
    );
    return between(a, b);
  }

  /** True distances, drawn where the parts are drawn: an exploded view shifts each end. */
  private draw(measure: Measure, picks: Picked[], bodies: Bodies): void {
    if (!measure.line) return;
    const ends = measure.line.map((end, k) => {
      const { body } = bodies.scene.parts[picks[k].part];
      return plus(end, bodies.offsets[body]);
    });
    this.line.add(ends[0], ends[1], INK);
    for (const [k, end] of ends.entries()) {
      const anchor = moved(this.known.get(picks[k])!.anchor, bodies.worldOf(picks[k].part, true));
      this.line.add(anchor, end, INK);
      this.dots.add(end, INK);
    }
  }

  dispose(): void {
    this.line.dispose();
    this.dots.dispose();
  }
}

function moved(point: Vec3, world: Matrix4): Vec3 {
  return new Vector3(...point).applyMatrix4(world).toArray() as Vec3;
}

function placed(element: Element, world: Matrix4): Element {
  const p = moved(element.p, world);
  if (element.kind === "point") return { kind: "point", p };
  const d = new Vector3(...element.d).transformDirection(world).toArray() as Vec3;
  return { kind: element.kind, p, d };
}
