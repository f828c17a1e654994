// Hiding, isolating, glass and colour of parts.

import type { Scene } from "./protocol";
import { colours, glass, hidden, isolated, scene, type Thing } from "./state";

/** The parts that a thing stands for. */
export function partsOf(thing: Thing | null, from: Scene | null = scene.value): number[] {
  if (!thing || !from) return [];
  if (thing.kind === "part") return [thing.part];
  if (thing.kind === "body") return from.bodies[thing.body]?.parts ?? [];
  return [];
}

function toggled(set: ReadonlySet<number>, parts: readonly number[]): ReadonlySet<number> {
  const next = new Set(set);
  const all = parts.every((p) => set.has(p));
  for (const part of parts) {
    if (all) next.delete(part);
    else next.add(part);
  }
  return next;
}

export function toggleHidden(parts: readonly number[]): void {
  hidden.value = toggled(hidden.value, parts);
}

export function toggleGlass(parts: readonly number[]): void {
  glass.value = toggled(glass.value, parts);
}

/** Only these parts; asked again for the same ones: all parts. */
export function toggleIsolated(parts: readonly number[]): void {
  isolated.value = isIsolated(parts) ? null : new Set(parts);
}

export function isIsolated(parts: readonly number[]): boolean {
  const now = isolated.value;
  return now !== null && now.size === parts.length && parts.every((p) => now.has(p));
}

export function showAll(): void {
  hidden.value = new Set();
  isolated.value = null;
}

export function isHidden(part: number): boolean {
  return hidden.value.has(part) || (isolated.value !== null && !isolated.value.has(part));
}

/** #rrggbb of a part: the one chosen on the page, else the model's. */
export function colourOf(part: number, from: Scene): string {
  const own = colours.value[part];
  if (own) return own;
  const byte = (c: number) => Math.round(255 * Math.min(1, Math.max(0, c)));
  const [r, g, b] = from.parts[part].colour;
  return `#${[r, g, b].map((c) => byte(c).toString(16).padStart(2, "0")).join("")}`;
}

export function paint(parts: readonly number[], colour: string): void {
  colours.value = { ...colours.value, ...Object.fromEntries(parts.map((p) => [p, colour])) };
}
