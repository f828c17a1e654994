import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { dial } from "../link";
import { connected } from "../state";
import { live, retryAt } from "../ui";

/** A sign while there is no connection, with the time until the next try. */
export function Connection() {
  const left = useSignal(0);
  useEffect(() => {
    const at = retryAt.value;
    if (at === null) return;
    const count = (): void => {
      left.value = Math.max(0, Math.ceil((at - performance.now()) / 1000));
    };
    count();
    const timer = setInterval(count, 250);
    return () => clearInterval(timer);
  }, [retryAt.value]);
  if (!live.value || connected.value || retryAt.value === null) return null;
  return (
    <div class="connection" role="alert">
      <span>
        No connection to the server. <span aria-hidden="true">Next try in {left.value} s.</span>
      </span>
      <button type="button" class="button plain" onClick={dial}>
        Try now
      </button>
    </div>
  );
}
