import { parseScenario, runScenario, type RunResult } from "../../dist/lab/public.js";
import type { InlineJobSpec } from "../../dist/core/scenario/index.js";

/** A job of one map, with changes. */
export function oneMap(changes: Partial<InlineJobSpec>): InlineJobSpec {
  return {
    name: "job",
    atUs: 0,
    user: "ann",
    pool: "ann",
    priority: "normal",
    maps: 1,
    mapUs: 1_000_000,
    reduces: 0,
    copyUs: 0,
    reduceUs: 0,
    file: "",
    count: 1,
    everyUs: 0,
    sigma: 0,
    deadlineUs: null,
    ...changes,
  };
}

/** Runs jobs, more than a file would list, on what the text of a scenario says beside its workload. */
export async function runJobs(text: string, jobs: readonly InlineJobSpec[]): Promise<RunResult> {
  const file = `${text}\nworkload: { kind: jobs, jobs: [{ name: none, maps: 1, mapTime: 1s }] }\n`;
  const { scenario } = parseScenario(file, "listed.yaml");
  return runScenario({ ...scenario, workload: { kind: "jobs", jobs } }, ".", { placement: 0, recordTasks: true });
}
