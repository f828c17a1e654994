import { change, clashes, looks, wantedView, type Looks } from "../state";
import { live } from "../ui";
import { flip, flipSection, LOOK_KEYS, VIEW_KEYS } from "../keys";
import { counted } from "../numbers";
import { Popover } from "./popover";

/** Standard views and how the model is drawn. */
export function LooksMenu() {
  return (
    <Popover label="Views and looks" text="Looks" icon="view">
      <div class="looks">
        <fieldset>
          <legend>Standard views</legend>
          <div class="view-grid">
            {VIEW_KEYS.map(({ view, key, text }) => (
              <button
                key={view}
                type="button"
                class="button plain"
                aria-keyshortcuts={key}
                onClick={() => (wantedView.value = view)}
              >
                <span class="button-text">{text}</span>
                <kbd>{key}</kbd>
              </button>
            ))}
          </div>
        </fieldset>
        <fieldset>
          <legend>Drawing</legend>
          {LOOK_KEYS.filter((l) => live.value || l.look !== "clash").map(({ look, key, text }) => (
            <label key={look} class="choice">
              <input
                type="checkbox"
                class="check"
                checked={looks.value[look]}
                aria-keyshortcuts={key}
                onChange={() => flip(look)}
              />
              <span class="choice-name">{text}</span>
              {look === "clash" && looks.value.clash && (
                <span class="muted">{counted(clashes.value.length, "pair")} now</span>
              )}
              <kbd>{key}</kbd>
            </label>
          ))}
        </fieldset>
        <SectionPlane />
        <fieldset>
          <legend>Exploded view</legend>
          <label class="slide">
            <span>Apart</span>
            <input
              type="range"
              min={0}
              max={1}
              step={0.01}
              value={looks.value.explode}
              aria-valuetext={`${Math.round(100 * looks.value.explode)} percent`}
              onInput={(event) => change(looks, { explode: event.currentTarget.valueAsNumber })}
            />
            <output>{Math.round(100 * looks.value.explode)} %</output>
          </label>
        </fieldset>
      </div>
    </Popover>
  );
}

function SectionPlane() {
  const { section } = looks.value;
  const set = (changes: Partial<Looks["section"]>): void =>
    change(looks, { section: { ...section, ...changes } });
  return (
    <fieldset>
      <legend>Section</legend>
      <label class="choice">
        <input type="checkbox" class="check" checked={section.on} aria-keyshortcuts="X" onChange={flipSection} />
        <span class="choice-name">Cut the model open</span>
        <kbd>X</kbd>
      </label>
      <div class="section-row">
        <div class="segments" role="radiogroup" aria-label="Normal of the section plane">
          {(["x", "y", "z"] as const).map((axis) => (
            <label key={axis} class="segment">
              <input
                type="radio"
                name="section-axis"
                checked={section.axis === axis}
                disabled={!section.on}
                onChange={() => set({ axis })}
              />
              <span>{axis.toUpperCase()}</span>
            </label>
          ))}
        </div>
        <label class="choice">
          <input
            type="checkbox"
            class="check"
            checked={section.flip}
            disabled={!section.on}
            onChange={() => set({ flip: !section.flip })}
          />
          <span class="choice-name">Other side</span>
        </label>
      </div>
      <label class="slide">
        <span>Place</span>
        <input
          type="range"
          min={0}
          max={1}
          step={0.005}
          value={section.at}
          disabled={!section.on}
          aria-valuetext={`${Math.round(100 * section.at)} percent of the model`}
          onInput={(event) => set({ at: event.currentTarget.valueAsNumber })}
        />
        <output>{Math.round(100 * section.at)} %</output>
      </label>
    </fieldset>
  );
}
