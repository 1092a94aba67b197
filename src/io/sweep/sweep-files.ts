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

const OWN: ReadonlySet<string> = new Set(Object.values(SWEEP_FILES));

/** Whether Bide gave the file its name: also what a process that was killed may have left. */
export function isOwnName(name: string): boolean {
  return OWN.has(name) || /^lock\.json|\.partial(-[0-9a-f]+)?$/.test(name);
}

/** README.txt. @param missing why there are no tables; null: there are. @param hasSeries samples are kept. */
export function sweepReadme(name: string, missing: string | null, hasSeries: boolean): string {
  const lines = [
    `A sweep of Bide: ${name}.`,
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
