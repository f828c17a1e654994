import type { ComponentChildren } from "preact";
import type { Scene } from "../protocol";
import { hovered, selection, type Thing } from "../state";
import { Button } from "./button";

export function Title({ what, name }: { what: string; name: string }) {
  return (
    <header class="inspector-title">
      <h2 title={name}>{name}</h2>
      <span class="muted">{what}</span>
      <Button icon="close" label="Select nothing" onClick={() => (selection.value = null)} />
    </header>
  );
}

export function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div class="fact">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

export function Link({ to, text }: { to: Thing; text: string }) {
  return (
    <button
      type="button"
      class="link"
      onClick={() => (selection.value = to)}
      onMouseEnter={() => (hovered.value = to)}
      onMouseLeave={() => (hovered.value = null)}
    >
      {text}
    </button>
  );
}

export function BodyLink({ now, body }: { now: Scene; body: string }) {
  const row = now.bodies.findIndex((b) => b.name === body);
  const only = now.bodies[row].parts.length === 1;
  const to: Thing = only
    ? { kind: "part", part: now.bodies[row].parts[0] }
    : { kind: "body", body: row };
  return <Link to={to} text={now.bodies[row].name} />;
}
