// Playing a drive: its value follows the clock; the link sends only the newest.

import { computed, effect, signal } from "@preact/signals";
import { extentOf, type Extent } from "./extent";
import { turnOf } from "./numbers";
import { activeDrive, playing, pose, reach, scene, send } from "./state";
import { driving, values } from "./ui";

export type Mode = "loop" | "pingpong";
export const SPEEDS = [0.02, 0.05, 0.1, 0.25, 0.5, 1, 2];
export const speed = signal(0.25); // turns or whole ranges a second
const chosen = signal<Mode | null>(null);
let direction = 1;

export const playedDrive = computed(() => {
  const name = activeDrive.value;
  return driving.value.find((d) => d.name === name) ?? driving.value[0] ?? null;
});
export const playedExtent = computed<Extent | null>(() => {
  const drive = playedDrive.value;
  const units = scene.value?.units;
  return drive && units ? extentOf(drive, reach.value[drive.name], units) : null;
});
/** What goes round keeps going round; what has ends goes there and back; unless told otherwise. */
export const mode = computed<Mode>(
  () => chosen.value ?? (playedExtent.value?.turn ? "loop" : "pingpong"),
);

export function setMode(wanted: Mode): void {
  chosen.value = wanted;
  direction = 1;
}

export function toggle(): void {
  playing.value = !playing.value && playedDrive.value !== null;
}

/** Where a value that runs for `step` comes to, and whether it now runs the other way. */
export function advance(
  value: number,
  step: number,
  { reachLow: low, reachHigh: high, turn }: Extent,
  how: Mode,
): { value: number; turned: boolean } {
  const next = value + step;
  if (how === "loop") {
    if (turn > 0) return { value: next, turned: false };
    if (next > high) return { value: value < high ? high : low, turned: false };
    if (next < low) return { value: value > low ? low : high, turned: false };
    return { value: next, turned: false };
  }
  const turns = (value - low) / turn;
  const base = turn > 0 ? turn * (step > 0 ? Math.floor(turns) : Math.ceil(turns) - 1) : 0;
  if (next > high + base && step > 0) return { value: high + base, turned: true };
  if (next < low + base && step < 0) return { value: low + base, turned: true };
  return { value: next, turned: false };
}

const LONGEST = 0.1; // [s] a frame counts for; a page in the background does not jump after
const NEAR = 0.02; // of the range: a stop so near to its end is the end
const REST = 300; // [ms] after turning round in which old answers may still say "stopped"

function run(): () => void {
  let clock = performance.now();
  let turnedAt = -Infinity;
  let value = NaN; // where the player is; from the pose at first and after a stop
  let name = "";
  const first = pose.peek(); // a stop from before has been told already
  let frame = requestAnimationFrame(step);
  const unwatch = effect(() => {
    const now = pose.value;
    if (!now?.stopped || now === first || performance.now() - turnedAt < REST) return;
    const extent = playedExtent.peek();
    const drive = playedDrive.peek();
    if (!extent || !drive) return;
    const at = values.peek()[drive.name];
    const span = extent.reachHigh - extent.reachLow;
    const gap = Math.min(Math.abs(at - extent.reachLow), Math.abs(at - extent.reachHigh));
    if (mode.peek() === "pingpong" && gap < NEAR * span) {
      direction = at - extent.reachLow < extent.reachHigh - at ? 1 : -1;
      turnedAt = performance.now();
      value = at;
    } else {
      playing.value = false; // the status line says why
    }
  });
  function step(now: number): void {
    frame = requestAnimationFrame(step);
    const drive = playedDrive.peek();
    const extent = playedExtent.peek();
    const seconds = Math.min(LONGEST, Math.max(0, (now - clock) / 1000));
    clock = now;
    if (!drive || !extent) return;
    if (drive.name !== name || Number.isNaN(value)) {
      name = drive.name;
      value = values.peek()[name];
    }
    const span = extent.turn > 0 ? turnOf(drive.unit) : extent.reachHigh - extent.reachLow;
    const move = advance(value, direction * speed.peek() * span * seconds, extent, mode.peek());
    if (move.turned) {
      direction = -direction;
      turnedAt = now;
    }
    value = move.value;
    send({ type: "drive", seq: 0, values: { [name]: value } });
  }
  return () => {
    cancelAnimationFrame(frame);
    unwatch();
  };
}

/** Let `playing` start and stop the clock. */
export function watchPlaying(): void {
  let stop: (() => void) | null = null;
  effect(() => {
    if (playing.value && !stop) stop = run();
    else if (!playing.value && stop) {
      stop();
      stop = null;
    }
  });
}
