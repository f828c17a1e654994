import { short } from "../numbers";
import type { Scene } from "../protocol";
import { verdicts } from "../state";
import { Fact, Link, Title } from "./fact";

const VERDICTS = {
  needed: "needed: without it there would be more freedom",
  redundant: "redundant: other mates already hold what it holds",
  conflicting: "conflicting: it cannot hold together with others",
  off: "off: it does not act",
  "": "not known yet",
};

export function MateFacts({ row, now }: { row: number; now: Scene }) {
  const mate = now.mates[row];
  const verdict = verdicts.value[mate.name] ?? mate;
  const joints = now.joints
    .map((joint, k) => ({ joint, k }))
    .filter(({ joint }) => joint.mates.includes(mate.name));
  return (
    <>
      <Title what={mate.kind} name={mate.name} />
      {mate.meaning && <p class="meaning">{mate.meaning}</p>}
      <dl>
        <Fact name="Between">
          <span class="block">{mate.a}</span>
          <span class="block">{mate.b}</span>
        </Fact>
        {mate.value !== null && (
          <Fact name="Value">
            {short(mate.value)} {mate.unit}
          </Fact>
        )}
        <Fact name="Verdict">
          {mate.off ? VERDICTS.off : VERDICTS[verdict.verdict]}
          {verdict.gap && <span class="block">open by {verdict.gap}</span>}
        </Fact>
        {joints.length > 0 && (
          <Fact name="Makes joint">
            {joints.map(({ joint, k }) => (
              <Link key={k} to={{ kind: "joint", joint: k }} text={joint.name} />
            ))}
          </Fact>
        )}
      </dl>
    </>
  );
}
