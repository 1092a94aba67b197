import type { SweepProgress } from "../lab/sweep/run-sweep.js";
import { fixed, grouped } from "../report/numbers.js";
import { LINE_EVERY_MS, Pace } from "./progress.js";
import { isWatched, startBar, tell } from "./terminal.js";

export interface SweepDisplay {
  readonly update: (progress: SweepProgress) => void;
  /** Leaves the terminal as it was found. */
  readonly stop: () => void;
}

/** As of a run: a bar on a terminal, elsewhere a line every ten seconds, nothing when quiet. All on stderr. */
export async function startSweepProgress(quiet: boolean): Promise<SweepDisplay> {
  if (quiet) return { update: () => undefined, stop: () => undefined };
  return isWatched() ? bar() : lines();
}

/** `12 of 1,000 runs, 1 failed, 3 running, 4.1 runs/s`. */
export function sweepWords({ ended, failed, running, total, endedHere }: SweepProgress, seconds: number): string {
  const rate = endedHere === 0 || seconds <= 0 ? "" : `, ${fixed(endedHere / seconds, 1)} runs/s`;
  const bad = failed === 0 ? "" : `, ${grouped(failed)} failed`;
  return `${grouped(ended)} of ${grouped(total)} runs${bad}, ${grouped(running)} running${rate}`;
}

/** What this process had to do, and how far it is. */
function fractionHere({ ended, total, endedHere }: SweepProgress): number {
  const toDo = total - ended + endedHere;
  return toDo === 0 ? 1 : endedHere / toDo;
}

function lines(): SweepDisplay {
  const pace = new Pace();
  const startMs = performance.now();
  let lastMs = startMs;
  const update = (progress: SweepProgress): void => {
    const nowMs = performance.now();
    if (nowMs - lastMs < LINE_EVERY_MS) return;
    lastMs = nowMs;
    tell(`${sweepWords(progress, (nowMs - startMs) / 1000)}, ETA ${pace.left(fractionHere(progress))}\n`);
  };
  return { update, stop: () => undefined };
}

async function bar(): Promise<SweepDisplay> {
  const pace = new Pace();
  const startMs = performance.now();
  const shown = await startBar("[{bar}] {percentage} %  {words}  ETA {left}", { words: "starting", left: "?" });
  const update = (progress: SweepProgress): void => {
    const { ended, total } = progress;
    const words = sweepWords(progress, (performance.now() - startMs) / 1000);
    shown.update(ended / total, { words, left: pace.left(fractionHere(progress)) });
  };
  return { update, stop: shown.stop };
}
