import { useComputed, useSignal, useSignalEffect } from "@preact/signals";
import { Button } from "./button";
import { hidden, hovered, isolated, scene, selection } from "../state";
import { rowOf, thingOf, treeKey, treeRows } from "../treerows";
import { partsOf, showAll, toggleGlass, toggleHidden, toggleIsolated } from "../visibility";
import { Search } from "./search";
import { TreeRow } from "./treerow";
import { VirtualRows } from "./virtual";

const HEIGHT = 26;

/** Bodies and their parts. */
export function Tree() {
  const filter = useSignal("");
  const folded = useSignal<ReadonlySet<number>>(new Set());
  const current = useSignal(0);
  const rows = useComputed(() =>
    scene.value ? treeRows(scene.value, folded.value, filter.value) : [],
  );
  useSignalEffect(() => {
    const thing = selection.value;
    const row = rowOf(rows.peek(), thing);
    if (row >= 0) current.value = row;
    if (thing?.kind === "part" && (row < 0 || rows.peek()[row].part !== thing.part)) {
      const body = scene.peek()?.parts[thing.part]?.body ?? -1;
      if (!folded.peek().has(body)) return;
      fold(body, false);
      current.value = Math.max(0, rowOf(rows.peek(), thing));
    }
  });

  function fold(body: number, away: boolean): void {
    const next = new Set(folded.peek());
    if (away) next.add(body);
    else next.delete(body);
    folded.value = next;
  }
  function onKeyDown(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const action = treeKey(rows.value, current.value, event.key);
    if (!action) return;
    event.preventDefault();
    event.stopPropagation();
    if (action.do === "go") current.value = action.row;
    else if (action.do === "fold") fold(action.body, action.away);
    else {
      const thing = thingOf(rows.value[action.row]);
      const parts = partsOf(thing);
      if (action.do === "select") selection.value = thing;
      else if (action.do === "toggle") toggleHidden(parts);
      else if (action.do === "isolate") toggleIsolated(parts);
      else toggleGlass(parts);
    }
  }
  const at = Math.min(current.value, rows.value.length - 1);
  const covered = hidden.value.size > 0 || isolated.value !== null;
  return (
    <>
      <div class="list-head">
        <Search text={filter} label="Filter bodies and parts" />
        {covered && <Button label="Show all parts" text="Show all" kind="plain" onClick={showAll} />}
      </div>
      <VirtualRows
        role="tree"
        label="Bodies and parts"
        tab={0}
        active={rows.value.length ? `tree-${at}` : undefined}
        count={rows.value.length}
        height={HEIGHT}
        current={at}
        onKeyDown={onKeyDown}
        onMouseLeave={() => (hovered.value = null)}
        row={(k) => (
          <TreeRow
            row={rows.value[k]}
            index={k}
            current={k === at}
            onGo={() => (current.value = k)}
            onFold={fold}
          />
        )}
      />
      {!rows.value.length && filter.value && <p class="empty">No body or part has this name.</p>}
    </>
  );
}
