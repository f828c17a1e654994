import { useRef } from "preact/hooks";
import { maxUpload } from "../state";
import { ACCEPTED, megabytes, upload } from "../upload";
import { uploads } from "../ui";
import { Icon } from "./icons";

/** Files from this computer, by button or by drop, and how far they have come. */
export function Uploader() {
  const input = useRef<HTMLInputElement>(null);
  const most = maxUpload.value > 0 ? `, at most ${megabytes(maxUpload.value)} each` : "";
  return (
    <div class="uploader">
      <Icon name="upload" />
      <div class="uploader-text">
        <span>Drop files anywhere on the page, or </span>
        <button type="button" class="button plain" onClick={() => input.current?.click()}>
          Choose files
        </button>
        <span class="muted block">STEP, mates file with its STEP files, FreeCAD or Ondsel model{most}.</span>
      </div>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label="Files to upload"
        accept={ACCEPTED}
        onChange={(event) => {
          void upload(event.currentTarget.files ?? []);
          event.currentTarget.value = "";
        }}
      />
      {uploads.value.map((u) => (
        <label key={u.name} class="upload-row">
          <span>{u.name}</span>
          <progress max={1} value={u.part} />
        </label>
      ))}
    </div>
  );
}
