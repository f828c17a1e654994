import { useComputed, useSignal } from "@preact/signals";
import { counted } from "../numbers";
import { hovered, scene, selection } from "../state";
import { Search } from "./search";
import { ThingList } from "./thinglist";

/** Joints: kind, freedoms, part of the tree or closing a loop. */
export function Joints() {
  const filter = useSignal("");
  const rows = useComputed(() => {
    const wanted = filter.value.trim().toLowerCase();
    const all = scene.value?.joints ?? [];
    const text = (k: number) => `${all[k].name} ${all[k].kind} ${all[k].role}`.toLowerCase();
    return all.map((_, k) => k).filter((k) => !wanted || text(k).includes(wanted));
  });
  const joints = scene.value?.joints ?? [];
  if (!joints.length) return <p class="empty">The mates leave no joints.</p>;
  const loops = joints.filter((j) => j.role === "closing").length;
  return (
    <>
      <div class="list-head">
        <Search text={filter} label="Filter joints" />
      </div>
      <p class="summary">
        {counted(joints.length, "joint")}, {loops ? `${loops} of them closing loops` : "no loops"}
      </p>
      <ThingList
        label="Joints"
        kind="joint"
        rows={rows.value}
        height={46}
        row={(k, current) => <JointRow number={k} current={current} />}
      />
    </>
  );
}

function JointRow({ number, current }: { number: number; current: boolean }) {
  const joint = scene.value?.joints[number];
  if (!joint) return null;
  const chosen = selection.value;
  const selected = chosen?.kind === "joint" && chosen.joint === number;
  const pointed = hovered.value?.kind === "joint" && hovered.value.joint === number;
  return (
    <div
      role="listitem"
      class={`thing-row ${selected ? "selected" : ""} ${current ? "current" : ""} ${pointed ? "pointed" : ""}`}
      onMouseEnter={() => (hovered.value = { kind: "joint", joint: number })}
    >
      <button
        type="button"
        class="thing-main"
        data-main
        aria-pressed={selected}
        tabIndex={current ? 0 : -1}
        onClick={() => (selection.value = selected ? null : { kind: "joint", joint: number })}
      >
        <span class="thing-name">{joint.name}</span>
        <span class="thing-more">
          {joint.kind}, {counted(joint.freedoms, "freedom")}
        </span>
      </button>
      <span class={`badge ${joint.role === "tree" ? "quiet" : "info"}`}>
        {joint.role === "tree" ? "tree" : "closes loop"}
      </span>
    </div>
  );
}
