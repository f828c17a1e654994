// @vitest-environment jsdom
import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Tree } from "./panels/tree";
import { glass, hidden, hovered, isolated, scene, selection } from "./state";
import { testScene } from "./testscene";
import { rowOf, treeKey, treeRows } from "./treerows";

const SCENE = testScene([["frame"], ["rod", "bolt", "nut"], ["piston"]]);
let box: HTMLElement;

function show(): void {
  act(() => render(<Tree />, box));
}
function press(...keys: string[]): void {
  for (const key of keys) {
    const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true });
    act(() => void box.querySelector("[role=tree]")!.dispatchEvent(event));
  }
}
function current(): string {
  const id = box.querySelector("[role=tree]")!.getAttribute("aria-activedescendant")!;
  return box.querySelector(`#${id} .tree-name`)!.textContent!;
}
const names = (): string[] =>
  [...box.querySelectorAll(".tree-name")].map((node) => node.textContent ?? "");

beforeEach(() => {
  scene.value = SCENE;
  selection.value = hovered.value = isolated.value = null;
  hidden.value = new Set();
  glass.value = new Set();
  box = document.createElement("div");
  document.body.append(box);
});
afterEach(() => {
  render(null, box);
  box.remove();
});

test("a body of one part is one row, a body of several has them below it", () => {
  show();
  expect(names()).toEqual(["frame", "body 1", "rod", "bolt", "nut", "piston"]);
  const items = [...box.querySelectorAll("[role=treeitem]")];
  expect(items.map((i) => i.getAttribute("aria-level"))).toEqual(["1", "1", "2", "2", "2", "1"]);
  expect(items[1].getAttribute("aria-expanded")).toBe("true");
  expect(items[0].getAttribute("aria-label")).toBe("frame, grounded");
});

test("arrows, Home and End go through the tree", () => {
  show();
  press("ArrowDown", "ArrowDown");
  expect(current()).toBe("rod");
  press("End");
  expect(current()).toBe("piston");
  press("ArrowDown");
  expect(current()).toBe("piston");
  press("Home", "ArrowUp");
  expect(current()).toBe("frame");
});

test("left goes to the body and folds it, right unfolds it and goes in", () => {
  show();
  press("ArrowDown", "ArrowDown", "ArrowDown", "ArrowLeft");
  expect(current()).toBe("body 1");
  press("ArrowLeft");
  expect(names()).toEqual(["frame", "body 1", "piston"]);
  press("ArrowRight");
  expect(names()).toHaveLength(6);
  press("ArrowRight");
  expect(current()).toBe("rod");
});

test("Enter selects and Space hides, for a body all its parts", () => {
  show();
  press("ArrowDown", "Enter");
  expect(selection.value).toEqual({ kind: "body", body: 1 });
  press(" ");
  expect([...hidden.value]).toEqual([1, 2, 3]);
  press(" ");
  expect(hidden.value.size).toBe(0);
  press("g", "i");
  expect([...glass.value]).toEqual([1, 2, 3]);
  expect([...(isolated.value ?? [])]).toEqual([1, 2, 3]);
});

test("a selection made elsewhere is found, also in a folded body", async () => {
  show();
  press("ArrowDown", "ArrowLeft");
  selection.value = { kind: "part", part: 3 };
  await new Promise((done) => setTimeout(done, 100)); // the tree follows with the next frame
  expect(current()).toBe("nut");
  expect(box.querySelector("[aria-selected=true] .tree-name")!.textContent).toBe("nut");
});

test("pointing at a row points at its part", () => {
  show();
  const row = box.querySelectorAll("[role=treeitem]")[5];
  act(() => void row.dispatchEvent(new MouseEvent("mouseenter")));
  expect(hovered.value).toEqual({ kind: "part", part: 4 });
});

test("of two thousand parts only some are in the page, the current one always", () => {
  scene.value = testScene(Array.from({ length: 2000 }, (_, k) => [`part_${k}`]));
  show();
  expect(box.querySelectorAll("[role=treeitem]").length).toBeLessThan(100);
  press("End");
  expect(current()).toBe("part_1999");
});

test("names are text, whatever they say", () => {
  const name = '<img src=x onerror="window.hurt = 1"><script>window.hurt = 2</script>';
  scene.value = testScene([[name]]);
  show();
  expect(names()).toEqual([name]);
  expect(box.querySelector("img, script")).toBeNull();
});

test("the filter keeps bodies whose parts have the name", () => {
  const rows = treeRows(SCENE, new Set([1]), "BOLT");
  expect(rows.map((r) => [r.kind, r.body, r.part])).toEqual([
    ["body", 1, -1],
    ["part", 1, 2],
  ]);
  expect(rowOf(rows, { kind: "part", part: 4 })).toBe(-1);
  expect(treeKey([], 0, "ArrowDown")).toBeNull();
});
