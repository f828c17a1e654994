import { OpenChoices } from "./open";

/** The first thing to see when no assembly was named. */
export function Start() {
  return (
    <div class="start" tabIndex={-1}>
      <div class="start-inner">
        <h2>Open an assembly</h2>
        <p class="muted">Pick a shipped one to try, a file on the server, or one of your own.</p>
        <OpenChoices />
      </div>
    </div>
  );
}
