import { useEffect } from "preact/hooks";
import { files, folder, send } from "../state";
import { Icon } from "./icons";

/** Files within the folder that the server shows. */
export function FileBrowser() {
  useEffect(() => {
    if (!files.value) send({ type: "browse", folder: "" });
  }, []);
  const now = files.value;
  return (
    <div class="browser">
      <p class="browser-path">
        <Icon name="folder" /> {[folder.value, now?.folder].filter(Boolean).join("/") || "Files"}
      </p>
      <ul class={now && (now.parent !== null || now.entries.length) ? "file-list" : ""} aria-label="Files">
        {now && now.parent !== null && (
          <Entry icon="left" name="Up one folder" go={() => send({ type: "browse", folder: now.parent ?? "" })} />
        )}
        {now?.entries.map((entry) => (
          <Entry
            key={entry.source}
            icon={entry.kind === "folder" ? "folder" : "file"}
            name={entry.name}
            go={() =>
              entry.kind === "folder"
                ? send({ type: "browse", folder: entry.source })
                : send({ type: "open", source: entry.source })
            }
          />
        ))}
      </ul>
      {now && !now.entries.length && <p class="empty">Nothing here that can be opened.</p>}
    </div>
  );
}

function Entry({ icon, name, go }: { icon: "left" | "folder" | "file"; name: string; go(): void }) {
  return (
    <li>
      <button type="button" class="file" onClick={go}>
        <Icon name={icon} />
        <span>{name}</span>
      </button>
    </li>
  );
}
