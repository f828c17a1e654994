import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { busy, gallery, send } from "../state";
import { Dialog } from "./dialog";
import { FileBrowser } from "./browser";
import { Gallery } from "./gallery";
import { Uploader } from "./uploader";

/** Open another assembly: from the gallery, from the served folder, from this computer. */
export function OpenDialog() {
  useEffect(() => {
    if (!gallery.value) send({ type: "gallery" });
  }, []);
  return (
    <Dialog title="Open" wide>
      <OpenChoices />
    </Dialog>
  );
}

/** The same choices for the dialog and the start screen. */
export function OpenChoices() {
  const where = useSignal<"gallery" | "files">("gallery");
  return (
    <>
      <Uploader />
      <div class="open-bar">
        <div class="segments" role="radiogroup" aria-label="From where">
          {(["gallery", "files"] as const).map((name) => (
            <label key={name} class="segment">
              <input
                type="radio"
                name="open-where"
                checked={where.value === name}
                onChange={() => (where.value = name)}
              />
              <span>{name === "gallery" ? "Shipped assemblies" : "Files on the server"}</span>
            </label>
          ))}
        </div>
        {busy.value !== null && (
          <span class="muted" role="status">
            <span class="spinner" /> {busy.value}
          </span>
        )}
      </div>
      {where.value === "gallery" ? <Gallery /> : <FileBrowser />}
    </>
  );
}
