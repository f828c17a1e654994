import type { Scene } from "../protocol";
import { glass, type Thing } from "../state";
import { isHidden, isIsolated, partsOf, toggleGlass, toggleHidden, toggleIsolated } from "../visibility";
import { Button } from "./button";
import { ColourField } from "./colourfield";
import { Fact, Link, Title } from "./fact";

export function PartFacts({ thing, now }: { thing: Thing; now: Scene }) {
  const parts = partsOf(thing, now);
  const body = thing.kind === "body" ? thing.body : now.parts[parts[0]].body;
  const name = thing.kind === "body" ? now.bodies[body].name : now.parts[parts[0]].name;
  const hidden = parts.every(isHidden);
  const clear = parts.every((p) => glass.value.has(p));
  const alone = isIsolated(parts);
  const joints = now.joints
    .map((joint, k) => ({ joint, k }))
    .filter(({ joint }) => joint.bodies.includes(now.bodies[body].name));
  return (
    <>
      <Title what={thing.kind} name={name} />
      <div class="inspector-actions">
        <Button
          icon={hidden ? "eyeOff" : "eye"}
          label={hidden ? "Show" : "Hide"}
          text={hidden ? "Show" : "Hide"}
          kind="plain"
          onClick={() => toggleHidden(parts)}
        />
        <Button
          icon="isolate"
          label="Isolate"
          text="Isolate"
          kind="plain"
          pressed={alone}
          onClick={() => toggleIsolated(parts)}
        />
        <Button
          icon="glass"
          label="Transparent"
          text="Glass"
          kind="plain"
          pressed={clear}
          onClick={() => toggleGlass(parts)}
        />
        <ColourField parts={parts} name={name} />
      </div>
      <dl>
        {thing.kind === "part" && now.bodies[body].parts.length > 1 && (
          <Fact name="Body">
            <Link to={{ kind: "body", body }} text={now.bodies[body].name} />
          </Fact>
        )}
        {thing.kind === "body" && <Fact name="Parts">{now.bodies[body].parts.length}</Fact>}
        {now.bodies[body].grounded && <Fact name="Ground">fixed to the ground</Fact>}
        <Fact name="Joints">
          {joints.length
            ? joints.map(({ joint, k }) => (
                <Link key={k} to={{ kind: "joint", joint: k }} text={joint.name} />
              ))
            : "none"}
        </Fact>
      </dl>
    </>
  );
}
