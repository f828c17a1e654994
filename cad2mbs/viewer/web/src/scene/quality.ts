// How finely to draw while things move: as finely as this machine can at a good pace. Found by
// measuring, since software renderers and graphics cards differ by a factor of a hundred.

export interface Detail {
  ratio: number; // picture pixels per page pixel
  edges: boolean;
  cell: number; // [px] details smaller than this may be left out
}

const SLOW = [60, 60, 70, 100, 140, Infinity]; // [ms] a frame may take, by level: crude looks worse
const FAST = 36; // [ms] below this, a finer level is tried; times come in steps of 17 ms
const PATIENCE = 10; // fast frames before such a try
const RATIOS = [3, 1, 1, 0.75, 0.5, 0.5]; // by level
const CELLS = [0, 0, 3, 6, 9, 16];
const LEVELS = RATIOS.length;

export class Quality {
  level = 0;
  private mean = 0; // of the last few frames
  private calm = 0; // fast frames in a row
  private wait = PATIENCE; // grows when a finer level proved too slow

  reset(): void {
    this.level = this.mean = this.calm = 0;
    this.wait = PATIENCE;
  }

  /** Take note of how long a frame in motion took. */
  note(ms: number): void {
    this.mean = this.mean === 0 ? ms : 0.6 * this.mean + 0.4 * ms;
    this.calm = this.mean < FAST ? this.calm + 1 : 0;
    if (this.mean > SLOW[this.level]) {
      this.go(this.mean > 4 * SLOW[this.level] ? 2 : 1);
      this.wait = Math.min(2 * this.wait, 300);
    } else if (this.calm > this.wait && this.level > 0) {
      this.go(-1);
    }
  }

  private go(step: number): void {
    this.level = Math.min(this.level + step, LEVELS - 1);
    this.mean = this.calm = 0;
  }

  /** The present level: of the screen's own resolution, downwards. */
  moving(screen: number): Detail {
    const ratio = Math.min(RATIOS[this.level], screen);
    return { ratio, edges: this.level < 2, cell: CELLS[this.level] };
  }
}
