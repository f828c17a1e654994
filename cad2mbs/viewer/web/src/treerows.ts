// The rows of the tree and what its keys do; the panel draws them.

import type { Scene } from "./protocol";
import type { Thing } from "./state";

export interface Row {
  kind: "body" | "part";
  body: number;
  part: number; // -1 for a body
  level: 1 | 2;
  open: boolean | null; // null: nothing to unfold
  position: number; // among its siblings, from 1
  siblings: number;
}

/** Rows from top to bottom. A body of a single part is one row: that part. */
export function treeRows(scene: Scene, folded: ReadonlySet<number>, filter: string): Row[] {
  const wanted = filter.trim().toLowerCase();
  const fits = (name: string) => !wanted || name.toLowerCase().includes(wanted);
  const groups: { body: number; parts: number[] }[] = [];
  scene.bodies.forEach((body, k) => {
    const parts = fits(body.name)
      ? body.parts
      : body.parts.filter((p) => fits(scene.parts[p].name));
    if (parts.length || fits(body.name)) groups.push({ body: k, parts });
  });
  const rows: Row[] = [];
  groups.forEach(({ body, parts }, at) => {
    const place = { body, position: at + 1, siblings: groups.length };
    if (scene.bodies[body].parts.length === 1) {
      rows.push({ kind: "part", part: parts[0], level: 1, open: null, ...place });
      return;
    }
    const open = parts.length ? !folded.has(body) || wanted !== "" : null;
    rows.push({ kind: "body", part: -1, level: 1, open, ...place });
    if (!open) return;
    parts.forEach((part, k) => {
      const position = k + 1;
      rows.push({ kind: "part", body, part, level: 2, open: null, position, siblings: parts.length });
    });
  });
  return rows;
}

export function thingOf(row: Row): Thing {
  return row.kind === "part" ? { kind: "part", part: row.part } : { kind: "body", body: row.body };
}

/** Row of a thing, -1 where it is folded away or filtered out. */
export function rowOf(rows: readonly Row[], thing: Thing | null): number {
  if (thing?.kind === "part") return rows.findIndex((r) => r.part === thing.part);
  if (thing?.kind !== "body") return -1;
  return rows.findIndex((r) => r.body === thing.body);
}

export type TreeAction =
  | { do: "go"; row: number }
  | { do: "fold"; body: number; away: boolean }
  | { do: "select" | "toggle" | "isolate" | "glass"; row: number };

const PAGE = 10;

/** What a key does in the tree, null where it does nothing. */
export function treeKey(rows: readonly Row[], current: number, key: string): TreeAction | null {
  const last = rows.length - 1;
  if (last < 0) return null;
  const row = rows[Math.min(Math.max(current, 0), last)];
  const go = (to: number): TreeAction => ({ do: "go", row: Math.min(last, Math.max(0, to)) });
  switch (key) {
    case "ArrowDown":
      return go(current + 1);
    case "ArrowUp":
      return go(current - 1);
    case "PageDown":
      return go(current + PAGE);
    case "PageUp":
      return go(current - PAGE);
    case "Home":
      return go(0);
    case "End":
      return go(last);
    case "ArrowRight":
      if (row.open === false) return { do: "fold", body: row.body, away: false };
      return row.open ? go(current + 1) : null;
    case "ArrowLeft":
      if (row.open) return { do: "fold", body: row.body, away: true };
      return row.level === 2 ? go(rows.findIndex((r) => r.body === row.body)) : null;
    case "Enter":
      return { do: "select", row: current };
    case " ":
      return { do: "toggle", row: current };
    case "i":
      return { do: "isolate", row: current };
    case "g":
      return { do: "glass", row: current };
    default:
      return null;
  }
}
