import { sumOver, printable, definedFields } from "../core/kernel/index.js";
import type { DecisionRow, ExplainedJob } from "../io/index.js";
import { counted, fitted, NO_PAINT, type Paint, textTable, widthOf, wrap, WIDTH } from "./tables.js";

type Job = Pick<ExplainedJob, "job" | "name" | "group" | "submitUs">;

/** A part of a wait: time for one reason, and the opportunities in it. */
interface WaitShare {
  readonly reason: string;
  /** The pool that got a slot that went elsewhere; null: another map of the same job did. */
  readonly by?: string | null;
  readonly us: number;
  readonly opportunities: number;
}

/** A wait from its begin to a launch, or to the end of what is known. The shares sum to `waitUs`. */
export interface ExplainedWait {
  readonly job: number;
  readonly task: number | null;
  readonly fromUs: number;
  readonly toUs: number;
  readonly waitUs: number;
  readonly launched: boolean;
  readonly shares: readonly WaitShare[];
  readonly chain: readonly DecisionRow[];
}

const WITH_TAKER: readonly string[] = ["slot", "busy"];
const INSTANTS: readonly string[] = ["ready", "launch"];

/** A map of a job, and when it was launched; null: it was not. */
export interface LaunchedMap {
  readonly task: number;
  readonly launchUs: number | null;
}

/**
 * Explains the wait of a job, from its submission to its first map launch; or of one of its maps, from being pending to
 * its launch. Null: the log knows of no such wait.
 */
export function explainWait(
  job: Job,
  map: LaunchedMap | null,
  rows: readonly DecisionRow[],
  poolOf: (job: number) => string,
): ExplainedWait | null {
  const task = map?.task ?? null;
  const firstLaunchUs = rows.find(({ reason }) => reason === "launch")?.fromUs;
  const launchUs = map === null ? firstLaunchUs : (map.launchUs ?? undefined);
  const ready = rows.find(({ reason }) => reason === "ready");
  const first = task === null ? job.submitUs : ready?.fromUs;
  if (first === undefined || rows.length === 0) return null;
  const toUs = launchUs ?? rows.reduce((latest, row) => Math.max(latest, row.toUs), first);
  const chain = rows.filter((row) => row.fromUs < toUs && row.toUs > first && !INSTANTS.includes(row.reason));
  const shares = chain.map((row): WaitShare => {
    const { reason, opportunities } = row;
    const us = Math.min(row.toUs, toUs) - Math.max(row.fromUs, first);
    const by = takerOf(job, row, poolOf);
    return { reason, ...definedFields({ by }), us, opportunities };
  });
  return {
    job: job.job,
    task,
    fromUs: first,
    toUs,
    waitUs: toUs - first,
    launched: launchUs !== undefined,
    chain,
    shares: added(shares, () => SUMS),
  };
}

/** The pool that got the slot; null: another map of the same job did; undefined: none did. */
function takerOf(
  { job }: Job,
  { reason, takenBy }: DecisionRow,
  poolOf: (job: number) => string,
): string | null | undefined {
  if (!WITH_TAKER.includes(reason) || takenBy === null) return undefined;
  return takenBy === job ? null : poolOf(takenBy);
}

const SUMS = ["us", "opportunities"] as const;

/** The shares of several waits, added up. */
export function addedShares(waits: readonly ExplainedWait[]): WaitShare[] {
  return added(
    waits.flatMap(({ shares }) => shares),
    () => SUMS,
  );
}

interface Share {
  readonly reason: string;
  readonly us: number;
  readonly level?: string | null;
  readonly by?: string | number | null;
}

/** Shares for one reason, at one level and by one taker as one, longest first; what is no sum is of the last. */
export function added<S extends Share>(shares: readonly S[], sumsOf: (share: S) => readonly (keyof S)[]): S[] {
  const known = new Map<string, S>();
  const nameOf = ({ reason, level, by }: S) => JSON.stringify([reason, level, by]);
  for (const share of shares) {
    const before = known.get(nameOf(share));
    const sum = { ...share };
    if (before !== undefined) {
      Object.assign(sum, { by: before.by });
      for (const key of sumsOf(share)) sum[key] = (Number(before[key]) + Number(share[key])) as never;
    }
    known.set(nameOf(share), sum);
  }
  return [...known.values()].sort((a, b) => b.us - a.us || (nameOf(a) < nameOf(b) ? -1 : 1));
}

/** Whether the parts are the whole: a log with a gap explains nothing, nor one that has a stage in two states. */
export function isWhole(shares: readonly { readonly us: number }[], wholeUs: number): boolean {
  return sumOver(shares, ({ us }) => us) === wholeUs;
}

