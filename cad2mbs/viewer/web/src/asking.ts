// What the page asks for by itself: curves of what is chosen, collisions, traces after an edit.

import { computed, effect, signal, untracked } from "@preact/signals";
import * as state from "./state";
import { clashesKnown, sizes, values } from "./ui";

const MOST = 8; // curves at first
const SETTLED = 250; // [ms] after which another drive counts as at rest

/** Quantities chosen by name; null: those that the scene shows at first. */
export const chosen = signal<readonly string[] | null>(null);

export const chosenNames = computed<readonly string[]>(() => {
  const all = state.scene.value?.quantities ?? [];
  const names = chosen.value?.filter((name) => all.some((q) => q.name === name));
  if (names?.length || chosen.value?.length === 0) return names ?? [];
  return all.filter((q) => q.shown).slice(0, MOST).map((q) => q.name);
});

/** Ask anew when the drive, the choice, the mates or the other drives have changed. */
export function keepCurves(): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asked = "";
  let source = "";
  effect(() => {
    const scene = state.scene.value;
    const drive = state.activeDrive.value;
    const open = sizes.value.bottomOpen;
    if (scene && scene.source !== source) {
      source = scene.source;
      chosen.value = null;
    }
    const names = [...chosenNames.value];
    const others = othersAtRest(drive);
    if (drive === null) {
      clearTimeout(timer);
      asked = ""; // the curves went with it
    }
    if (!scene || drive === null || !open) return;
    clearTimeout(timer);
    if (!names.length) {
      asked = "";
      state.curves.value = null;
      return;
    }
    const key = JSON.stringify([source, drive, names, others, mates()]);
    if (key === asked) return;
    const ask = (): void => {
      asked = key;
      state.send({ type: "curves", drive, names });
    };
    if (asked) timer = setTimeout(ask, SETTLED);
    else ask();
  });
}

/** Values of the other driving freedoms, to six places: a curve holds while they stay. */
function othersAtRest(drive: string | null): string[] {
  const now = values.value;
  const others = state.scene.value?.drives.filter((d) => d.driving && d.name !== drive) ?? [];
  return others.map((d) => now[d.name].toPrecision(6));
}

function mates(): (string | number | null | boolean)[][] {
  return state.scene.value?.mates.map((m) => [m.name, m.off, m.value]) ?? [];
}

/** Collisions are watched for while the look is on, in every scene. */
export function keepClashes(): void {
  const on = computed(() => state.looks.value.clash);
  let told = false; // the server watches
  effect(() => {
    if (!state.scene.value || (!on.value && !told)) return;
    told = on.value;
    untracked(() => {
      state.send({ type: "clash", on: told });
      clashesKnown.value = false;
      if (!told) state.clashes.value = [];
    });
  });
}
