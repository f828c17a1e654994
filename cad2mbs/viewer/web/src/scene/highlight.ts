// How each part looks: shown or not, its colour with the tint of what is selected, pointed at or in
// a clash, its opacity, the colour of its edges. Pure: the same signals give the same looks.

import type { Joint, Scene } from "../protocol";
import type { Thing } from "../state";

export type Rgb = [number, number, number]; // 0 to 1, sRGB

export interface PartLook {
  shown: boolean;
  rgb: Rgb;
  opacity: number; // below 1: drawn as glass
  line: Rgb; // of its edges
  selected: boolean;
}

export interface Wishes {
  selection: Thing | null;
  hovered: Thing | null;
  hidden: ReadonlySet<number>;
  glass: ReadonlySet<number>;
  isolated: ReadonlySet<number> | null;
  colours: Readonly<Record<number, string>>;
  clashes: [number, number][];
  dark: boolean; // backdrop
}

export const SELECTED: Rgb = [0.13, 0.5, 0.96];
export const CLASH: Rgb = [0.9, 0.16, 0.16];
const WHITE: Rgb = [1, 1, 1];
const GLASS = 0.25;

/** The look of every part of the scene. */
export function partLooks(scene: Scene, wishes: Wishes): PartLook[] {
  const selected = partsOf(scene, wishes.selection);
  const hovered = partsOf(scene, wishes.hovered);
  // A joint or mate is between parts: these are shown lightly, the thing itself is not a part.
  const strength = wishes.selection?.kind === "joint" ? 0.3 : 0.55;
  const clashing = new Set(wishes.clashes.flat());
  return scene.parts.map((part, row) => {
    let rgb = parsed(wishes.colours[row]) ?? (part.colour.slice(0, 3) as Rgb);
    const opacity = wishes.glass.has(row) ? GLASS : Math.min(1, part.colour[3]);
    const isSelected = selected.has(row);
    let line = opacity < 1 && wishes.dark ? mixed(rgb, WHITE, 0.5) : edgeColour(rgb);
    if (clashing.has(row)) rgb = mixed(rgb, CLASH, 0.65);
    if (isSelected) [rgb, line] = [mixed(rgb, SELECTED, strength), SELECTED];
    if (hovered.has(row)) rgb = mixed(mixed(rgb, SELECTED, 0.12), WHITE, 0.14);
    return {
      shown: !wishes.hidden.has(row) && (wishes.isolated?.has(row) ?? true),
      rgb,
      opacity: opacity > 0.995 ? 1 : Math.max(opacity, 0.08),
      line,
      selected: isSelected && wishes.selection?.kind !== "joint",
    };
  });
}

/** The parts that a thing stands for. */
export function partsOf(scene: Scene, thing: Thing | null): Set<number> {
  if (!thing) return new Set();
  if (thing.kind === "part") return new Set([thing.part]);
  if (thing.kind === "body") return new Set(scene.bodies[thing.body]?.parts);
  if (thing.kind === "joint") {
    const joint = scene.joints[thing.joint];
    return new Set(joint ? jointBodies(scene, joint).flatMap((b) => scene.bodies[b].parts) : []);
  }
  const mate = scene.mates[thing.mate];
  return new Set(mate ? [mate.a, mate.b].map((r) => partOfReference(scene, r)) : []);
}

/** Rows of the bodies that a joint joins. */
export function jointBodies(scene: Scene, joint: Joint): number[] {
  return joint.bodies.map((name) => scene.bodies.findIndex((body) => body.name === name));
}

/** The part that a reference such as 'rod_1/big_end' lies on; the longest name that fits. */
function partOfReference(scene: Scene, reference: string): number {
  let found = -1;
  scene.parts.forEach((part, row) => {
    const fits = reference === part.name || reference.startsWith(`${part.name}/`);
    if (fits && part.name.length > (scene.parts[found]?.name.length ?? -1)) found = row;
  });
  return found;
}

/** Dark lines on light parts; light ones on parts so dark that dark lines would not show. */
export function edgeColour(rgb: Rgb): Rgb {
  const light = 0.3 * rgb[0] + 0.59 * rgb[1] + 0.11 * rgb[2];
  return light < 0.22 ? mixed(rgb, WHITE, 0.4) : mixed(rgb, [0.04, 0.05, 0.07], 0.78);
}

export function mixed(a: Rgb, b: Rgb, share: number): Rgb {
  return a.map((v, k) => v + (b[k] - v) * share) as Rgb;
}

function parsed(hex: string | undefined): Rgb | null {
  const match = /^#([0-9a-f]{6})$/i.exec(hex ?? "");
  if (!match) return null;
  const number = parseInt(match[1], 16);
  return [(number >> 16) / 255, ((number >> 8) & 255) / 255, (number & 255) / 255];
}
