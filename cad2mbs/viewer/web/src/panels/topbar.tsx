import { gallery, looks, scene, send, tool, wantedView, type Tool } from "../state";
import { dialog, edited, edits, live, setDark, setSizes, sizes } from "../ui";
import { TOOL_KEYS, VIEW_KEYS } from "../keys";
import { Button } from "./button";
import { Icon } from "./icons";
import { LooksMenu } from "./looksmenu";

const BAR_VIEWS = VIEW_KEYS.filter((v) => ["front", "right", "top", "iso"].includes(v.view));

/** Name of the assembly, files, tools, views, looks, help. */
export function TopBar() {
  const now = scene.value;
  const s = sizes.value;
  return (
    <header class="topbar">
      {now && (
        <Button
          icon="left_panel"
          label="Model panel"
          keys="["
          pressed={s.leftOpen}
          onClick={() => setSizes({ leftOpen: !s.leftOpen })}
        />
      )}
      <div class="brand">
        <h1 title={now?.source}>{now ? now.name : "cad2mbs"}</h1>
        {edited.value && <span class="badge warn">changed</span>}
        {now && !live.value && <span class="badge quiet">recording</span>}
      </div>
      {live.value && (now || !gallery.value) && (
        <div class="group" role="group" aria-label="File">
          <Button icon="folder" label="Open" keys="Control+O" text="Open" onClick={() => (dialog.value = "open")} />
          {now && (
            <>
              <Button icon="save" label="Save" keys="Control+S" text="Save" onClick={() => (dialog.value = "save")} />
              <Button icon="undo" label="Undo the last change of mates" keys="Control+Z" disabled={edits.value === 0} onClick={() => send({ type: "undo" })} />
            </>
          )}
        </div>
      )}
      <span class="spring" />
      {now && <ToolSwitch />}
      {now && (
        <div class="group" role="group" aria-label="View">
          <Button icon="fit" label="Fit all into the view" keys="F" text="Fit" onClick={() => (wantedView.value = "fit")} />
          <div class="group wide-only">
            {BAR_VIEWS.map((v) => (
              <Button key={v.view} label={`${v.text} view`} keys={v.key} text={v.view === "iso" ? "Iso" : v.text} onClick={() => (wantedView.value = v.view)} />
            ))}
          </div>
          <LooksMenu />
        </div>
      )}
      <Button
        icon={looks.value.dark ? "sun" : "moon"}
        label={looks.value.dark ? "Light theme" : "Dark theme"}
        onClick={() => setDark(!looks.value.dark)}
      />
      <Button icon="help" label="Help" keys="?" onClick={() => (dialog.value = "help")} />
      {now && (
        <>
          <Button icon="bottom_panel" label="Curves panel" keys="\" pressed={s.bottomOpen} onClick={() => setSizes({ bottomOpen: !s.bottomOpen })} />
          <Button icon="right_panel" label="Motion panel" keys="]" pressed={s.rightOpen} onClick={() => setSizes({ rightOpen: !s.rightOpen })} />
        </>
      )}
    </header>
  );
}

/** What a click or drag in the view does. */
function ToolSwitch() {
  const named = (name: Tool, text: string) => (name === "move" && !live.value ? "Select" : text);
  const choices = TOOL_KEYS.map((t) => ({ ...t, text: named(t.tool, t.text) }));
  return (
    <div class="segments" role="radiogroup" aria-label="Tool">
      {choices.map(({ tool: name, key, text, icon }) => (
        <label key={name} class="segment" title={`${text} (${key})`}>
          <input
            type="radio"
            name="tool"
            aria-keyshortcuts={key}
            checked={tool.value === name}
            onChange={() => (tool.value = name)}
          />
          <span>
            <Icon name={icon} />
            <span class="segment-text">{text}</span>
          </span>
        </label>
      ))}
    </div>
  );
}
