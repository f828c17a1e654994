// What is settled at the first pose of an assembly and kept while it moves: its box, and how far
// each body goes in the exploded view.

import type { Scene, Vec3 } from "../protocol";
import type { Bodies } from "./bodies";
import { explodeOffsets } from "./explode";
import type { Shape } from "./geometry";
import { jointBodies } from "./highlight";
import { placeOf } from "./symbols";
import { boxOf, minus, plus } from "./vec";

export interface Home {
  source: string;
  parts: number;
  box: [Vec3, Vec3]; // of the parts at the first pose
  offsets: Vec3[]; // of the bodies, fully exploded
}

/** Taken where there is nothing to see. */
export const NOTHING: [Vec3, Vec3] = [[-50, -50, 0], [50, 50, 50]];

/** Take the measure of an assembly as it stands now. */
export function homeOf(bodies: Bodies): Home {
  const { source, parts } = bodies.scene;
  bodies.offsets.fill([0, 0, 0]);
  bodies.place();
  const box = boxOf(bodies.pointsOf(parts.keys())) ?? NOTHING;
  return { source, parts: parts.length, box, offsets: offsetsOf(bodies) };
}

export function isHomeOf(home: Home | null, { source, parts }: Scene): boolean {
  return home?.source === source && home.parts === parts.length;
}

/** Thickness of the bars of stick figures: by the largest part. */
export function barOf(scene: Scene, shapes: Shape[]): number {
  const sticks = scene.parts.map((part) => boxOf(part.points));
  const boxes = [...shapes.map((shape) => shape.box), ...sticks];
  const sizes = boxes.map((box) => (box ? Math.hypot(...minus(box[1], box[0])) : 0));
  return 0.012 * sizes.reduce((a, b) => Math.max(a, b), 0) || 1;
}

function offsetsOf(bodies: Bodies): Vec3[] {
  const { scene } = bodies;
  const centres = scene.bodies.map(({ parts }) => {
    const box = boxOf(bodies.pointsOf(parts));
    return box && (plus(box[0], minus(box[1], box[0]), 0.5) as Vec3);
  });
  const axes = scene.bodies.map((): Vec3 | null => null);
  for (const joint of scene.joints) {
    if (joint.kind === "spherical") continue;
    for (const body of jointBodies(scene, joint)) axes[body] ??= placeOf(joint, bodies).z;
  }
  return explodeOffsets(centres, axes, scene.bodies.map((body) => body.grounded));
}