const WORDS: Readonly<Record<string, string>> = {
  setup: "for set-up",
  limit: "because a limit on running jobs held it back",
  offer: "for a heartbeat with a free slot",
  locality: "for locality",
  node: "because nodes with free slots could not take it",
  slot: "because the slot went elsewhere",
  max: "because its pool was at its maximum",
  user: "because its user held as many slots as the queue allows",
  cap: "because the node could take no more on that heartbeat",
  update: "for an update of the scheduler",
  busy: "because all slots were taken",
  kept: "because the scheduler left the slot free",
  refused: "because its framework had refused the slots of the node",
  answer: "for a framework to answer an offer",
  plan: "for the slots that the plan has for it",
  unplanned: "because the plan left it without a slot",
  share: "because it ran as many maps as its share",
};

function wordsOf({ reason, by }: Pick<WaitShare, "reason" | "by">, pool: string): string {
  if (reason === "busy" && by !== undefined && by !== null) {
    return `because all slots were taken, most by ${by === pool ? "its own pool" : `pool ${printable(by)}`}`;
  }
  if (reason !== "slot" || by === undefined) return WORDS[reason] ?? printable(reason);
  if (by === null) return "because other maps of the job went first";
  return by === pool ? "because other jobs of its pool went first" : `because pool ${printable(by)} got the slot`;
}

/** Exact: `12.25 s`. */
export function secondsText(us: number): string {
  const whole = Math.floor(us / 1e6);
  const part = String(us - whole * 1e6)
    .padStart(6, "0")
    .replace(/0+$/, "");
  return `${whole}${part === "" ? "" : `.${part}`} s`;
}

/** Parts of a wait that the summary names one by one; a large cluster has hundreds of pools that may get a slot. */
const MOST_NAMED = 4;

function sharesText(totalUs: number, shares: readonly WaitShare[], pool: string, paint: Paint): string[] {
  const long = shares.filter(({ us }) => us > 0);
  if (long.length === 0) return [];
  const named = long.length > MOST_NAMED + 1 ? long.slice(0, MOST_NAMED) : long;
  const parts = named.map((share) => `${secondsText(share.us)} ${wordsOf(share, pool)}`);
  if (named.length < long.length) {
    const restUs = sumOver(long.slice(MOST_NAMED), ({ us }) => us);
    parts.push(`${secondsText(restUs)} in ${long.length - MOST_NAMED} smaller parts, listed below`);
  }
  const text =
    long.length === 1 ? `All of it ${wordsOf(long[0], pool)}` : `Of ${secondsText(totalUs)}: ${parts.join("; ")}`;
  const table = sharesTable(totalUs, shares, ["opportunities", "waiting"], (share) => [wordsOf(share, pool)], paint);
  return [...wrap(`${text}.`, paint.widthColumns ?? WIDTH), "", ...table];
}

export function sharesTable<S extends { readonly us: number; readonly opportunities: number }>(
  totalUs: number,
  shares: readonly S[],
  heads: readonly string[],
  cellsOf: (share: S) => readonly string[],
  paint: Paint,
): string[] {
  const rows = shares.map((share) => [
    ...[secondsText(share.us), `${((100 * share.us) / totalUs).toFixed(1)} %`, String(share.opportunities)],
    ...cellsOf(share),
  ]);
  return wordsTable([["time", "share", ...heads], ...rows], paint);
}

/** Columns that the words at the end of a row need at least beside the rest of it. */
const LEAST_WORDS = 24;

/**
 * A table whose last column is words, which go on below where the terminal is narrow. Columns from `firstLeft` on
 * stand to the left.
 */
export function wordsTable(
  rows: readonly (readonly string[])[],
  paint: Paint,
  firstLeft = rows[0].length - 1,
): string[] {
  const isLeft = (column: number) => column >= firstLeft;
  const { widthColumns } = paint;
  if (widthColumns === undefined) return textTable(rows, isLeft);
  const heads = textTable(
    rows.map((row) => row.slice(0, -1)),
    isLeft,
  );
  const leadingWidth = Math.max(...heads.map(widthOf)) + 2;
  // Too narrow for that: all of it by the rule of other tables.
  if (widthColumns - leadingWidth < LEAST_WORDS) return textTable(rows, isLeft, widthColumns);
  return heads.flatMap((head, i) => {
    const words = fitted(rows[i].at(-1) ?? "", widthColumns - leadingWidth).split("\n");
    return words.map(
      (line, k) => (k === 0 ? head + " ".repeat(leadingWidth - widthOf(head)) : " ".repeat(leadingWidth)) + line,
    );
  });
}

