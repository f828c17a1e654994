import { measured, picked, scene, send, tool, traces } from "../state";
import { counted, short } from "../numbers";
import type { Trace } from "../protocol";
import { live } from "../ui";
import { Button } from "./button";
import { Section } from "./section";

const HINTS = {
  move: "Drag a part in the view and the mechanism follows. D measures, T traces.",
  measure: "Click one or two faces, edges or points in the view.",
  trace: "Click a point of a part in the view to draw the path it takes.",
};

function hint(): string {
  if (tool.value === "move" && !live.value) return "Click a part in the view. D measures, T traces.";
  return HINTS[tool.value];
}

/** What has been measured, and the traces that are drawn. */
export function Tools() {
  if (!scene.value) return null;
  const list = Object.values(traces.value);
  return (
    <Section title="Measure and trace">
      <p class="hint">{hint()}</p>
      {picked.value.length > 0 && (
        <ol class="picked">
          {picked.value.map((p, k) => (
            <li key={k}>{p.label}</li>
          ))}
        </ol>
      )}
      {measured.value.length > 0 && (
        <dl class="measured">
          {measured.value.map((m) => (
            <div class="fact" key={m.label}>
              <dt>{m.label}</dt>
              <dd>{m.value}</dd>
            </div>
          ))}
        </dl>
      )}
      {picked.value.length > 0 && (
        <Button label="Clear what was picked" text="Clear" kind="plain" onClick={clear} />
      )}
      {list.length > 0 && (
        <ul class="traces">
          {list.map((trace) => (
            <li key={trace.id}>
              <span class="thing-name">{scene.value?.parts[trace.part]?.name ?? "?"}</span>
              <span class="thing-more">{traceText(trace)}</span>
              <Button
                icon="close"
                label={`Remove the trace of ${scene.value?.parts[trace.part]?.name ?? "the point"}`}
                onClick={() => remove(trace.id)}
              />
            </li>
          ))}
        </ul>
      )}
      {list.length > 1 && (
        <Button
          label="Remove all traces"
          text="Remove all"
          kind="plain"
          onClick={() => list.forEach((t) => remove(t.id))}
        />
      )}
    </Section>
  );
}

function clear(): void {
  picked.value = [];
  measured.value = [];
}

function remove(id: number): void {
  const { [id]: _gone, ...rest } = traces.value;
  traces.value = rest;
  send({ type: "untrace", id });
}

function traceText({ points, closed }: Trace): string {
  const units = scene.value?.units;
  let length = 0;
  for (let k = 1; k < points.length; k++) {
    length += Math.hypot(...points[k].map((c, i) => c - points[k - 1][i]));
  }
  if (points.length < 2 || length < 1e-6) return "does not move";
  const size = `${short(length / (units?.mm || 1))} ${units?.length ?? "mm"}`;
  return `${closed ? "closed" : "open"} path of ${size}, ${counted(points.length, "point")}`;
}
