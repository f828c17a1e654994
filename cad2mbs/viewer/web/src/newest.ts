// Only the newest wish is worth solving. At most one drive or drag message is unanswered; what
// comes meanwhile is kept back and merged, and goes out as soon as the answer is there.

import type { PageMessage } from "./protocol";

export type Wish = Extract<PageMessage, { type: "drive" } | { type: "drag" }>;

const PATIENCE = 5000; // [ms] without an answer; then the next one is sent all the same

export class Newest {
  private last = 0; // sequence number given out last
  private flying: { seq: number; since: number; input: number } | null = null;
  private kept: { wish: Wish; input: number } | null = null;

  constructor(
    private readonly post: (message: PageMessage) => void,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** True while the pose on the page is not yet the one last asked for. */
  get waiting(): boolean {
    return this.flying !== null;
  }

  /** Send the wish now, or keep it until the one on its way is answered. */
  put(wish: Wish): void {
    const input = this.now();
    const before = this.kept;
    this.kept = { wish: before ? merged(before.wish, wish) : wish, input: before?.input ?? input };
    if (!this.flying || input - this.flying.since > PATIENCE) this.flush();
  }

  /** Send what is kept back, even if the one before is not answered yet. */
  flush(): void {
    if (!this.kept) return;
    const { wish, input } = this.kept;
    this.kept = null;
    this.last = (this.last + 1) >>> 0;
    this.flying = { seq: this.last, since: this.now(), input };
    this.post({ ...wish, seq: this.last });
  }

  /** Take note of an answer; the time of the oldest input it answers, null where it is another's. */
  answered(seq: number): number | null {
    if (!this.flying || seq < this.flying.seq) return null;
    const { input } = this.flying;
    this.flying = null;
    this.flush();
    return input;
  }

  /** The one on its way will not be answered by a pose. */
  failed(): void {
    if (this.flying) this.answered(this.flying.seq);
  }

  /** Forget what is kept back: the page wants something else now. */
  clear(): void {
    this.kept = null;
  }

  /** Forget everything: the connection is new. */
  reset(): void {
    this.kept = null;
    this.flying = null;
  }
}

function merged(before: Wish, wish: Wish): Wish {
  if (before.type !== "drive" || wish.type !== "drive") return wish;
  const both: Wish = { ...wish, values: { ...before.values, ...wish.values } };
  if (before.cross || wish.cross) both.cross = true;
  return both;
}
