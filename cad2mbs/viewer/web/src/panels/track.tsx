import type { Extent } from "../extent";
import { short, ticks } from "../numbers";
import type { Drive, Reach } from "../protocol";
import { stops } from "./deadpoints";

interface Props {
  drive: Drive;
  extent: Extent;
  reach: Reach | undefined;
}

/** The bar under a slider: reachable part as a band, ticks, limits and dead points. */
export function Track({ drive, extent, reach }: Props) {
  const { low, high } = extent;
  const at = (value: number) => `${(100 * (value - low)) / (high - low)}%`;
  // The band runs to the rounded ends of the bar where all of it can be reached.
  const left = extent.reachLow > low ? at(extent.reachLow) : "-8px";
  const right = extent.reachHigh < high ? `${(100 * (high - extent.reachHigh)) / (high - low)}%` : "-8px";
  const inside = (value: number | null): value is number =>
    value !== null && value >= low && value <= high;
  return (
    <div class="track" aria-hidden="true">
      <div class="track-bar" />
      <div class="track-band" style={{ left, right }} title={words(drive, extent, reach)} />
      {ticks(low, high, 8, drive.unit).map((value) => (
        <div key={value} class="tick" style={{ left: at(value) }} />
      ))}
      {[drive.low, drive.high].filter(inside).map((value) => (
        <div
          key={`limit ${value}`}
          class="tick limit"
          style={{ left: at(value) }}
          title={`Limit ${short(value, high - low)} ${drive.unit}`}
        />
      ))}
      {reach?.dead.filter((point) => inside(point.value)).map((point) => (
        <div
          key={`dead ${point.value} ${point.text}`}
          class={`tick dead-point ${stops(point) ? "" : "other"}`}
          style={{ left: at(point.value) }}
          title={`${short(point.value, high - low)} ${drive.unit}: ${point.text}`}
        />
      ))}
    </div>
  );
}

function words(drive: Drive, extent: Extent, reach: Reach | undefined): string {
  if (extent.turn > 0) return "Goes all the way round";
  const span = extent.high - extent.low;
  const from = `${short(extent.reachLow, span)} to ${short(extent.reachHigh, span)} ${drive.unit}`;
  return reach ? `Reachable: ${from}` : `Shown: ${from}; the reach follows`;
}
