import { useRef } from "preact/hooks";
import { setSizes, sizes } from "../ui";

const RANGE = { left: [220, 560], right: [260, 560], bottom: [120, 520] } as const;
const WHAT = { left: "model panel", right: "motion panel", bottom: "curves" };
const STEP = 16;

/** The edge between a panel and the view: drag it, or use the arrow keys. */
export function Splitter({ side }: { side: "left" | "right" | "bottom" }) {
  const from = useRef<{ at: number; size: number } | null>(null);
  const across = side === "bottom";
  const [low, high] = RANGE[side];
  const size = sizes.value[side];
  const grows = side === "left" ? 1 : -1; // when the pointer goes right or down
  const set = (wanted: number): void =>
    setSizes({ [side]: Math.round(Math.min(high, Math.max(low, wanted))) });
  return (
    <div
      role="separator"
      class={`splitter ${side}`}
      tabIndex={0}
      aria-orientation={across ? "horizontal" : "vertical"}
      aria-label={`Size of the ${WHAT[side]}`}
      aria-valuenow={size}
      aria-valuemin={low}
      aria-valuemax={high}
      onPointerDown={(event) => {
        from.current = { at: across ? event.clientY : event.clientX, size };
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={(event) => {
        if (!from.current) return;
        const moved = (across ? event.clientY : event.clientX) - from.current.at;
        set(from.current.size + grows * moved);
      }}
      onPointerUp={() => (from.current = null)}
      onPointerCancel={() => (from.current = null)}
      onKeyDown={(event) => {
        const more = across ? "ArrowUp" : side === "left" ? "ArrowRight" : "ArrowLeft";
        const less = across ? "ArrowDown" : side === "left" ? "ArrowLeft" : "ArrowRight";
        if (event.key === more) set(size + STEP);
        else if (event.key === less) set(size - STEP);
        else if (event.key === "Home") set(low);
        else if (event.key === "End") set(high);
        else if (event.key === "Enter") setSizes({ [`${side}Open`]: false });
        else return;
        event.preventDefault();
      }}
    />
  );
}
