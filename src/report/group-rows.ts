import {
  capital,
  type GroupSummary,
  heldTotal,
  heldUnit,
  type RecordWords,
  type Summary,
} from "../core/record/index.js";
import { grouped, NOTHING, percent, plainSeconds, significant } from "./tables.js";

/** Pools, queues or users of a run as rows of a table, the same in a terminal and on a page. */

/** Title of a column, and its cell for a group; null: an empty cell. */
type Column = readonly [title: string, cell: (group: GroupSummary) => string | null];

/** The parts of a summary that tables of groups are about. */
type OfGroups = Pick<Summary, "words" | "cluster">;

/** Columns of pools, queues or users; users have no shares, and cause no kills. */
function groupColumns({ words, cluster }: OfGroups, noun: string): Column[] {
  const [{ key: nearest, title }] = words.levels;
  const capacity = cluster.resources[words.resources[0].key];
  const columns: Column[] = [
    [capital(noun), ({ name }) => name],
    ["jobs", ({ jobs }) => grouped(jobs.submitted)],
    ["unfinished", ({ jobs }) => (jobs.unfinished === 0 ? null : grouped(jobs.unfinished))],
    [`${title} %`, ({ locality: { tasks, shares } }) => (tasks > 0 ? percent(shares[nearest]) : null)],
    ["first p95 s", ({ timeToFirstTaskSeconds }) => plainSeconds(timeToFirstTaskSeconds.p95)],
    ["response p50 s", ({ responseSeconds }) => plainSeconds(responseSeconds.p50)],
    ["p95 s", ({ responseSeconds }) => plainSeconds(responseSeconds.p95)],
    [`${heldUnit(words).one}-h`, (group) => significant(timeOf(words, group) / 3600)],
    ["held %", ({ share }) => shareOf(share?.held ?? null, capacity)],
    ["fair %", ({ share }) => shareOf(share?.fair ?? null, capacity)],
    ["below promise %", ({ share }) => (typeof share?.belowPromise === "number" ? percent(share.belowPromise) : null)],
    ["killed", ({ kills }) => (kills === undefined || kills.attempts === 0 ? null : grouped(kills.attempts))],
    ["took", ({ killsCaused = 0 }) => (killsCaused === 0 ? null : grouped(killsCaused))],
    [
      "late",
      ({ deadlines: { met, missed } = { met: 0, missed: 0 } }) =>
        met + missed === 0 ? null : `${missed} of ${met + missed}`,
    ],
  ];
  return noun === "user" ? columns.filter(([head]) => !OF_SHARES.has(head)) : columns;
}

const OF_SHARES = new Set(["held %", "fair %", "below promise %", "took"]);

/** The time that a group held resources. */
export function timeOf(words: RecordWords, { resourceSeconds }: GroupSummary): number {
  return heldTotal(words, (place) => resourceSeconds[words.resources[place].key]);
}

/** Rows of groups, heads first: the columns that say something of one of them. Most runs have no promises or kills. */
export function groupRows(summary: OfGroups, groups: readonly GroupSummary[], noun: string): string[][] {
  const telling = groupColumns(summary, noun).filter(([, cell]) => groups.some((group) => cell(group) !== null));
  return [telling.map(([head]) => head), ...groups.map((group) => telling.map(([, cell]) => cell(group) ?? NOTHING))];
}

/** The share of the first resource, mean over the samples in which the group demanded some. */
function shareOf(amount: number | null, whole: number): string | null {
  return amount === null || whole === 0 ? null : percent(amount / whole);
}
