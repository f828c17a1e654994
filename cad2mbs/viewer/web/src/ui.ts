// What only the page around the 3-D view needs to know: dialogs, widths, tabs, what is remembered.

import { computed, effect, signal } from "@preact/signals";
import { looks, notices, pose, scene, source } from "./state";
import type { Drive } from "./protocol";

export type DialogName = "open" | "save" | "help";
export const dialog = signal<DialogName | null>(null);

export type LeftTab = "parts" | "joints" | "mates";
export const leftTab = signal<LeftTab>("parts");

/** When the connection is tried again [ms of performance.now], null while it stands. */
export const retryAt = signal<number | null>(null);
/** True while the newest drive value is on its way: the sliders stay where the hand put them. */
export const waiting = signal(false);
export const edited = signal(false);
/** Changes that can be taken back; a save leaves them so. */
export const edits = signal(0);
/** Whether the collisions at hand are those of this scene: the first look takes its time. */
export const clashesKnown = signal(false);
/** Counts refused wishes: fields show the present value again, not what was refused. */
export const refusals = signal(0);
export const opening = signal<string | null>(null); // what is being opened
export const uploads = signal<{ name: string; part: number; problem: string }[]>([]);
/** The last drive message, to go on with after a dead point. */
export const wanted = signal<Record<string, number>>({});

export const live = computed(() => source.value?.live ?? false);
/** What drives; nothing does while the mates do not hold. */
export const driving = computed<Drive[]>(() => {
  const now = scene.value;
  return now?.assembled ? now.drives.filter((d) => d.driving) : [];
});

/** Values of all drives by name; from the newest pose, before that from the scene. */
export const values = computed<Record<string, number>>(() => {
  const now = pose.value?.values;
  const found: Record<string, number> = Object.create(null);
  scene.value?.drives.forEach((d, k) => {
    found[d.name] = now && k < now.length ? now[k] : d.value;
  });
  return found;
});

export interface Sizes {
  left: number;
  right: number;
  bottom: number;
  leftOpen: boolean;
  rightOpen: boolean;
  bottomOpen: boolean;
}
export const sizes = signal<Sizes>({
  left: 300,
  right: 320,
  bottom: 230,
  leftOpen: true,
  rightOpen: true,
  bottomOpen: true,
});

/** True where panels lie over the view as drawers. */
export const narrow = signal(false);

// ---- notices: shown until dismissed, the last ones kept for the diagnostics ----

export interface Notice {
  id: number;
  level: "info" | "error";
  text: string;
}
const KEPT = 20;
export const history = signal<Notice[]>([]);

export function dismiss(id: number): void {
  notices.value = notices.value.filter((n) => n.id !== id);
}

let lastKept = 0;
effect(() => {
  const fresh = notices.value.filter((n) => n.id > lastKept);
  if (!fresh.length) return;
  lastKept = fresh[fresh.length - 1].id;
  history.value = [...history.peek(), ...fresh].slice(-KEPT);
});

// ---- remembered between visits; a page opened from a file may have no storage ----

const MEMORY = "cad2mbs";

function recall(): { dark?: boolean; sizes?: Partial<Sizes> } {
  try {
    return JSON.parse(localStorage.getItem(MEMORY) ?? "{}") as object;
  } catch {
    return {};
  }
}

function remember(change: object): void {
  try {
    localStorage.setItem(MEMORY, JSON.stringify({ ...recall(), ...change }));
  } catch {
    // without storage the choice lasts as long as the page
  }
}

export function setDark(dark: boolean): void {
  looks.value = { ...looks.value, dark };
  remember({ dark });
}

export function setSizes(changes: Partial<Sizes>): void {
  sizes.value = { ...sizes.value, ...changes };
  if (!narrow.value) remember({ sizes: sizes.value }); // drawers come and go
}

/** Theme and widths as they were left; the system's theme until the user has chosen one. */
export function restore(): void {
  const found = recall();
  const wide = globalThis.innerWidth || 1440;
  const left = Math.round(Math.min(300, Math.max(240, 0.22 * wide)));
  const right = Math.round(Math.min(320, Math.max(264, 0.24 * wide)));
  sizes.value = { ...sizes.value, left, right, ...found.sizes };
  if (typeof found.dark === "boolean") looks.value = { ...looks.value, dark: found.dark };
  const system = globalThis.matchMedia?.("(prefers-color-scheme: dark)");
  system?.addEventListener("change", (event) => {
    if (recall().dark === undefined) looks.value = { ...looks.value, dark: event.matches };
  });
  const small = globalThis.matchMedia?.("(max-width: 899px)");
  let wideSizes = sizes.value;
  const fold = (): void => {
    const was = narrow.value;
    narrow.value = small?.matches ?? false;
    if (narrow.value && !was) {
      wideSizes = sizes.value;
      sizes.value = { ...sizes.value, leftOpen: false, rightOpen: false, bottomOpen: false };
    } else if (was && !narrow.value) sizes.value = wideSizes;
  };
  small?.addEventListener("change", fold);
  fold();
  effect(() => {
    document.documentElement.dataset.theme = looks.value.dark ? "dark" : "light";
  });
}
