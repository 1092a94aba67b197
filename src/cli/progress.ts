import { formatTime, US_PER_HOUR, US_PER_MINUTE } from "../core/kernel/index.js";
import { printable } from "../io/index.js";
import { type Progress, shareDone, type SweepProgress, type TuneProgress } from "../lab/index.js";
import { counted, fixed, grouped, shortened, widthOf } from "../report/index.js";
import { clearLine, isWatched, startBar, tell } from "./terminal.js";

/** The interval between lines without a terminal. */
const LINE_EVERY_MS = 10_000;

/** The words of a progress display. */
type Shown = Readonly<Record<"label" | "words" | "remaining", string>>;

interface Display {
  /** @param fraction of the work that is done, from 0 to 1. */
  readonly update: (fraction: number, shown: Shown) => void;
  /** Says something else in between, on a line of its own; nothing when quiet. */
  readonly note: (text: string) => void;
  /** Leaves the terminal as it was found. */
  readonly stop: () => void;
}

/**
 * On a terminal one line that is redrawn; elsewhere whole lines every ten seconds; nothing when quiet. All on stderr.
 */
async function startDisplay(isQuiet: boolean, words: string): Promise<Display> {
  if (isQuiet) return { update: () => undefined, note: () => undefined, stop: () => undefined };
  const note = (text: string) => {
    tell(`note: ${text}\n`);
  };
  if (isWatched()) {
    const bar = await startBar<Shown>(barLine, { label: "", words, remaining: "?" });
    const noteBetween = (text: string) => {
      // The bar draws itself anew on the line below.
      clearLine();
      note(text);
    };
    return { update: bar.update, note: noteBetween, stop: bar.stop };
  }
  let lastMs = performance.now();
  const update = (fraction: number, shown: Shown): void => {
    if (performance.now() - lastMs < LINE_EVERY_MS) return;
    lastMs = performance.now();
    const prefix = shown.label === "" ? "" : `${printable(shown.label)}: `;
    tell(`${prefix}${(fraction * 100).toFixed(0)} %, ${shown.words}, ETA ${shown.remaining}\n`);
  };
  return { update, note, stop: () => undefined };
}

/** Progress of several runs together. */
interface WholeProgress {
  readonly label: string;
  /** From 0 to 1, each run counted alike. */
  readonly fraction: number;
}

interface RunDisplay extends Omit<Display, "update"> {
  /** @param whole which run it is, when it is one of several, and how far all of them are. */
  readonly update: (progress: Progress, whole?: WholeProgress) => void;
}

export async function startProgress(isQuiet: boolean): Promise<RunDisplay> {
  const pace = new Pace();
  const display = await startDisplay(isQuiet, "reading the workload");
  const update = (progress: Progress, whole?: WholeProgress) => {
    const fraction = whole?.fraction ?? shareDone(progress);
    display.update(fraction, { label: whole?.label ?? "", ...words(progress, pace.timeLeft(fraction)) });
  };
  return { ...display, update };
}

/** Run `run` of `runs`, from 0, has come so far; those before it are over. */
export function wholeProgress(run: number, runs: number, progress: Progress, name: string): WholeProgress {
  const label = `run ${run + 1} of ${runs}, ${name}`;
  return { label, fraction: (run + shareDone(progress)) / runs };
}

/** The time left, by the pace so far. */
export class Pace {
  private readonly startMs = performance.now();

  /** `8s`, or `?` when too little is known. */
  timeLeft(fraction: number): string {
    const elapsedMs = performance.now() - this.startMs;
    if (fraction < 0.005 || elapsedMs < 200) return "?";
    const leftMs = (elapsedMs * (1 - fraction)) / fraction;
    return formatTime(Math.ceil(leftMs / 1000) * 1_000_000);
  }
}

/** A run that has made no headway for this share of the time after which it is stuck, or for so long, stands still. */
const STANDSTILL = 0.05;

const STANDSTILL_US = 2 * US_PER_HOUR;

/** Progress of a run and its remaining time, which is not known while the run stands still. */
export function words(progress: Progress, remaining: string): { words: string; remaining: string } {
  const virtual = wholeMinutes(progress.virtualUs);
  const done = `${virtual} simulated, ${grouped(progress.jobsEnded)} of ${grouped(progress.jobsTotal)} jobs ended, ${grouped(progress.tasksEnded)} tasks`;
  const { stillUs, stuckAfterUs } = progress;
  if (stillUs < Math.min(STANDSTILL * stuckAfterUs, STANDSTILL_US)) return { words: done, remaining };
  return { words: `${done}, nothing has ended for ${wholeMinutes(stillUs)}`, remaining: "?" };
}

