import { useSignal } from "@preact/signals";
import { folder, scene, send } from "../state";
import { edited } from "../ui";
import { Button } from "./button";
import { Dialog } from "./dialog";

/** Save the mates file within the served folder, or download it. */
export function SaveDialog() {
  const now = scene.value;
  const path = useSignal(firstPath(now?.source ?? ""));
  const replace = useSignal(false);
  if (!now) return null;
  function save(event: Event): void {
    event.preventDefault();
    const wanted = path.value.trim();
    if (wanted) send({ type: "save", path: wanted, replace: replace.value });
  }
  return (
    <Dialog title="Save the mates file">
      <form class="form" onSubmit={save}>
        <label class="form-field">
          <span>Path{folder.value ? ` within ${folder.value}` : ""}</span>
          <input
            type="text"
            class="text-input"
            data-first
            spellcheck={false}
            value={path.value}
            onInput={(event) => (path.value = event.currentTarget.value)}
          />
        </label>
        <label class="choice">
          <input
            type="checkbox"
            class="check"
            checked={replace.value}
            onChange={(event) => (replace.value = event.currentTarget.checked)}
          />
          <span class="choice-name">Replace the file if there is one</span>
        </label>
        <p class="hint">
          {edited.value ? "Mates were changed since the last save." : "No mate was changed."} Comments
          and layout of the file stay.
        </p>
        <div class="form-actions">
          <Button
            icon="download"
            label="Download the mates file"
            text="Download"
            kind="plain"
            onClick={() => send({ type: "text", what: "mates" })}
          />
          <span class="spring" />
          <button type="submit" class="button primary" disabled={!path.value.trim()}>
            Save
          </button>
        </div>
      </form>
    </Dialog>
  );
}

/** The file itself where it lies within the folder; else a new file of its name. */
export function firstPath(source: string): string {
  const away = /^(shipped|upload):/.test(source);
  const name = away ? (source.split(/[:/]/).pop() ?? "") : source;
  if (/\.ya?ml$/i.test(name)) return name;
  if (/\.(step|stp|p21|asmt|fcstd)$/i.test(name)) return name.replace(/\.[^.]*$/, ".yaml");
  if (away || !name) return `${name || "assembly"}.yaml`;
  return `${name.replace(/\/$/, "")}/assembly.yaml`; // a folder
}
