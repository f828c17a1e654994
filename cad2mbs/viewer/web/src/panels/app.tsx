import { View3D } from "../scene/view";
import { busy, gallery, scene } from "../state";
import { dialog, narrow, setSizes, sizes } from "../ui";
import { ClashChip } from "./clashchip";
import { Connection } from "./connection";
import { CurvesPanel } from "./curves";
import { Dialogs } from "./dialogs";
import { DropZone } from "./dropzone";
import { Left } from "./left";
import { Right } from "./right";
import { Splitter } from "./splitter";
import { Start } from "./start";
import { StatusBar } from "./statusbar";
import { Toasts } from "./toasts";
import { TopBar } from "./topbar";

/** The page: bar on top, model left, motion right, curves below, the view in the middle. */
export function App() {
  const s = sizes.value;
  const open = scene.value !== null;
  const style = {
    "--left": open && s.leftOpen ? `${s.left}px` : "0px",
    "--right": open && s.rightOpen ? `${s.right}px` : "0px",
    "--bottom": open && s.bottomOpen ? `${s.bottom}px` : "0px",
  };
  const drawer = narrow.value && (s.leftOpen || s.rightOpen);
  return (
    <div class={`app ${narrow.value ? "narrow" : ""}`} style={style}>
      <TopBar />
      {open && s.leftOpen && (
        <aside class="panel left" aria-label="Model">
          <Left />
          {!narrow.value && <Splitter side="left" />}
        </aside>
      )}
      <main class="centre">
        {open ? <View3D /> : <Waiting />}
        {open && <ClashChip />}
        {drawer && (
          <button
            type="button"
            class="scrim"
            aria-label="Close the panel"
            onClick={() => setSizes({ leftOpen: false, rightOpen: false })}
          />
        )}
        {open && busy.value !== null && (
          <p class="busy" role="status">
            <span class="spinner" /> {busy.value}
          </p>
        )}
      </main>
      {open && s.rightOpen && (
        <aside class="panel right" aria-label="Motion">
          {!narrow.value && <Splitter side="right" />}
          <div class="panel-scroll">
            <Right />
          </div>
        </aside>
      )}
      {open && s.bottomOpen && (
        <section class="panel bottom" aria-label="Curves">
          <Splitter side="bottom" />
          <CurvesPanel />
        </section>
      )}
      <StatusBar />
      <Connection />
      {dialog.value === null && <Toasts />}
      <Dialogs />
      <DropZone />
    </div>
  );
}

/** Before anything is open: the gallery, or a word on what is going on. */
function Waiting() {
  if (gallery.value !== null && busy.value === null) return <Start />;
  return (
    <div class="start-wait" role="status">
      <span class="spinner" /> {busy.value ?? "Connecting"}
    </div>
  );
}
