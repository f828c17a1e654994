// Curves on a canvas: where things go, and the drawing. The same drawing makes the PNG.

import { short, ticks } from "./numbers";

export interface Series {
  name: string;
  colour: number; // row in the theme's curve colours
  y: (number | null)[];
}

export interface Chart {
  unit: string;
  x: number[];
  xUnit: string;
  series: Series[];
}

export interface Theme {
  text: string;
  line: string;
  axis: string;
  back: string;
  font: string;
  curves: string[];
}

export interface Frame {
  left: number;
  top: number;
  width: number; // of the area with the curves [px]
  height: number;
  x0: number;
  x1: number;
  y0: number;
  y1: number;
  xTicks: number[];
  yTicks: number[];
}

const DASHES = [[], [6, 3], [2, 2], [8, 3, 2, 3]]; // so that colour is not all that tells them apart
export const CURVE_COLOURS = 8;
export const DUST = 1e-8; // in any unit in use: what is smaller is rounding

/** Curves by the unit they share: each unit gets axes of its own. */
export function charts(
  x: number[],
  xUnit: string,
  columns: readonly { name: string; unit: string; y: (number | null)[] }[],
): Chart[] {
  const found = new Map<string, Chart>();
  columns.forEach(({ name, unit, y }, colour) => {
    const chart = found.get(unit) ?? { unit, x, xUnit, series: [] };
    chart.series.push({ name, colour, y });
    found.set(unit, chart);
  });
  return [...found.values()];
}

/** Least and greatest of the numbers; null where there are none. */
export function range(y: readonly (number | null)[]): [number, number] | null {
  let low = Infinity;
  let high = -Infinity;
  for (const value of y) {
    if (value === null || !Number.isFinite(value)) continue;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return low <= high ? [low, high] : null;
}

/** How large the numbers of a chart are: what is dust beside it is none of theirs. */
export function scaleOf(chart: Chart): number {
  const [low, high] = range(chart.series.flatMap((s) => range(s.y) ?? [])) ?? [0, 0];
  const size = Math.max(Math.abs(low), Math.abs(high), high - low);
  return size > DUST ? size / 10 : 1;
}

/** The places of a chart in an area of this size. */
export function framed(chart: Chart, width: number, height: number, digit = 6.2): Frame {
  const [x0, x1] = range(chart.x) ?? [0, 1];
  const found = chart.series.map((s) => range(s.y)).filter((r) => r !== null);
  let y0 = Math.min(...found.map((r) => r[0]));
  let y1 = Math.max(...found.map((r) => r[1]));
  if (!found.length) [y0, y1] = [0, 1];
  const flat = Math.max(DUST, 1e-9 * Math.max(Math.abs(y0), Math.abs(y1)));
  const pad = y1 - y0 > flat ? 0.06 * (y1 - y0) : Math.max(1, Math.abs(y0)) * 0.1;
  [y0, y1] = [y0 - pad, y1 + pad];
  const top = 18;
  const bottom = 20;
  const yTicks = ticks(y0, y1, Math.max(2, Math.floor((height - top - bottom) / 30)));
  const left = 10 + digit * Math.max(2, ...yTicks.map((t) => short(t).length));
  const inner = Math.max(10, width - left - 12);
  const xTicks = ticks(x0, x1, Math.max(2, Math.floor(inner / 52)), chart.xUnit);
  const size = { width: inner, height: Math.max(10, height - top - bottom) };
  return { left, top, ...size, x0, x1: x1 > x0 ? x1 : x0 + 1, y0, y1, xTicks, yTicks };
}

export const pxOfX = (f: Frame, x: number): number =>
  f.left + ((x - f.x0) / (f.x1 - f.x0)) * f.width;
export const pxOfY = (f: Frame, y: number): number =>
  f.top + (1 - (y - f.y0) / (f.y1 - f.y0)) * f.height;
export const xOfPx = (f: Frame, px: number): number =>
  f.x0 + Math.min(1, Math.max(0, (px - f.left) / f.width)) * (f.x1 - f.x0);

export function draw(ctx: CanvasRenderingContext2D, chart: Chart, f: Frame, theme: Theme): void {
  ctx.save();
  ctx.font = theme.font;
  ctx.textBaseline = "middle";
  ctx.fillStyle = theme.text;
  ctx.strokeStyle = theme.line;
  ctx.lineWidth = 1;
  ctx.textAlign = "right";
  for (const y of f.yTicks) {
    const at = Math.round(pxOfY(f, y)) + 0.5;
    stroke(ctx, [[f.left, at], [f.left + f.width, at]]);
    ctx.fillText(short(y), f.left - 5, at);
  }
  ctx.textAlign = "center";
  for (const x of f.xTicks) {
    const at = Math.round(pxOfX(f, x)) + 0.5;
    stroke(ctx, [[at, f.top], [at, f.top + f.height]]);
    ctx.fillText(short(x), at, f.top + f.height + 11);
  }
  ctx.strokeStyle = theme.axis;
  const base = Math.round(f.top + f.height) + 0.5;
  stroke(ctx, [[f.left, base], [f.left + f.width, base]]);
  ctx.textAlign = "left";
  ctx.fillText(chart.unit || "no unit", f.left, 8); // right of all numbers of the axis
  ctx.beginPath();
  ctx.rect(f.left, f.top - 2, f.width + 1, f.height + 4);
  ctx.clip();
  ctx.lineWidth = 1.75;
  ctx.lineJoin = "round";
  for (const series of chart.series) {
    ctx.strokeStyle = theme.curves[series.colour % theme.curves.length];
    ctx.setLineDash(dashes(series.colour));
    curve(ctx, chart.x, series.y, f);
  }
  ctx.restore();
}

export function dashes(colour: number): number[] {
  return DASHES[Math.floor(colour / CURVE_COLOURS) % DASHES.length];
}

function stroke(ctx: CanvasRenderingContext2D, points: [number, number][]): void {
  ctx.beginPath();
  points.forEach(([x, y], k) => (k ? ctx.lineTo(x, y) : ctx.moveTo(x, y)));
  ctx.stroke();
}

/** A line that breaks where there is no number. */
function curve(
  ctx: CanvasRenderingContext2D,
  x: readonly number[],
  y: readonly (number | null)[],
  f: Frame,
): void {
  ctx.beginPath();
  let down = false;
  for (let k = 0; k < x.length; k++) {
    const value = y[k];
    if (value === null || !Number.isFinite(value)) {
      down = false;
      continue;
    }
    if (down) ctx.lineTo(pxOfX(f, x[k]), pxOfY(f, value));
    else ctx.moveTo(pxOfX(f, x[k]), pxOfY(f, value));
    down = true;
  }
  ctx.stroke();
}

/** Colours and font of the page as it looks now. */
export function themeOf(element: Element): Theme {
  const style = getComputedStyle(element);
  const get = (name: string) => style.getPropertyValue(name).trim();
  return {
    text: get("--muted"),
    line: get("--grid"),
    axis: get("--line-strong"),
    back: get("--panel"),
    font: `11px ${style.fontFamily}`,
    curves: Array.from({ length: CURVE_COLOURS }, (_, k) => get(`--curve-${k + 1}`)),
  };
}
