import { sentence } from "../numbers";
import { connected, pose, scene, status } from "../state";
import { live } from "../ui";
import { CrossButton } from "./crossbutton";
import { freedomLine } from "./diagnostics";

/** One line at the foot: what the mechanism says, how free it is, how fast it was solved. */
export function StatusBar() {
  const now = scene.value;
  const told = status.value;
  const stop = told !== null && told.level !== "ok";
  return (
    <footer class="statusbar">
      <span class={`status-text ${stop ? told.level : ""}`} role="status" aria-live="polite">
        {statusText()}
      </span>
      {stop && <CrossButton />}
      <span class="spring" />
      {now && <span class="status-more">{freedomLine(now)}</span>}
      {now && <SolveTime />}
      <span class={`lamp ${connected.value ? "on" : "out"}`}>
        {live.value ? (connected.value ? "Connected" : "Not connected") : "Recording"}
      </span>
    </footer>
  );
}

function statusText(): string {
  const now = scene.value;
  const told = status.value;
  if (told && told.level !== "ok") return sentence(told.text);
  if (!now) return "";
  if (!now.assembled) return sentence(now.status);
  return told?.text || "Ready";
}

function SolveTime() {
  const seconds = pose.value?.seconds;
  if (!seconds) return null;
  return <span class="status-more solve">{(1000 * seconds).toFixed(2)} ms</span>;
}
