// Everything the page knows, as signals. Panels and the 3-D view never call each other: both read
// and write here, and `link` (live) or `recording` (one-file page) feeds it.

import { signal } from "@preact/signals";
import type {
  Curves,
  Files,
  GalleryItem,
  PageMessage,
  PoseMessage,
  Reach,
  Scene,
  Status,
  Trace,
  Vec3,
  Verdict,
} from "./protocol";

/** How the page talks to whatever computes poses; a recording answers the few it can. */
export interface Source {
  live: boolean;
  send(message: PageMessage): void;
}

export const source = signal<Source | null>(null);
export const connected = signal(false);
export const folder = signal(""); // that the server shows files of
export const maxUpload = signal(0); // bytes
export const busy = signal<string | null>(null);

export const scene = signal<Scene | null>(null);
export const geometry = signal<ArrayBuffer | null>(null); // the blob that scene.geometry names
export const pose = signal<PoseMessage | null>(null); // the newest; a new object each time
export const status = signal<Status | null>(null);
export const notices = signal<{ id: number; level: "info" | "error"; text: string }[]>([]);
/** Of the mates, by name; they come after the scene and leave what is drawn as it is. */
export const verdicts = signal<Readonly<Record<string, { verdict: Verdict; gap: string }>>>({});
export const conflict = signal<readonly string[]>([]); // mates that contradict each other
export const reach = signal<Record<string, Reach>>({});
export const curves = signal<Curves | null>(null);
export const traces = signal<Record<number, Trace>>({});
export const clashes = signal<[number, number][]>([]);
export const gallery = signal<GalleryItem[] | null>(null);
export const files = signal<Files | null>(null);

// ---- what the user looks at and does ----

export type Thing =
  | { kind: "part"; part: number }
  | { kind: "body"; body: number }
  | { kind: "joint"; joint: number }
  | { kind: "mate"; mate: number };

export const selection = signal<Thing | null>(null);
export const hovered = signal<Thing | null>(null);
export const hidden = signal<ReadonlySet<number>>(new Set()); // parts
export const glass = signal<ReadonlySet<number>>(new Set()); // parts
export const isolated = signal<ReadonlySet<number> | null>(null); // only these parts are shown
export const colours = signal<Readonly<Record<number, string>>>({}); // part -> #rrggbb, where changed

export type Tool = "move" | "measure" | "trace";
export const tool = signal<Tool>("move");
export const activeDrive = signal<string | null>(null);
export const playing = signal(false);

export interface Looks {
  edges: boolean;
  grid: boolean;
  symbols: boolean; // joint axes and arrows
  orthographic: boolean;
  dark: boolean;
  explode: number; // 0 to 1
  section: { on: boolean; axis: "x" | "y" | "z"; at: number; flip: boolean }; // at: 0 to 1 of the box
  clash: boolean;
}

export const looks = signal<Looks>({
  edges: true,
  grid: true,
  symbols: false,
  orthographic: false,
  dark: globalThis.matchMedia?.("(prefers-color-scheme: dark)").matches ?? false,
  explode: 0,
  section: { on: false, axis: "x", at: 0.5, flip: false },
  clash: false,
});

export type ViewName = "iso" | "front" | "back" | "left" | "right" | "top" | "bottom" | "fit";
/** Set to turn the camera; the 3-D view puts it back to null. */
export const wantedView = signal<ViewName | null>(null);

/** One picked place on a part, as measuring shows it. */
export interface Picked {
  part: number;
  point: Vec3; // mm, in the part
  label: string; // "plane of rod_1", "hole R 7 of rod_1"
}
export const picked = signal<Picked[]>([]);
export const measured = signal<{ label: string; value: string }[]>([]);

export function change<T extends object>(at: { value: T }, changes: Partial<T>): void {
  at.value = { ...at.value, ...changes };
}

let noticeNumber = 0;
export function notice(text: string, level: "info" | "error" = "info"): void {
  const id = ++noticeNumber;
  notices.value = [...notices.value, { id, level, text }];
}

export function send(message: PageMessage): void {
  source.value?.send(message);
}
