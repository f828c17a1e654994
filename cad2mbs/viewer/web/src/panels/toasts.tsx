import { useEffect } from "preact/hooks";
import { notices } from "../state";
import { dismiss, type Notice } from "../ui";
import { Button } from "./button";

const SHOWN = 6000; // [ms] of what is no error; an error stays until it is dismissed
const MOST = 4;

/** Notices over the page; all of them stay in the diagnostics. */
export function Toasts() {
  return (
    <div class="toasts">
      {notices.value.slice(-MOST).map((n) => (
        <Toast key={n.id} notice={n} />
      ))}
    </div>
  );
}

function Toast({ notice }: { notice: Notice }) {
  useEffect(() => {
    if (notice.level === "error") return;
    const timer = setTimeout(() => dismiss(notice.id), SHOWN);
    return () => clearTimeout(timer);
  }, [notice.id]);
  return (
    <div class={`toast ${notice.level}`} role={notice.level === "error" ? "alert" : "status"}>
      <span>
        {notice.level === "error" && <strong>Problem: </strong>}
        {notice.text}
      </span>
      <Button icon="close" label="Dismiss this message" onClick={() => dismiss(notice.id)} />
    </div>
  );
}
