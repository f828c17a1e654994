import { useSignalEffect } from "@preact/signals";
import { scene, selection } from "../state";
import { leftTab, type LeftTab } from "../ui";
import { Inspector } from "./inspector";
import { Joints } from "./joints";
import { Mates } from "./mates";
import { Tree } from "./tree";

const TABS: { name: LeftTab; text: string }[] = [
  { name: "parts", text: "Parts" },
  { name: "joints", text: "Joints" },
  { name: "mates", text: "Mates" },
];
const SHOWN_IN = { part: "parts", body: "parts", joint: "joints", mate: "mates" } as const;

/** The model: bodies and parts, joints, mates, and what is selected. */
export function Left() {
  useSignalEffect(() => {
    const thing = selection.value;
    if (thing) leftTab.value = SHOWN_IN[thing.kind];
  });
  const now = scene.value;
  const counts = {
    parts: now?.parts.length ?? 0,
    joints: now?.joints.length ?? 0,
    mates: now?.mates.length ?? 0,
  };
  return (
    <>
      <div class="tabs" role="tablist" aria-label="Model" onKeyDown={onKeyDown}>
        {TABS.map(({ name, text }) => (
          <button
            key={name}
            type="button"
            id={`tab-${name}`}
            role="tab"
            class="tab"
            aria-selected={leftTab.value === name}
            aria-controls="model-list"
            tabIndex={leftTab.value === name ? 0 : -1}
            onClick={() => (leftTab.value = name)}
          >
            {text} <span class="count">{counts[name]}</span>
          </button>
        ))}
      </div>
      <div id="model-list" class="model-list" role="tabpanel" aria-labelledby={`tab-${leftTab.value}`}>
        {leftTab.value === "parts" && <Tree />}
        {leftTab.value === "joints" && <Joints />}
        {leftTab.value === "mates" && <Mates />}
      </div>
      <Inspector />
    </>
  );
}

function onKeyDown(event: KeyboardEvent): void {
  const at = TABS.findIndex((t) => t.name === leftTab.value);
  const steps: Record<string, number> = {
    ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: TABS.length - 1,
  };
  if (!(event.key in steps)) return;
  event.preventDefault();
  leftTab.value = TABS[(steps[event.key] + TABS.length) % TABS.length].name;
  document.getElementById(`tab-${leftTab.value}`)?.focus();
}
