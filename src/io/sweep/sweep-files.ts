import type { OwnEntry } from "../results/own-folder.js";

/** Every file that a folder of a sweep may hold. */
export const SWEEP_FILES = {
  text: "sweep.yaml",
  plan: "plan.json",
  journal: "journal.jsonl",
  runs: "runs.parquet",
  costs: "costs.parquet",
  readme: "README.txt",
  series: "series",
  queue: "queue.json",
} as const;

const { series: _, ...FILES } = SWEEP_FILES;
const OWN: ReadonlySet<string> = new Set(Object.values(FILES));

/** Lock, also one that was moved aside. */
const LOCKS = /^lock\.json(\.stale-[0-9a-f]{8})?$/;
/** What is being written: a file beside the one that it becomes, or the folder of a table. */
const PARTIAL = /^(\.[\w.-]+\.partial-[0-9a-f]{8}|journal\.jsonl\.partial|[\w-]+\.partial)$/;
const TABLES = /^(tmp_)?[\w-]+\.parquet$/;
const SERIES = /^([0-9a-f]{32}\.parquet|\.[0-9a-f]{32}\.parquet\.partial-[0-9a-f]{8})$/;

/** What Bide keeps in the folder of a sweep under this name: also what a process that was killed may have left. */
export function ownEntry(name: string): OwnEntry {
  if (OWN.has(name) || LOCKS.test(name)) return "file";
  if (name === SWEEP_FILES.series) return { folderOf: SERIES };
  return PARTIAL.test(name) ? { folderOf: TABLES, orFile: true } : null;
}

export function isPartial(name: string): boolean {
  return PARTIAL.test(name);
}

/** How the README.txt of a sweep begins. */
export const README_START = "A sweep of Bide: ";

/** README.txt. @param missing why there are no tables; null: there are. @param hasSeries samples are kept. */
export function sweepReadme(name: string, missing: string | null, hasSeries: boolean): string {
  const lines = [
    `${README_START}${name}.`,
    "",
    "  sweep.yaml     the sweep as it was given",
    "  plan.json      its points, seeds and the keys of its runs",
    "  journal.jsonl  one line per run that ended; nothing else is needed to go on with the sweep (bide sweep --resume)",
    ...(missing === null
      ? [
          "  runs.parquet   one row per point and replication: equal wherever and however often the sweep was run",
          "  costs.parquet  what each run cost where it was done",
        ]
      : [`There are no Parquet tables: ${missing}.`]),
    ...(hasSeries ? ["  series/        samples of each run, by its key"] : []),
  ];
  return `${[...lines, ...(missing === null ? TRY_IT : [])].join("\n")}\n`;
}

const TRY_IT = [
  "",
  "To try, in this folder (https://duckdb.org):",
  "",
  `  duckdb -c "SELECT point, count(*) AS runs, avg(virtual_seconds) FROM 'runs.parquet' GROUP BY point ORDER BY point"`,
];
