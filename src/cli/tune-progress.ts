import { formatTime } from "../core/kernel/time.js";
import type { TuneProgress } from "../lab/tune/run-tune.js";
import { counted, grouped } from "../report/numbers.js";
import { clearLine, isWatched, tell } from "./terminal.js";

const LINE_EVERY_MS = 10_000;
const REDRAW_EVERY_MS = 100;

export interface TuneDisplay {
  readonly update: (progress: TuneProgress) => void;
  /** Leaves the terminal as it was found. */
  readonly stop: () => void;
}

/** On a terminal one line that is redrawn, elsewhere a line every ten seconds, nothing when quiet. On stderr. */
export function tuneProgress(quiet: boolean): TuneDisplay {
  if (quiet) return { update: () => undefined, stop: () => undefined };
  const isTerminal = isWatched();
  const pace = new RoundPace();
  let lastMs = -Infinity;
  const update = (progress: TuneProgress): void => {
    const left = pace.left(progress);
    const nowMs = performance.now();
    if (!isTerminal && lastMs === -Infinity) lastMs = nowMs;
    if (nowMs - lastMs < (isTerminal ? REDRAW_EVERY_MS : LINE_EVERY_MS)) return;
    lastMs = nowMs;
    if (isTerminal) clearLine();
    tell(`${words(progress, left)}${isTerminal ? "" : "\n"}`);
  };
  const stop = (): void => {
    if (isTerminal) clearLine();
  };
  return { update, stop };
}

function words({ round, ended, wanted, before, alive }: TuneProgress, left: string): string {
  const what = round === 0 ? "full grid" : `round ${String(round)}`;
  const points = alive === null ? "" : `, ${counted(alive, "point")} alive`;
  const done = before > 0 ? `${grouped(before)} before, ` : "";
  return `${what}: ${done}${grouped(ended)} of ${grouped(wanted)} simulations${points}, ETA of the round ${left}`;
}

/** How many rounds there will be nobody knows; of the one that is going on, the pace tells. */
class RoundPace {
  private round = -1;
  private startMs = 0;
  private startedWith = 0;

  left({ round, ended, wanted }: TuneProgress): string {
    if (round !== this.round) {
      [this.round, this.startMs, this.startedWith] = [round, performance.now(), ended];
    }
    const done = ended - this.startedWith;
    if (done === 0) return "?";
    const leftMs = ((performance.now() - this.startMs) / done) * (wanted - ended);
    return formatTime(Math.ceil(leftMs / 1000) * 1_000_000);
  }
}
