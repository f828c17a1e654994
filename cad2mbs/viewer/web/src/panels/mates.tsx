import { useComputed, useSignal } from "@preact/signals";
import { counted } from "../numbers";
import type { Verdict } from "../protocol";
import { conflict, scene, verdicts } from "../state";
import { MateRow } from "./materow";
import { Search } from "./search";
import { ThingList } from "./thinglist";

/** Mates with their verdicts; each can be switched off and its number changed. */
export function Mates() {
  const filter = useSignal("");
  const rows = useComputed(() => {
    const wanted = filter.value.trim().toLowerCase();
    const all = scene.value?.mates ?? [];
    const text = (k: number) =>
      [all[k].name, all[k].kind, all[k].a, all[k].b, verdicts.value[all[k].name]?.verdict ?? ""]
        .join(" ")
        .toLowerCase();
    return all.map((_, k) => k).filter((k) => !wanted || text(k).includes(wanted));
  });
  const count = scene.value?.mates.length ?? 0;
  if (!count) return <p class="empty">No mates: every part is free or fixed.</p>;
  return (
    <>
      <div class="list-head">
        <Search text={filter} label="Filter mates, also by verdict" />
      </div>
      <p class="summary">{summary()}</p>
      <ThingList
        label="Mates"
        kind="mate"
        rows={rows.value}
        height={50}
        row={(k, current) => <MateRow number={k} current={current} />}
      />
    </>
  );
}

/** How many mates do what, in one line. */
function summary(): string {
  const mates = scene.value?.mates ?? [];
  const found = mates.map((m) => verdicts.value[m.name]?.verdict ?? m.verdict);
  const number = (verdict: Verdict) => found.filter((v) => v === verdict).length;
  const said = (["needed", "redundant", "conflicting", "off"] as const)
    .filter((v) => number(v))
    .map((v) => `${number(v)} ${v}`);
  const rest = number("") ? ["verdicts follow"] : [];
  const told = number("conflicting") > 0; // the set is named in the diagnostics
  const set = conflict.value.length && !told ? `, ${conflict.value.length} contradict each other` : "";
  if (said.length === 1 && !rest.length && !set) {
    return `${counted(mates.length, "mate")}, ${mates.length > 1 ? "all " : ""}${found[0]}`;
  }
  return `${counted(mates.length, "mate")}: ${[...said, ...rest].join(", ")}${set}`;
}
