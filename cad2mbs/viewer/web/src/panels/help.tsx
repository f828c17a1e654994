import { LOOK_KEYS, TOOL_KEYS, VIEW_KEYS } from "../keys";
import { live } from "../ui";
import { Dialog } from "./dialog";

type Row = [string, string];
const MOUSE: Row[] = [
  ["Drag a part", "the mechanism follows the hand (Move)"],
  ["Drag beside it", "turn the view"],
  ["Right drag", "shift the view"],
  ["Wheel", "zoom to the pointer"],
  ["Click", "select, measure or trace"],
  ["Double click", "show this part large"],
  ["Press on a curve", "drive the mechanism there"],
];
const KEYS: Row[] = [
  ["Space", "play or pause"],
  ["R", "back to the start pose"],
  ["[ ] \\", "model panel, motion panel, curves"],
  ["Escape", "select nothing"],
  ["?", "this help"],
];
const FILES: Row[] = [
  ["Ctrl O", "open"],
  ["Ctrl S", "save"],
  ["Ctrl Z", "undo a change of mates"],
];
const SLIDER: Row[] = [
  ["Arrows", "one step; with Shift a tenth of it"],
  ["Page Up, Down", "ten steps"],
  ["Home, End", "ends of the reach"],
];
const TREE: Row[] = [
  ["Arrows", "up, down, fold, unfold"],
  ["Enter", "select"],
  ["Space", "hide or show"],
  ["I, G", "isolate, glass"],
];

/** What mouse and keys do. */
export function HelpDialog() {
  const views = VIEW_KEYS.map((v) => [v.key, v.text.toLowerCase()] as Row);
  const looks = LOOK_KEYS.map((l) => [l.key, l.text.toLowerCase()] as Row);
  const tools = TOOL_KEYS.map((t) => [t.key, t.text.toLowerCase()] as Row);
  return (
    <Dialog title="Help" wide>
      <div class="help">
        <Table title="Mouse" rows={live.value ? MOUSE : MOUSE.slice(1)} plain />
        <Table title="Keys" rows={live.value ? [...KEYS, ...FILES] : KEYS} />
        <Table title="On a slider" rows={SLIDER} />
        <Table title="In the tree" rows={TREE} />
        <Table title="Views" rows={views} short />
        <Table title="Looks" rows={[...looks, ["X", "section"]]} short />
        <Table title="Tools" rows={tools} short />
      </div>
    </Dialog>
  );
}

interface Props {
  title: string;
  rows: Row[];
  plain?: boolean; // what is done, not a key
  short?: boolean;
}

function Table({ title, rows, plain, short }: Props) {
  return (
    <section>
      <h3>{title}</h3>
      <dl>
        {rows.map(([keys, text]) => (
          <div class={`help-row ${short ? "short" : ""}`} key={keys}>
            <dt>{plain ? keys : <kbd>{keys}</kbd>}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