/** Why a job, or one of its maps, waited. */
export function explainReport(
  job: Job,
  wait: ExplainedWait,
  withChain: boolean,
  poolOf: (job: number) => string,
  paint: Paint = NO_PAINT,
): string {
  const { task } = wait;
  const jobWords = `Job ${job.job} (${printable(job.name)}, pool ${printable(job.group)})`;
  const subject = task === null ? jobWords : `Map ${task} of ${jobWords.replace("Job", "job")}`;
  const begin = task === null ? "its submission" : "becoming pending";
  const lines = boldLines(`${subject} ${verbOf(wait, begin)}.`, paint);
  lines.push(...sharesText(wait.waitUs, wait.shares, job.group, paint));
  if (withChain && wait.chain.length > 0) lines.push("", ...chainText(job, wait, poolOf, paint));
  return fitted(`${lines.join("\n")}\n`, paint.widthColumns);
}

export function boldLines(text: string, paint: Paint): string[] {
  return wrap(text, paint.widthColumns ?? WIDTH).map((line) => paint.bold(line));
}

function verbOf({ task, launched, waitUs }: ExplainedWait, begin: string): string {
  const launch = task === null ? "first map launch" : "launch";
  if (!launched) return `was not launched; it waited ${secondsText(waitUs)} from ${begin} to the end of what is known`;
  return waitUs === 0
    ? `did not wait from ${begin} to its ${launch}`
    : `waited ${secondsText(waitUs)} from ${begin} to its ${launch}`;
}

function chainText(job: Job, wait: ExplainedWait, poolOf: (job: number) => string, paint: Paint): string[] {
  return wordsTable(
    [
      ["from", "to", "opportunities", "last node", "allowed", "waiting"],
      ...wait.chain.map((row) => [
        secondsText(Math.max(row.fromUs, wait.fromUs)),
        secondsText(Math.min(row.toUs, wait.toUs)),
        String(row.opportunities),
        row.node === null ? "-" : String(row.node),
        row.level ?? "-",
        chainWords(job, row, poolOf),
      ]),
    ],
    paint,
    4,
  );
}

function chainWords(job: Job, row: DecisionRow, poolOf: (job: number) => string): string {
  const by = takerOf(job, row, poolOf);
  const { reason, takenBy } = row;
  const words = wordsOf(by === undefined ? { reason } : { reason, by }, job.group);
  if (by === undefined || by === null) return words;
  return `${words} (${reason === "busy" ? "largest" : "last"}: job ${String(takenBy)})`;
}

const MOST_LISTED = 5;

/** The jobs that take longest, and a title where there are more. */
export function longestJobs<J>(jobs: readonly J[], usOf: (job: J) => number, title: string): [J[], string[]] {
  const longest = [...jobs].sort((a, b) => usOf(b) - usOf(a)).slice(0, MOST_LISTED);
  return [longest, jobs.length > MOST_LISTED ? [`The ${MOST_LISTED} ${title}:`] : []];
}

/** Why the jobs of a pool waited, all together. @param preemption what it did for the pool, as lines. */
export function explainPoolReport(
  pool: string,
  waits: readonly ExplainedWait[],
  paint: Paint = NO_PAINT,
  preemption: readonly string[] = [],
): string {
  const totalUs = sumOver(waits, ({ waitUs }) => waitUs);
  const never = waits.filter(({ launched }) => !launched).length;
  const jobsWords = `${counted(waits.length, "job")} of pool ${printable(pool)}`;
  const until = waits.length === 1 ? "its first map launch" : "their first map launches";
  const head = `${jobsWords} waited ${secondsText(totalUs)}${waits.length === 1 ? "" : " in all"} until ${until}.`;
  const alone = `${jobsWords} waited ${secondsText(totalUs)} and launched no map.`;
  const lines = [
    ...boldLines(waits.length === 1 && never === 1 ? alone : head, paint),
    ...sharesText(totalUs, addedShares(waits), pool, paint),
  ];
  const their = never === 1 ? "its wait ends" : "their waits end";
  if (never > 0 && waits.length > 1) {
    lines.push("", `${never} of them launched no map: ${their} where the run stopped or the job left.`);
  }
  const [longest, title] = longestJobs(waits, ({ waitUs }) => waitUs, "longest waits");
  const waited = longest.map(({ job, waitUs, shares }) => [
    String(job),
    secondsText(waitUs),
    shares.length === 0 ? "-" : wordsOf(shares[0], pool),
  ]);
  lines.push("", ...title, ...wordsTable([["job", "waited", "most of it"], ...waited], paint), ...preemption);
  return fitted(`${lines.join("\n")}\n`, paint.widthColumns);
}
