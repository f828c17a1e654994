import { effect } from "@preact/signals";
import { render } from "preact";
import "./style.css";
import { App } from "./panels/app";
import { keepClashes, keepCurves } from "./asking";
import { onKeyDown, onPointerDown } from "./keys";
import { connect } from "./link";
import { watchPlaying } from "./player";
import { play } from "./recording";
import { scene } from "./state";
import { restore } from "./ui";

restore();
const recording = document.getElementById("recording");
if (recording) play(recording.textContent ?? "");
else connect();
effect(() => {
  if (scene.value) document.title = `${scene.value.name} – cad2mbs`;
});
keepCurves();
keepClashes();
watchPlaying();
window.addEventListener("keydown", onKeyDown);
window.addEventListener("pointerdown", onPointerDown, true);
render(<App />, document.getElementById("app")!);
