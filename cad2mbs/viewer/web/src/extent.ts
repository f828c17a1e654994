// How far a slider goes: one turn, the limits, the reach, or a guess until the reach is known.

import { turnOf } from "./numbers";
import type { Drive, Reach, Units } from "./protocol";

export interface Extent {
  low: number;
  high: number;
  turn: number; // after which all is as before, where the drive comes round; else NaN
  reachLow: number; // where the mechanism can go, within low to high
  reachHigh: number;
}

const GUESS = 100; // [mm] each way, for a slide without limits whose reach is not known yet

export function extentOf(drive: Drive, reach: Reach | undefined, units: Units): Extent {
  const turn = turnOf(drive.unit);
  if ((reach?.turns ?? drive.turns) && turn > 0) {
    const low = finite(reach?.low, 0);
    const high = finite(reach?.high, low + turn);
    const around = high > low ? high - low : turn;
    return { low, high: low + around, turn: around, reachLow: low, reachHigh: low + around };
  }
  const wide = drive.length ? GUESS / (units.mm || 1) : turn / 2 || 1;
  const reachLow = finite(reach?.low, finite(drive.low, drive.value - wide));
  const reachHigh = finite(reach?.high, finite(drive.high, drive.value + wide));
  const low = Math.min(reachLow, finite(drive.low, reachLow));
  const high = Math.max(reachHigh, finite(drive.high, reachHigh));
  return { low, high: high > low ? high : low + 1e-9, turn: NaN, reachLow, reachHigh };
}

function finite(value: number | null | undefined, instead: number): number {
  return typeof value === "number" && Number.isFinite(value) ? value : instead;
}
