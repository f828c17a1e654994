// The curves that are shown, and their way out as CSV and PNG.

import { computed, signal } from "@preact/signals";
import { bracket } from "./interpolate";
import { csv, saveBlob, saveText } from "./download";
import { charts, dashes, draw, framed, themeOf, type Chart } from "./plot";
import { activeDrive, curves, reach, scene } from "./state";
import { turnsBefore } from "./sliding";
import { values } from "./ui";

export const showRates = signal(false);

export const shownColumns = computed(() =>
  (curves.value?.columns ?? []).map((c) =>
    showRates.value
      ? { name: c.name, unit: c.rateUnit, y: c.rate ?? [] }
      : { name: c.name, unit: c.unit, y: c.y },
  ),
);

export const shownCharts = computed<Chart[]>(() => {
  const now = curves.value;
  return now ? charts(now.x, now.unit, shownColumns.value) : [];
});

/** Where the drive of the curves stands on their axis; its turns before that. */
export const cursor = computed<{ x: number; offset: number } | null>(() => {
  const now = curves.value;
  const value = now ? values.value[now.drive] : undefined;
  if (!now || !now.x.length || value === undefined) return null;
  const low = Math.min(now.x[0], now.x[now.x.length - 1]);
  const high = Math.max(now.x[0], now.x[now.x.length - 1]);
  const turn = reach.value[now.drive]?.turns ? high - low : NaN;
  const extent = { low, high, turn, reachLow: low, reachHigh: high };
  const offset = turn > 0 ? turn * turnsBefore(value, extent, 0) : 0;
  return { x: value - offset, offset };
});

/** The curve's value at `x`; null where it has none. */
export function valueAt(x: readonly number[], y: readonly (number | null)[], at: number): number | null {
  if (!x.length) return null;
  const { row, share } = bracket(x, at);
  const a = y[row] ?? null;
  const b = y[Math.min(row + 1, y.length - 1)] ?? null;
  if (a === null || b === null) return share < 0.5 ? a : b;
  return a + share * (b - a);
}

function baseName(): string {
  return `${scene.value?.name ?? "curves"}-${activeDrive.value ?? ""}`;
}

export function saveCsv(): void {
  const now = curves.value;
  if (!now) return;
  const columns = shownColumns.value;
  const header = [`${now.drive} [${now.unit}]`, ...columns.map((c) => `${c.name} [${c.unit}]`)];
  const rows = now.x.map((x, k) => [x, ...columns.map((c) => c.y[k] ?? null)]);
  saveText(csv(header, rows), `${baseName()}${showRates.value ? "-rates" : ""}.csv`);
}

const [WIDTH, HEIGHT, LEGEND, SCALE] = [900, 260, 200, 2];

/** All charts one below the other, with their legends, as a picture. */
export function savePng(): void {
  const list = shownCharts.value;
  const canvas = document.createElement("canvas");
  const ctx = canvas.getContext("2d");
  if (!ctx || !list.length) return;
  canvas.width = WIDTH * SCALE;
  canvas.height = HEIGHT * list.length * SCALE;
  ctx.scale(SCALE, SCALE);
  const theme = themeOf(document.body);
  ctx.fillStyle = theme.back;
  ctx.fillRect(0, 0, WIDTH, HEIGHT * list.length);
  list.forEach((chart, k) => {
    ctx.save();
    ctx.translate(0, HEIGHT * k);
    draw(ctx, chart, framed(chart, WIDTH - LEGEND, HEIGHT), theme);
    ctx.font = theme.font;
    ctx.textBaseline = "middle";
    chart.series.forEach((series, row) => {
      const y = 26 + 16 * row;
      ctx.strokeStyle = theme.curves[series.colour % theme.curves.length];
      ctx.lineWidth = 2;
      ctx.setLineDash(dashes(series.colour));
      ctx.beginPath();
      ctx.moveTo(WIDTH - LEGEND + 8, y);
      ctx.lineTo(WIDTH - LEGEND + 28, y);
      ctx.stroke();
      ctx.fillStyle = theme.text;
      ctx.fillText(series.name, WIDTH - LEGEND + 34, y, LEGEND - 40);
    });
    ctx.fillStyle = theme.text;
    ctx.fillText(`over ${curves.value?.drive ?? ""} [${chart.xUnit}]`, WIDTH - LEGEND + 8, HEIGHT - 9);
    ctx.restore();
  });
  canvas.toBlob((blob) => blob && saveBlob(blob, `${baseName()}.png`), "image/png");
}
