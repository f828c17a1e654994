import { colours, glass, hovered, isolated, scene, selection } from "../state";
import { thingOf, type Row } from "../treerows";
import * as visibility from "../visibility";
import { Button } from "./button";
import { ColourField } from "./colourfield";
import { Icon } from "./icons";

interface Props {
  row: Row | undefined;
  index: number;
  current: boolean;
  onGo(): void;
  onFold(body: number, away: boolean): void;
}

/** One body or part: its name, and what can be done with its looks. */
export function TreeRow({ row, index, current, onGo, onFold }: Props) {
  const now = scene.value;
  if (!row || !now || !now.bodies[row.body]) return null;
  const body = now.bodies[row.body];
  const thing = thingOf(row);
  const parts = visibility.partsOf(thing, now);
  const name = row.kind === "part" ? now.parts[row.part].name : body.name;
  const chosen = selection.value;
  const selected =
    chosen?.kind === "part" && row.kind === "part"
      ? chosen.part === row.part
      : chosen?.kind === "body" && chosen.body === row.body;
  const pointed = hovered.value;
  const isPointed =
    (pointed?.kind === "part" && pointed.part === row.part) ||
    (pointed?.kind === "body" && pointed.body === row.body && row.level === 1);
  const hidden = parts.length > 0 && parts.every((p) => visibility.isHidden(p));
  const clear = parts.length > 0 && parts.every((p) => glass.value.has(p));
  const alone = visibility.isIsolated(parts) && isolated.value !== null;
  const grounded = body.grounded && row.level === 1;
  return (
    <div
      id={`tree-${index}`}
      role="treeitem"
      class={`tree-row level-${row.level} ${selected ? "selected" : ""} ${current ? "current" : ""} ${isPointed ? "pointed" : ""} ${hidden ? "off" : ""}`}
      aria-level={row.level}
      aria-setsize={row.siblings}
      aria-posinset={row.position}
      aria-expanded={row.open ?? undefined}
      aria-selected={selected}
      aria-label={described(name, grounded, hidden, clear)}
      onClick={() => {
        onGo();
        selection.value = thing;
      }}
      onDblClick={() => row.open !== null && onFold(row.body, row.open)}
      onMouseEnter={() => (hovered.value = thing)}
    >
      {row.open !== null ? (
        <button
          type="button"
          class={`twist ${row.open ? "open" : ""}`}
          tabIndex={-1}
          aria-label={row.open ? `Fold ${name}` : `Unfold ${name}`}
          onClick={(event) => {
            event.stopPropagation();
            onFold(row.body, row.open === true);
          }}
        >
          <Icon name="right" />
        </button>
      ) : (
        <span class="twist" />
      )}
      {row.kind === "part" ? (
        <ColourField parts={parts} name={name} tab={-1} changed={row.part in colours.value} />
      ) : (
        <span class="body-mark" aria-hidden="true" />
      )}
      <span class="tree-name">{name}</span>
      {row.kind === "body" && <span class="count">{body.parts.length}</span>}
      {grounded && (
        <span class="ground" title="Fixed to the ground">
          <Icon name="ground" />
        </span>
      )}
      <span class={`row-actions ${hidden || clear || alone ? "set" : ""}`}>
        <Button
          tab={-1}
          icon="glass"
          class="on-hover"
          label={clear ? `Make ${name} solid` : `Make ${name} transparent`}
          pressed={clear}
          onClick={act(() => visibility.toggleGlass(parts))}
        />
        <Button
          tab={-1}
          icon="isolate"
          class="on-hover"
          label={alone ? "Show all again" : `Show only ${name}`}
          pressed={alone}
          onClick={act(() => visibility.toggleIsolated(parts))}
        />
        <Button
          tab={-1}
          icon={hidden ? "eyeOff" : "eye"}
          label={hidden ? `Show ${name}` : `Hide ${name}`}
          onClick={act(() => visibility.toggleHidden(parts))}
        />
      </span>
    </div>
  );
}

function act(what: () => void): (event: MouseEvent) => void {
  return (event) => {
    event.stopPropagation();
    what();
  };
}

function described(name: string, grounded: boolean, hidden: boolean, clear: boolean): string {
  const facts = [grounded && "grounded", hidden && "hidden", clear && "transparent"];
  return [name, ...facts.filter(Boolean)].join(", ");
}
