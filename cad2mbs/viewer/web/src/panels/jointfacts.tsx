import { counted, short } from "../numbers";
import type { Joint, Scene } from "../protocol";
import { BodyLink, Fact, Link, Title } from "./fact";

export function JointFacts({ joint, now }: { joint: Joint; now: Scene }) {
  return (
    <>
      <Title what={joint.kind} name={joint.name} />
      <dl>
        <Fact name="Freedoms">{counted(joint.freedoms, "freedom")}</Fact>
        <Fact name="Bodies">
          {joint.bodies.map((body) => (
            <BodyLink key={body} now={now} body={body} />
          ))}
        </Fact>
        <Fact name="Role">
          {joint.role === "tree" ? "in the tree" : "closes a loop"}
          {joint.reason && <span class="muted block">{joint.reason}</span>}
        </Fact>
        {joint.limits.length > 0 && (
          <Fact name="Limits">
            {joint.limits.map((l) => (
              <span class="block" key={l.name}>
                {l.name}: {l.low === null ? "no lower end" : short(l.low)} to{" "}
                {l.high === null ? "no upper end" : short(l.high)}
              </span>
            ))}
          </Fact>
        )}
        <Fact name="From mates">
          {joint.mates.map((name) => {
            const mate = now.mates.findIndex((m) => m.name === name);
            return mate < 0 ? (
              <span key={name}>{name}</span>
            ) : (
              <Link key={name} to={{ kind: "mate", mate }} text={name} />
            );
          })}
        </Fact>
      </dl>
    </>
  );
}
