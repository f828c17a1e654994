// What the server says, put into the signals.

import { batch } from "@preact/signals";
import { saveText } from "./download";
import type { Scene, ServerMessage } from "./protocol";
import * as state from "./state";
import { clashesKnown, dialog, edited, edits, opening, refusals, wanted } from "./ui";

const VERSION = 1;

/** A notice, unless the same one is on the page already. */
export function tell(text: string, level: "info" | "error" = "info"): void {
  if (!state.notices.value.some((n) => n.text === text)) state.notice(text, level);
}

export function receive(message: ServerMessage): void {
  switch (message.type) {
    case "hello":
      state.folder.value = message.folder;
      state.maxUpload.value = message.maxUpload;
      if (message.version !== VERSION) {
        const told = `The server speaks version ${message.version} of its protocol, this page`;
        tell(`${told} version ${VERSION}. Reload the page.`, "error");
      }
      return;
    case "busy":
      state.busy.value = message.text;
      return;
    case "idle":
      state.busy.value = null;
      return;
    case "gallery":
      state.gallery.value = message.items;
      return;
    case "files":
      state.files.value = message;
      return;
    case "scene":
      receiveScene(message);
      return;
    case "verdicts":
      batch(() => {
        state.verdicts.value = Object.fromEntries(message.mates.map((m) => [m.name, m]));
        state.conflict.value = message.conflict;
      });
      return;
    case "reach":
      state.reach.value = { ...state.reach.value, [message.drive]: message };
      return;
    case "status":
      state.status.value = message;
      if (message.level === "error") tell(message.text, "error");
      return;
    case "error":
      state.busy.value = null;
      opening.value = null;
      refusals.value++;
      if (message.re === "mate" || message.re === "position") edits.value = Math.max(0, edits.value - 1);
      else if (message.re === "undo") edits.value = 0;
      tell(message.text, "error");
      // Nothing is open: something else to open is more use than an empty page.
      if (message.re === "open" && !state.scene.value) state.send({ type: "gallery" });
      return;
    case "curves":
      if (state.activeDrive.value !== null) state.curves.value = message;
      return;
    case "trace":
      state.traces.value = { ...state.traces.value, [message.id]: message };
      return;
    case "clash":
      state.clashes.value = message.pairs;
      clashesKnown.value = true;
      message.notes?.forEach((note) => tell(note));
      return;
    case "saved":
      edited.value = false;
      if (dialog.value === "save") dialog.value = null;
      tell([`Saved: ${message.path}`, ...message.notes].join("; "));
      return;
    case "text":
      saveText(message.content, message.name);
      return;
  }
}

/** A scene: of another assembly, or of the same one after an edit, where what is hidden stays so. */
export function receiveScene(scene: Scene): void {
  const before = state.scene.value;
  const same =
    opening.value === null &&
    before !== null &&
    before.source === scene.source &&
    before.parts.length === scene.parts.length &&
    before.parts.every((part, k) => part.name === scene.parts[k].name);
  batch(() => {
    if (before?.geometry !== scene.geometry) state.geometry.value = null;
    state.pose.value = null; // of the scene before; the one of this scene follows at once
    state.scene.value = scene;
    state.verdicts.value = Object.fromEntries(scene.mates.map((m) => [m.name, m]));
    state.conflict.value = scene.conflict;
    state.reach.value = {};
    state.status.value = null;
    state.clashes.value = [];
    clashesKnown.value = false;
    edited.value = scene.edited;
    opening.value = null;
    wanted.value = {};
    if (!same) forgetTheOther();
    const driving = scene.assembled ? scene.drives.filter((d) => d.driving) : [];
    const names = driving.map((d) => d.name);
    const active = state.activeDrive.value;
    if (active === null || !names.includes(active)) state.activeDrive.value = names[0] ?? null;
    if (!names.length) {
      state.playing.value = false;
      state.curves.value = null;
    }
    keepSelection(before, scene);
    if (dialog.value === "open") dialog.value = null;
  });
}

function forgetTheOther(): void {
  state.selection.value = null;
  state.hovered.value = null;
  state.hidden.value = new Set();
  state.glass.value = new Set();
  state.isolated.value = null;
  state.colours.value = {};
  state.traces.value = {};
  state.picked.value = [];
  state.measured.value = [];
  state.curves.value = null;
  state.playing.value = false;
  edits.value = 0;
  const looks = state.looks.value;
  state.looks.value = { ...looks, explode: 0, section: { ...looks.section, on: false } };
}

/** Rows of joints and bodies may have changed by an edit: find what was selected by its name. */
function keepSelection(before: Scene | null, scene: Scene): void {
  const thing = state.selection.value;
  state.hovered.value = null;
  if (!thing || !before) return;
  const row = (list: { name: string }[], name?: string) => list.findIndex((x) => x.name === name);
  if (thing.kind === "joint") {
    const joint = row(scene.joints, before.joints[thing.joint]?.name);
    state.selection.value = joint < 0 ? null : { kind: "joint", joint };
  } else if (thing.kind === "body") {
    const body = row(scene.bodies, before.bodies[thing.body]?.name);
    state.selection.value = body < 0 ? null : { kind: "body", body };
  } else if (thing.kind === "mate") {
    const mate = row(scene.mates, before.mates[thing.mate]?.name);
    state.selection.value = mate < 0 ? null : { kind: "mate", mate };
  }
}
