import { useSignal } from "@preact/signals";
import { chosen, chosenNames } from "../asking";
import type { Quantity } from "../protocol";
import { scene } from "../state";
import { Button } from "./button";
import { Popover } from "./popover";
import { Search } from "./search";

const GROUPS: { group: Quantity["group"]; title: string }[] = [
  { group: "observer", title: "Observers" },
  { group: "drive", title: "Drives" },
  { group: "joint", title: "Joints" },
  { group: "part", title: "Parts" },
];
const MOST = 200; // rows of a group; the filter finds the rest

/** Which quantities have a curve. */
export function Picker() {
  return (
    <Popover label="Choose curves" text={`Quantities (${chosenNames.value.length})`} icon="curves" up>
      <Choices />
    </Popover>
  );
}

function Choices() {
  const filter = useSignal("");
  const names = new Set(chosenNames.value);
  const wanted = filter.value.trim().toLowerCase();
  const fits = (q: Quantity) => !wanted || q.name.toLowerCase().includes(wanted);
  const all = (scene.value?.quantities ?? []).filter(fits);
  function choose(name: string, on: boolean): void {
    chosen.value = on ? [...names, name] : [...names].filter((n) => n !== name);
  }
  return (
    <div class="picker">
      <div class="picker-head">
        <Search text={filter} label="Filter quantities" />
        <Button label="No curves" text="None" kind="plain" onClick={() => (chosen.value = [])} />
        <Button label="The curves shown at first" text="Default" kind="plain" onClick={() => (chosen.value = null)} />
      </div>
      <div class="picker-list" tabIndex={0} role="group" aria-label="Quantities">
        {GROUPS.map(({ group, title }) => {
          const rows = all.filter((q) => q.group === group);
          if (!rows.length) return null;
          return (
            <fieldset key={group}>
              <legend>{title}</legend>
              {rows.slice(0, MOST).map((q) => (
                <label class="choice" key={q.name}>
                  <input
                    type="checkbox"
                    class="check"
                    checked={names.has(q.name)}
                    onChange={(event) => choose(q.name, event.currentTarget.checked)}
                  />
                  <span class="choice-name">{q.name}</span>
                  <span class="muted">{q.unit}</span>
                </label>
              ))}
              {rows.length > MOST && <p class="hint">{rows.length - MOST} more: use the filter.</p>}
            </fieldset>
          );
        })}
        {!all.length && <p class="empty">No quantity has this name.</p>}
      </div>
    </div>
  );
}
