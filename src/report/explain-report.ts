import { printable } from "../core/kernel/words.js";
import { NO_PAINT, type Paint, textTable, wrap, WIDTH } from "./tables.js";

/** One row of a decision log, and of the jobs that it names. */
interface Row {
  readonly job: number;
  readonly fromUs: number;
  readonly toUs: number;
  readonly reason: string;
  readonly opportunities: number;
  readonly level: string | null;
  readonly node: number | null;
  readonly takenBy: number | null;
}

interface Job {
  readonly job: number;
  readonly name: string;
  readonly pool: string;
  readonly submitUs: number;
}

/** A part of a wait: time for one reason, and the opportunities in it. */
export interface WaitShare {
  readonly reason: string;
  /** Where a slot went elsewhere: the pool that got it, or null where another map of the same job did. */
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
  readonly chain: readonly Row[];
}

const WITH_TAKER: readonly string[] = ["slot", "busy"];
const INSTANTS: readonly string[] = ["ready", "launch"];

/** A map of a job, and when it was launched; null: it was not. */
export interface LaunchedMap {
  readonly task: number;
  readonly launchUs: number | null;
}

/**
 * What a job waited for, from its submission to its first map launch; or one of its maps, from being pending to its launch.
 * Null: the log knows of no such wait.
 */
export function explainWait(
  job: Job,
  map: LaunchedMap | null,
  rows: readonly Row[],
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
  const shares = new Map<string, { reason: string; by?: string | null; us: number; opportunities: number }>();
  for (const row of chain) {
    const us = Math.min(row.toUs, toUs) - Math.max(row.fromUs, first);
    const taken = WITH_TAKER.includes(row.reason) && row.takenBy !== null ? row.takenBy : undefined;
    const by = taken === undefined ? undefined : taken === job.job ? null : poolOf(taken);
    const key = JSON.stringify([row.reason, by]);
    const share = shares.get(key) ?? {
      reason: row.reason,
      ...(by === undefined ? {} : { by }),
      us: 0,
      opportunities: 0,
    };
    share.us += us;
    share.opportunities += row.opportunities;
    shares.set(key, share);
  }
  return {
    ...{ job: job.job, task, fromUs: first, toUs, waitUs: toUs - first, launched: launchUs !== undefined, chain },
    shares: sorted([...shares.values()]),
  };
}

/** The shares of several waits, added up. */
export function addedShares(waits: readonly ExplainedWait[]): WaitShare[] {
  const sums = new Map<string, { reason: string; by?: string | null; us: number; opportunities: number }>();
  for (const share of waits.flatMap(({ shares }) => shares)) {
    const key = JSON.stringify([share.reason, share.by]);
    const sum = sums.get(key) ?? { ...share, us: 0, opportunities: 0 };
    sum.us += share.us;
    sum.opportunities += share.opportunities;
    sums.set(key, sum);
  }
  return sorted([...sums.values()]);
}

/** Whether the parts are the whole: a log with a gap explains nothing. */
export function isWhole({ shares, waitUs }: ExplainedWait): boolean {
  return shares.reduce((sum, { us }) => sum + us, 0) === waitUs;
}

function sorted(shares: WaitShare[]): WaitShare[] {
  const nameOf = (share: WaitShare): string => JSON.stringify([share.reason, share.by]);
  return shares.sort((a, b) => b.us - a.us || (nameOf(a) < nameOf(b) ? -1 : 1));
}

const WORDS: Readonly<Record<string, string>> = {
  setup: "for its set-up",
  limit: "because a limit on running jobs held it back",
  offer: "for a heartbeat with a free slot",
  locality: "for locality",
  node: "because nodes with free slots could not take it",
  slot: "because the slot went elsewhere",
  max: "because its pool was at its maximum",
  cap: "because the node could take no more on that heartbeat",
  update: "for an update of the scheduler",
  busy: "because all slots were taken",
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
  return `${String(whole)}${part === "" ? "" : `.${part}`} s`;
}

function sharesText(totalUs: number, shares: readonly WaitShare[], pool: string): string[] {
  const parts = shares.filter(({ us }) => us > 0).map((share) => `${secondsText(share.us)} ${wordsOf(share, pool)}`);
  if (parts.length === 0) return [];
  const table = textTable(
    [
      ["time", "share", "opportunities", "waiting"],
      ...shares.map((share) => [
        secondsText(share.us),
        `${((100 * share.us) / Math.max(1, totalUs)).toFixed(1)} %`,
        String(share.opportunities),
        wordsOf(share, pool),
      ]),
    ],
    (column) => column === 3,
  );
  return [...wrap(`Of ${secondsText(totalUs)}: ${parts.join(", ")}.`, WIDTH), "", ...table];
}

/** Why a job, or one of its maps, waited. */
export function explainReport(
  job: Job,
  wait: ExplainedWait,
  withChain: boolean,
  poolOf: (job: number) => string,
  paint: Paint = NO_PAINT,
): string {
  const { task, launched } = wait;
  const who = `Job ${String(job.job)} (${printable(job.name)}, pool ${printable(job.pool)})`;
  const what = task === null ? who : `Map ${String(task)} of ${who.replace("Job", "job")}`;
  const begin = task === null ? "its submission" : "being pending";
  const verb = launched
    ? `waited ${secondsText(wait.waitUs)} from ${begin} to its ${task === null ? "first map launch" : "launch"}`
    : `was not launched; it waited ${secondsText(wait.waitUs)} from ${begin} to the end of what is known`;
  const lines = [...wrap(`${what} ${verb}.`, WIDTH).map((line) => paint.bold(line))];
  lines.push(...sharesText(wait.waitUs, wait.shares, job.pool));
  if (withChain) lines.push("", ...chainText(job, wait, poolOf));
  return `${lines.join("\n")}\n`;
}

function chainText(job: Job, wait: ExplainedWait, poolOf: (job: number) => string): string[] {
  return textTable(
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
    (column) => column >= 4,
  );
}

function chainWords(job: Job, row: Row, poolOf: (job: number) => string): string {
  if (!WITH_TAKER.includes(row.reason) || row.takenBy === null) return wordsOf({ reason: row.reason }, job.pool);
  const by = row.takenBy === job.job ? null : poolOf(row.takenBy);
  return `${wordsOf({ reason: row.reason, by }, job.pool)}${by === null ? "" : `, last job ${String(row.takenBy)}`}`;
}

/** Why the jobs of a pool waited, all together. */
export function explainPoolReport(pool: string, waits: readonly ExplainedWait[], paint: Paint = NO_PAINT): string {
  const totalUs = waits.reduce((sum, { waitUs }) => sum + waitUs, 0);
  const never = waits.filter(({ launched }) => !launched).length;
  const count = waits.length === 1 ? "1 job" : `${String(waits.length)} jobs`;
  const head = `${count} of pool ${printable(pool)} waited ${secondsText(totalUs)} in all until their first map launches.`;
  const lines = [
    ...wrap(head, WIDTH).map((line) => paint.bold(line)),
    ...sharesText(totalUs, addedShares(waits), pool),
  ];
  if (never > 0) lines.push("", `${String(never)} of them launched no map.`);
  const longest = [...waits].sort((a, b) => b.waitUs - a.waitUs || a.job - b.job).slice(0, 5);
  const waited = longest.map(({ job, waitUs, shares }) => [
    String(job),
    secondsText(waitUs),
    shares.length === 0 ? "-" : wordsOf(shares[0], pool),
  ]);
  lines.push("", ...textTable([["job", "waited", "most of it"], ...waited], (column) => column === 2));
  return `${lines.join("\n")}\n`;
}
