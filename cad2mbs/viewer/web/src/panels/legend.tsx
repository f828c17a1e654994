import { useSignalEffect } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { cursor, valueAt } from "../curvedata";
import { short, steady } from "../numbers";
import { CURVE_COLOURS, range, scaleOf, type Chart } from "../plot";

/** Names of the curves with their present values, which change without drawing anything anew. */
export function Legend({ chart }: { chart: Chart }) {
  const cells = useRef<(HTMLElement | null)[]>([]);
  const scale = scaleOf(chart);
  const text = (value: number | null) =>
    value === null ? "–" : `${steady(value, scale)} ${chart.unit}`.trim();
  function tell(): void {
    const at = cursor.peek();
    chart.series.forEach((series, k) => {
      const cell = cells.current[k];
      if (cell) cell.textContent = at ? text(valueAt(chart.x, series.y, at.x)) : "–";
    });
  }
  useSignalEffect(() => {
    void cursor.value;
    tell();
  });
  useLayoutEffect(tell, [chart]);
  return (
    <figcaption class="legend">
      <ul aria-label={`Curves in ${chart.unit || "no unit"}, present values`}>
        {chart.series.map((series, k) => (
          <li key={series.name} title={extremes(series.name, series.y, chart.unit)}>
            <span
              class={`swatch dash-${Math.floor(series.colour / CURVE_COLOURS) % 4}`}
              style={{ color: `var(--curve-${(series.colour % CURVE_COLOURS) + 1})` }}
              aria-hidden="true"
            />
            <span class="legend-name">{series.name}</span>
            <span class="legend-value" ref={(cell) => void (cells.current[k] = cell)} />
          </li>
        ))}
      </ul>
    </figcaption>
  );
}

function extremes(name: string, y: (number | null)[], unit: string): string {
  const found = range(y);
  if (!found) return `${name}: no values`;
  return `${name}: least ${short(found[0])}, greatest ${short(found[1])} ${unit}`;
}
