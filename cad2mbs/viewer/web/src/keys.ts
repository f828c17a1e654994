// Keys that work anywhere on the page but in fields.

import { toggle as togglePlaying } from "./player";
import * as state from "./state";
import type { Looks, Tool, ViewName } from "./state";
import { dialog, edits, live, setSizes, sizes } from "./ui";

export const VIEW_KEYS: { view: ViewName; key: string; text: string }[] = [
  { view: "front", key: "1", text: "Front" },
  { view: "back", key: "2", text: "Back" },
  { view: "left", key: "3", text: "Left" },
  { view: "right", key: "4", text: "Right" },
  { view: "top", key: "5", text: "Top" },
  { view: "bottom", key: "6", text: "Bottom" },
  { view: "iso", key: "7", text: "Isometric" },
  { view: "fit", key: "F", text: "Fit" },
];
export const TOOL_KEYS: { tool: Tool; key: string; text: string; icon: Tool }[] = [
  { tool: "move", key: "M", text: "Move", icon: "move" },
  { tool: "measure", key: "D", text: "Measure", icon: "measure" },
  { tool: "trace", key: "T", text: "Trace", icon: "trace" },
];
export type Switch = "edges" | "grid" | "symbols" | "orthographic" | "clash";
export const LOOK_KEYS: { look: Switch; key: string; text: string }[] = [
  { look: "edges", key: "E", text: "Edges" },
  { look: "grid", key: "G", text: "Ground grid" },
  { look: "symbols", key: "J", text: "Joint symbols" },
  { look: "orthographic", key: "O", text: "Orthographic" },
  { look: "clash", key: "C", text: "Collisions" },
];

export function flip(look: keyof Looks & Switch): void {
  state.change(state.looks, { [look]: !state.looks.value[look] });
}

export function flipSection(): void {
  const { section } = state.looks.value;
  state.change(state.looks, { section: { ...section, on: !section.on } });
}

const PRESSABLE = "button, summary, a, input[type=checkbox], input[type=radio]";
let clicked: Element | null = null; // a button that was clicked leaves Space to the player

export function onPointerDown(event: PointerEvent): void {
  const label = (event.target as HTMLElement | null)?.closest?.("label");
  clicked = label?.control ?? (event.target as HTMLElement | null)?.closest?.(PRESSABLE) ?? null;
}

/** True where a key belongs to what has the focus. */
function belongs(event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement | null;
  if (event.defaultPrevented || dialog.value !== null) return true;
  if (!target?.closest) return false;
  if (target.closest("textarea, select, [contenteditable], [role=tree], dialog")) return true;
  const input = target.closest("input");
  const takesText = input && !["range", "checkbox", "radio", "color"].includes(input.type);
  if (takesText) return true;
  const pressable = target.closest(PRESSABLE);
  return pressable !== null && pressable !== clicked && (event.key === " " || event.key === "Enter");
}

/** Do what a key stands for; false where it stands for nothing. */
function act(key: string): boolean {
  const upper = key.length === 1 ? key.toUpperCase() : key;
  const view = VIEW_KEYS.find((v) => v.key === upper);
  const tool = TOOL_KEYS.find((t) => t.key === upper);
  const look = LOOK_KEYS.find((l) => l.key === upper);
  if (view) state.wantedView.value = view.view;
  else if (tool) state.tool.value = tool.tool;
  else if (look) flip(look.look);
  else if (upper === "X") flipSection();
  else if (upper === "R") state.send({ type: "reset" });
  else if (key === " ") togglePlaying();
  else if (key === "?") dialog.value = "help";
  else if (key === "[") setSizes({ leftOpen: !sizes.value.leftOpen });
  else if (key === "]") setSizes({ rightOpen: !sizes.value.rightOpen });
  else if (key === "\\") setSizes({ bottomOpen: !sizes.value.bottomOpen });
  else if (key === "Escape") {
    state.selection.value = null;
    state.picked.value = [];
    state.measured.value = [];
  } else return false;
  return true;
}

function withCommand(key: string): boolean {
  if (!live.value) return false;
  if (key === "z") {
    if (edits.value > 0) state.send({ type: "undo" });
  }
  else if (key === "o") dialog.value = "open";
  else if (key === "s" && state.scene.value) dialog.value = "save";
  else return false;
  return true;
}

export function onKeyDown(event: KeyboardEvent): void {
  if (event.key === "Tab") clicked = null;
  if (belongs(event) || event.altKey) return;
  const command = event.ctrlKey || event.metaKey;
  const done = command
    ? !event.shiftKey && withCommand(event.key.toLowerCase())
    : state.scene.value !== null && act(event.key);
  if (done) event.preventDefault();
}
