import { useSignal } from "@preact/signals";
import { useEffect, useId, useRef } from "preact/hooks";
import { clean, parsed } from "../numbers";
import { refusals } from "../ui";

interface Props {
  label: string;
  unit: string;
  text: string; // of the present value
  value: number;
  step?: number; // of the arrow keys; none: they do nothing
  disabled?: boolean;
  tab?: number;
  onApply(value: number): void;
}

/** A number with its unit: Enter applies, Escape reverts, what is no number is told in words. */
export function NumberField({ label, unit, text, value, step, disabled, tab, onApply }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const typed = useSignal(false); // the text in the field is the user's, not yet applied
  const problem = useSignal("");
  const id = useId();
  useEffect(() => {
    if (input.current && !typed.peek()) input.current.value = text;
  }, [text, refusals.value]);

  function revert(): void {
    typed.value = false;
    problem.value = "";
    if (input.current) input.current.value = text;
  }
  function apply(): void {
    if (!typed.value) return;
    const found = parsed(input.current?.value ?? "", unit);
    if ("problem" in found) problem.value = found.problem;
    else {
      typed.value = false;
      problem.value = "";
      onApply(found.value);
    }
  }
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === "Enter") {
      event.preventDefault();
      apply();
      input.current?.select();
    } else if (event.key === "Escape" && (typed.value || problem.value)) {
      event.stopPropagation();
      event.preventDefault();
      revert();
    } else if (step && (event.key === "ArrowUp" || event.key === "ArrowDown")) {
      event.preventDefault();
      const size = event.shiftKey ? step / 10 : step;
      typed.value = false;
      onApply(clean(value + (event.key === "ArrowUp" ? size : -size)));
    }
  }
  return (
    <span class={`number ${problem.value ? "wrong" : ""}`}>
      <input
        ref={input}
        type="text"
        inputMode="decimal"
        autocomplete="off"
        spellcheck={false}
        class="number-input"
        aria-label={unit ? `${label} in ${unit}` : label}
        aria-invalid={problem.value !== ""}
        aria-describedby={problem.value ? id : undefined}
        defaultValue={text}
        disabled={disabled}
        tabIndex={tab}
        onInput={() => (typed.value = true)}
        onFocus={() => input.current?.select()}
        onBlur={() => (problem.value ? revert() : apply())}
        onKeyDown={onKeyDown}
      />
      <span class="unit" aria-hidden="true">
        {unit}
      </span>
      {problem.value && (
        <span id={id} class="number-problem" role="alert">
          {problem.value}
        </span>
      )}
    </span>
  );
}
