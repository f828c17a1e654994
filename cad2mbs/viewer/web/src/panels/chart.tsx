import { useSignal, useSignalEffect } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { cursor, valueAt } from "../curvedata";
import { short } from "../numbers";
import { draw, framed, pxOfX, range, scaleOf, themeOf, xOfPx, type Chart, type Frame } from "../plot";
import { curves, looks, playing, send } from "../state";
import { Legend } from "./legend";

/** Curves that share a unit, with a cursor that moves with the drive; press to drive there. */
export function ChartView({ chart, drive }: { chart: Chart; drive: string }) {
  const area = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const line = useRef<HTMLDivElement>(null);
  const frame = useRef<Frame | null>(null);
  const size = useSignal({ width: 0, height: 0 });
  const pointed = useSignal<{ x: number; px: number } | null>(null);
  const pressed = useRef(false);

  useLayoutEffect(() => {
    const look = (): void => {
      const { clientWidth: width, clientHeight: height } = area.current!;
      size.value = { width, height };
    };
    look();
    const observer = new ResizeObserver(look);
    observer.observe(area.current!);
    return () => observer.disconnect();
  }, []);
  const { width, height } = size.value;
  const dark = looks.value.dark;
  useLayoutEffect(() => {
    if (!width || !height) return;
    const target = canvas.current!;
    const scale = window.devicePixelRatio || 1;
    target.width = Math.round(width * scale);
    target.height = Math.round(height * scale);
    const ctx = target.getContext("2d")!;
    ctx.scale(scale, scale);
    frame.current = framed(chart, width, height);
    draw(ctx, chart, frame.current, themeOf(area.current!));
    moveLine();
  }, [chart, width, height, dark]);

  function moveLine(): void {
    const at = cursor.peek();
    const f = frame.current;
    if (!line.current || !f || !at) return;
    const inside = at.x >= f.x0 - 1e-9 && at.x <= f.x1 + 1e-9;
    line.current.style.visibility = inside ? "visible" : "hidden";
    line.current.style.transform = `translateX(${pxOfX(f, at.x)}px)`;
  }
  useSignalEffect(() => {
    void cursor.value;
    moveLine();
  });

  function xOf(event: PointerEvent): { x: number; px: number } | null {
    const f = frame.current;
    if (!f) return null;
    const x = xOfPx(f, event.clientX - area.current!.getBoundingClientRect().left);
    return { x, px: pxOfX(f, x) };
  }
  function go(event: PointerEvent): void {
    const at = xOf(event);
    if (!at) return;
    playing.value = false;
    const value = at.x + (cursor.peek()?.offset ?? 0);
    send({ type: "drive", seq: 0, values: { [drive]: value } });
  }
  return (
    <figure class="chart">
      <div
        ref={area}
        class="chart-area"
        onPointerDown={(event) => {
          if (event.button !== 0) return;
          pressed.current = true;
          area.current!.setPointerCapture(event.pointerId);
          go(event);
        }}
        onPointerMove={(event) => {
          pointed.value = xOf(event);
          if (pressed.current) go(event);
        }}
        onPointerUp={() => (pressed.current = false)}
        onPointerCancel={() => (pressed.current = false)}
        onPointerLeave={() => (pointed.value = null)}
      >
        <canvas ref={canvas} role="img" aria-label={described(chart, drive)} />
        <div ref={line} class="chart-cursor" />
        {pointed.value && <Readout chart={chart} {...pointed.value} width={width} />}
      </div>
      <Legend chart={chart} />
    </figure>
  );
}

/** What the curves are where the mouse points. */
function Readout({ chart, x, px, width }: { chart: Chart; x: number; px: number; width: number }) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const wide = box.current!.offsetWidth;
    const right = px + 8;
    const left = right + wide <= width ? right : px - 8 - wide;
    box.current!.style.left = `${Math.max(0, Math.min(left, width - wide))}px`;
  });
  const span = scaleOf(chart);
  return (
    <>
      <div class="chart-pointer" style={{ transform: `translateX(${px}px)` }} />
      <div ref={box} class="chart-readout">
        <strong>
          {short(x, chart.x[chart.x.length - 1] - chart.x[0])} {chart.xUnit}
        </strong>
        {chart.series.slice(0, 8).map((s) => (
          <span key={s.name}>
            <span class="legend-name">{s.name}</span>
            {short(valueAt(chart.x, s.y, x), span)} {chart.unit}
          </span>
        ))}
      </div>
    </>
  );
}

function described(chart: Chart, drive: string): string {
  const [low, high] = range(chart.x) ?? [0, 0];
  const texts = chart.series.map((s) => {
    const found = range(s.y);
    return found ? `${s.name} from ${short(found[0])} to ${short(found[1])}` : `${s.name} no values`;
  });
  const unit = chart.unit ? ` in ${chart.unit}` : "";
  const over = `over ${drive} from ${short(low)} to ${short(high)} ${curves.value?.unit ?? ""}`;
  return `Curves${unit} ${over}: ${texts.join("; ")}`;
}
