// How finely to draw while things move: as finely as this machine can at a good pace. Found by
// measuring, since software renderers and graphics cards differ by a factor of a hundred.

export interface Detail {
  ratio: number; // picture pixels per page pixel
  edges: boolean;
  cell: number; // [px] details smaller than this may be left out
}

const SLOW = 48; // [ms] a frame may take
const FAST = 20; // [ms] below this, a finer level is tried
const PATIENCE = 12; // frames between tries of a finer level
const RATIOS = [3, 1, 1, 0.75, 0.5, 0.5]; // by level
const CELLS = [0, 0, 3, 6, 9, 16];
const LEVELS = RATIOS.length;

export class Quality {
  level = 0;
  private calm = 0; // fast frames in a row
  private wait = PATIENCE; // grows when a finer level proved too slow

  /** Take note of how long a frame in motion took. */
  note(ms: number): void {
    if (ms > SLOW && this.level < LEVELS - 1) {
      this.level += ms > 3 * SLOW ? 2 : 1;
      this.level = Math.min(this.level, LEVELS - 1);
      this.wait = Math.min(4 * this.wait, 400);
      this.calm = 0;
    } else if (ms < FAST) {
      this.calm++;
      if (this.calm > this.wait && this.level > 0) {
        this.level--;
        this.calm = 0;
      }
    } else {
      this.calm = 0;
    }
  }

  /** The present level: of the screen's own resolution, downwards. */
  moving(screen: number): Detail {
    const ratio = Math.min(RATIOS[this.level], screen);
    return { ratio, edges: this.level < 2, cell: CELLS[this.level] };
  }
}
