import type { Verdict } from "../protocol";

const WORDS: Record<Verdict, string> = {
  needed: "needed",
  redundant: "redundant",
  conflicting: "conflicting",
  off: "off",
  "": "checking…",
};
const LOOKS: Record<Verdict, string> = {
  needed: "good",
  redundant: "info",
  conflicting: "bad",
  off: "quiet",
  "": "quiet",
};

/** What a mate does, in a word; a conflicting one with its gap. */
export function VerdictBadge({ verdict, gap }: { verdict: Verdict; gap: string }) {
  const open = verdict === "conflicting" && gap ? ` by ${gap}` : "";
  return (
    <span class={`badge ${LOOKS[verdict]}`} title={WORDS[verdict] + open}>
      {WORDS[verdict]}
      {open}
    </span>
  );
}
