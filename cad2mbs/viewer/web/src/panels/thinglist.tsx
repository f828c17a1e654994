import { useSignal, useSignalEffect } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { hovered, selection, type Thing } from "../state";
import { VirtualRows } from "./virtual";

interface Props {
  label: string;
  kind: "joint" | "mate";
  rows: readonly number[]; // numbers of the joints or mates that the filter leaves
  height: number;
  row(number: number, current: boolean): ComponentChildren; // its main button has data-main
}

/** A list with one tab stop: arrows go from row to row, the controls of the current row follow. */
export function ThingList({ label, kind, rows, height, row }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const current = useSignal(rows[0] ?? -1);
  const moved = useRef(false);
  useSignalEffect(() => {
    const number = numberOf(selection.value, kind);
    if (number >= 0) current.value = number;
  });
  const found = rows.indexOf(current.value);
  const at = found < 0 ? 0 : found;
  useLayoutEffect(() => {
    if (!moved.current) return;
    moved.current = false;
    box.current?.querySelector<HTMLElement>(".rows-place .current [data-main]")?.focus();
  }, [at]);

  function onKeyDown(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    if (!("main" in target.dataset)) return;
    const last = rows.length - 1;
    const steps: Record<string, number> = {
      ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: last, PageDown: at + 10, PageUp: at - 10,
    };
    if (!(event.key in steps)) return;
    event.preventDefault();
    moved.current = true;
    current.value = rows[Math.min(last, Math.max(0, steps[event.key]))];
  }
  return (
    <div class="rows-holder" ref={box}>
      <VirtualRows
        role="list"
        label={label}
        count={rows.length}
        height={height}
        current={at}
        onKeyDown={onKeyDown}
        onMouseLeave={() => (hovered.value = null)}
        row={(k) => (rows[k] === undefined ? null : row(rows[k], k === at))}
      />
    </div>
  );
}

function numberOf(thing: Thing | null, kind: "joint" | "mate"): number {
  if (thing?.kind === "joint" && kind === "joint") return thing.joint;
  if (thing?.kind === "mate" && kind === "mate") return thing.mate;
  return -1;
}
