// Direct manipulation: a grabbed point of a part is pulled towards the cursor, in the plane through
// it that is parallel to the screen. The server finds the nearest pose that the mechanism can take.

import { type Object3D, Vector3 } from "three";
import type { Vec3 } from "../protocol";
import { send, source } from "../state";
import type { Bodies } from "./bodies";
import { type Rgb, SELECTED } from "./highlight";
import { Dots, FatLines } from "./lines";
import type { Hit } from "./picking";
import type { Stage } from "./stage";
import { minus } from "./vec";

const INK: Rgb = SELECTED;

interface Grab {
  part: number;
  point: Vec3; // in the part
  start: Vec3; // in the world, as drawn
  target: Vec3; // the cursor, in the world
}

export class Dragging {
  private grab: Grab | null = null;
  private readonly line: FatLines;
  private readonly dots: Dots;

  constructor(parent: Object3D, private readonly stage: Stage) {
    this.line = new FatLines(parent, { width: 2.4, onTop: true });
    this.dots = new Dots(parent, 9);
  }

  /** Whether a part can be pulled at all. */
  static can(part: number, bodies: Bodies): boolean {
    const body = bodies.scene.bodies[bodies.scene.parts[part]?.body];
    return (source.value?.live ?? false) && body !== undefined && !body.grounded;
  }

  get active(): boolean {
    return this.grab !== null;
  }

  start(hit: Hit, bodies: Bodies): void {
    const inside = bodies.worldOf(hit.part, true).invert();
    const point = new Vector3(...hit.point).applyMatrix4(inside).toArray() as Vec3;
    this.grab = { part: hit.part, point, start: hit.point, target: hit.point };
  }

  /** The cursor is here now [px]. The link sends the newest wish only, one at a time. */
  move(x: number, y: number, bodies: Bodies): void {
    if (!this.grab) return;
    this.grab.target = this.stage.unproject(x, y, this.grab.start);
    this.ask(this.grab.target, bodies);
    this.stage.changed();
  }

  private ask(drawn: Vec3, bodies: Bodies): void {
    const { part, point } = this.grab!;
    const target = minus(drawn, bodies.offsets[bodies.scene.parts[part].body]);
    send({ type: "drag", seq: 0, part, point, target });
  }

  end(): void {
    if (!this.grab) return;
    this.grab = null;
    send({ type: "drop" });
    this.stage.changed();
  }

  /** Let go, and have the point back where it was. */
  cancel(bodies: Bodies): void {
    if (!this.grab) return;
    this.ask(this.grab.start, bodies);
    this.end();
  }

  /** Forget the grab without a word: the scene is another. */
  forget(): void {
    this.grab = null;
  }

  /** The rubber line from the grabbed point to the cursor. */
  update(bodies: Bodies): void {
    this.line.clear();
    this.dots.clear();
    if (this.grab) {
      const { part, point, target } = this.grab;
      const now = new Vector3(...point).applyMatrix4(bodies.worldOf(part, true));
      const at = now.toArray() as Vec3;
      this.line.add(at, target, INK);
      this.dots.add(at, INK);
      this.dots.add(target, INK);
    }
    this.line.finish();
    this.dots.finish();
  }

  dispose(): void {
    this.line.dispose();
    this.dots.dispose();
  }
}