/** Rounds up to minutes, since seconds would flicker. */
function wholeMinutes(us: number): string {
  const minutes = Math.floor(us / US_PER_MINUTE);
  return formatTime(minutes > 0 ? minutes * US_PER_MINUTE : us);
}

const BAR_WIDTH = 24;

/**
 * `run 2 of 8, fair [====----] 50 % 2h simulated ETA 8s`. Where that is too wide the bar shrinks first,
 * then goes; then the label is cut, then the words. How far it is and the ETA always stay.
 */
export function barLine(
  fraction: number,
  { label, words, remaining }: { readonly label: string; readonly words: string; readonly remaining: string },
  widthColumns: number,
): string {
  const percentage = `${Math.floor(fraction * 100)} %`;
  const eta = `ETA ${remaining}`;
  // The cursor stands behind the line.
  let free = widthColumns - 1 - widthOf(percentage) - 2 - widthOf(eta);
  const said = free < 4 ? "" : shortened(words, free - 2);
  free -= said === "" ? 0 : widthOf(said) + 2;
  const named = free < 5 || label === "" ? "" : `${shortened(label.trimEnd(), free - 1)} `;
  free -= widthOf(named);
  const size = Math.min(BAR_WIDTH, free - 3);
  const full = Math.round(fraction * size);
  const bar = size < 4 ? "" : `[${"=".repeat(full)}${"-".repeat(size - full)}] `;
  return `${named}${bar}${percentage}  ${said === "" ? "" : `${said}  `}${eta}`;
}

interface SweepDisplay extends Omit<Display, "update"> {
  readonly update: (progress: SweepProgress) => void;
}

export async function startSweepProgress(isQuiet: boolean): Promise<SweepDisplay> {
  const pace = new Pace();
  const startMs = performance.now();
  const display = await startDisplay(isQuiet, "starting");
  const update = (progress: SweepProgress) => {
    const words = sweepWords(progress, (performance.now() - startMs) / 1000);
    const remaining = pace.timeLeft(fractionHere(progress));
    display.update(progress.ended / progress.total, { label: "", words, remaining });
  };
  return { ...display, update };
}

/** `12 of 1,000 runs, 1 failed, 3 running, 4.1 runs/s`. */
export function sweepWords({ ended, failed, running, total, endedHere }: SweepProgress, seconds: number): string {
  const rate = endedHere === 0 || seconds <= 0 ? "" : `, ${fixed(endedHere / seconds, 1)} runs/s`;
  const bad = failed === 0 ? "" : `, ${grouped(failed)} failed`;
  return `${grouped(ended)} of ${grouped(total)} runs${bad}, ${grouped(running)} running${rate}`;
}

/** The share of this process's work that is done. */
function fractionHere({ ended, total, endedHere }: SweepProgress): number {
  const toDo = total - ended + endedHere;
  return toDo === 0 ? 1 : endedHere / toDo;
}

/** Shows the rounds of a search, each with its own share and remaining time: their number is not known. */
export async function startTuneProgress(
  isQuiet: boolean,
): Promise<Pick<Display, "stop"> & { readonly update: (progress: TuneProgress) => void }> {
  let [pace, current, before] = [new Pace(), -1, 0];
  const display = await startDisplay(isQuiet, "starting");
  const update = ({ round, ended, wanted, before: known, alive }: TuneProgress) => {
    if (round !== current) [pace, current, before] = [new Pace(), round, ended];
    const label = round === 0 ? "full grid" : `round ${round}`;
    const done = `${known > 0 ? `${grouped(known)} before, ` : ""}${grouped(ended)} of ${grouped(wanted)} simulations`;
    const remaining = pace.timeLeft((ended - before) / Math.max(1, wanted - before));
    display.update(ended / wanted, { label, words: `${done}, ${counted(alive, "point")} alive`, remaining });
  };
  return { update, stop: display.stop };
}

/** Shows work of which only the share that is done is known. */
export async function startShareProgress(
  isQuiet: boolean,
  verb: string,
): Promise<Pick<Display, "stop"> & { readonly update: (done: number) => void }> {
  const pace = new Pace();
  const display = await startDisplay(isQuiet, verb);
  const update = (done: number) => {
    display.update(done, { label: "", words: verb, remaining: pace.timeLeft(done) });
  };
  return { update, stop: display.stop };
}
