import type { ComponentChildren } from "preact";
import type { Scene } from "../protocol";
import { scene, selection, type Thing } from "../state";
import { JointFacts } from "./jointfacts";
import { MateFacts } from "./matefacts";
import { PartFacts } from "./partfacts";

/** All about what is selected. */
export function Inspector() {
  const thing = selection.value;
  const now = scene.value;
  const content = thing && now ? contentOf(thing, now) : null;
  return (
    <section class="inspector" aria-label="Selected">
      {content ?? <p class="hint">Select a part, joint or mate, here or in the view.</p>}
    </section>
  );
}

function contentOf(thing: Thing, now: Scene): ComponentChildren {
  if (thing.kind === "part" && now.parts[thing.part]) return <PartFacts thing={thing} now={now} />;
  if (thing.kind === "body" && now.bodies[thing.body]) return <PartFacts thing={thing} now={now} />;
  if (thing.kind === "joint" && now.joints[thing.joint]) {
    return <JointFacts joint={now.joints[thing.joint]} now={now} />;
  }
  if (thing.kind === "mate" && now.mates[thing.mate]) return <MateFacts row={thing.mate} now={now} />;
  return null;
}
