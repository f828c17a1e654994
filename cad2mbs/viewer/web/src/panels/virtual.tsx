import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

interface Props {
  count: number;
  height: number; // of a row [px]
  current: number; // the row that has or gets the focus: always there, and brought into view
  row(index: number): ComponentChildren;
  // of the list itself
  role: "tree" | "list";
  label: string;
  tab?: number;
  active?: string; // id of the current row, where the list keeps the focus
  onKeyDown?(event: KeyboardEvent): void;
  onMouseLeave?(): void;
}

const MARGIN = 6; // rows drawn above and below what is seen

/** Rows of equal height of which only the seen ones are in the page: cheap for thousands. */
export function VirtualRows(props: Props) {
  const { count, height, current, row } = props;
  const box = useRef<HTMLDivElement>(null);
  const [seen, setSeen] = useState({ first: 0, last: 40 });

  function look(): void {
    const { scrollTop, clientHeight } = box.current!;
    const first = Math.max(0, Math.floor(scrollTop / height) - MARGIN);
    const last = Math.ceil((scrollTop + (clientHeight || 600)) / height) + MARGIN;
    setSeen((old) => (old.first === first && old.last === last ? old : { first, last }));
  }
  useLayoutEffect(() => {
    look();
    const observer = globalThis.ResizeObserver ? new ResizeObserver(look) : null;
    observer?.observe(box.current!);
    return () => observer?.disconnect();
  }, [count, height]);
  useLayoutEffect(() => {
    const list = box.current!;
    if (current < 0 || !list.clientHeight) return;
    const top = current * height;
    if (top < list.scrollTop) list.scrollTop = top;
    else if (top + height > list.scrollTop + list.clientHeight) {
      list.scrollTop = top + height - list.clientHeight;
    }
  }, [current, count]);

  const shown: number[] = [];
  for (let k = seen.first; k < Math.min(seen.last, count); k++) shown.push(k);
  if (current >= 0 && current < count && !shown.includes(current)) shown.push(current);
  return (
    <div
      ref={box}
      class="rows"
      role={props.role}
      aria-label={props.label}
      aria-activedescendant={props.active}
      tabIndex={props.tab}
      onScroll={look}
      onKeyDown={props.onKeyDown}
      onMouseLeave={props.onMouseLeave}
    >
      <div class="rows-all" role="presentation" style={{ height: `${count * height}px` }}>
        {shown.map((k) => (
          <div
            key={k}
            class="rows-place"
            role="presentation"
            style={{ top: `${k * height}px`, height: `${height}px` }}
          >
            {row(k)}
          </div>
        ))}
      </div>
    </div>
  );
}
