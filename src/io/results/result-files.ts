import type { Summary } from "../../core/metrics/summary.js";

/** Every file that a results folder may hold. */
export const RESULT_FILES: ReadonlySet<string> = new Set([
  "README.txt",
  "resolved-scenario.json",
  "summary.json",
  "jobs.parquet",
  "tasks.parquet",
  "samples.parquet",
  "pool-samples.parquet",
]);

const ABOUT_TABLES: Readonly<Record<string, string>> = {
  jobs: "one row per submitted job, in submission order",
  samples: "one row per sampling instant: running, backlog, locality so far",
  "pool-samples": "one row per sampling instant and pool with demand: slots held, fair share, demand",
  tasks: "one row per attempt that ended",
};

/** How the README.txt of a results folder begins. */
export const README_START = "Results of one run of Bide: ";

/**
 * README.txt of a results folder.
 * @param tables names of the Parquet tables beside it.
 * @param missing why there are none, if somebody wanted some.
 */
export function resultsReadme(summary: Summary, tables: readonly string[], missing: string | null): string {
  const lines = [
    `${README_START}scenario ${summary.scenario}, seed ${summary.seed}, scheduler ${summary.scheduler}.`,
    `Fingerprint ${summary.fingerprint}`,
    "",
    fileLine("summary.json", "everything that is printed and more (bide schema summary)"),
    fileLine("resolved-scenario.json", "the scenario with every default filled in"),
    ...tables.map((table) => fileLine(`${table}.parquet`, ABOUT_TABLES[table])),
    "",
    "Times are virtual, in microseconds since the start of the run (columns ..._us); null: has not happened.",
  ];
  if (missing !== null) lines.push(`There are no Parquet tables: ${missing}.`);
  if (tables.includes("jobs")) lines.push(...tryIt());
  return `${lines.join("\n")}\n`;
}

function fileLine(name: string, about: string): string {
  return `  ${name.padEnd(24)}${about}`;
}

function tryIt(): string[] {
  return [
    "",
    "To try, in this folder (https://duckdb.org):",
    "",
    '  duckdb -c "SELECT pool, count(*) AS jobs, median(response_us) / 1e6 AS p50_s,',
    "                    sum(node_local_maps) / sum(maps) AS node_local",
    "             FROM 'jobs.parquet' GROUP BY pool ORDER BY jobs DESC, pool LIMIT 10\"",
  ];
}
