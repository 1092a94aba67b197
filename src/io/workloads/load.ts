import { isAbsolute, resolve } from "node:path";
import { MAX_TIME_US } from "../../core/kernel/time.js";
import type { JobsWorkloadSpec, Scenario } from "../../core/scenario/scenario.js";
import { generateWorkload } from "../../core/workload/build.js";
import { inlineJobProblems } from "../../core/workload/inline-jobs.js";
import type { Workload } from "../../core/workload/job.js";
import { InputError } from "../input-error.js";
import { LIMITS } from "../scenario/limits.js";
import { taskRoom } from "../scenario/task-room.js";

/**
 * Everything the scenario will submit: generated, or read from the file its workload names.
 * @param directory what a relative file name counts from: the folder of the scenario file.
 * @throws InputError for whatever is wrong with the file or the job list, and for more tasks than one run can hold.
 */
export async function loadWorkload(scenario: Scenario, directory: string): Promise<Workload> {
  const workload = await readOrGenerate(scenario, directory);
  refuseTooMuch(workload, scenario);
  return workload;
}

async function readOrGenerate(scenario: Scenario, directory: string): Promise<Workload> {
  const { workload: spec, cluster, storage, run } = scenario;
  switch (spec.kind) {
    case "swim": {
      const { readSwim } = await import("./swim.js");
      return readSwim(spec, pathOf(spec.file, directory), run.seed);
    }
    case "tasks": {
      const { readTasksCsv } = await import("./tasks-csv.js");
      return readTasksCsv(spec, pathOf(spec.file, directory), taskRoom(cluster.racks.flatMap(({ nodes }) => nodes)));
    }
    case "jobs": {
      refuseJobList(spec, scenario);
      return generateWorkload(spec, storage, run.seed);
    }
    case "facebook":
    case "benchmark":
      return generateWorkload(spec, storage, run.seed);
  }
}

function pathOf(file: string, directory: string): string {
  return isAbsolute(file) ? file : resolve(directory, file);
}

/** Before the list is expanded: entries without tasks, and counts that add up to too many jobs. */
function refuseJobList(spec: JobsWorkloadSpec, scenario: Scenario): void {
  const messages = inlineJobProblems(spec).map(
    ({ position, message }) => `workload.jobs.${String(position)}: ${message}`,
  );
  const jobs = spec.jobs.reduce((sum, entry) => sum + entry.count, 0);
  if (jobs > LIMITS.jobs)
    messages.push(`workload.jobs: ${String(jobs)} jobs in all; allowed: at most ${String(LIMITS.jobs)}`);
  if (messages.length > 0) throw new InputError(messages.map((message) => scenarioProblem(scenario, message)));
}

function refuseTooMuch(workload: Workload, scenario: Scenario): void {
  let tasks = 0;
  for (const job of workload.jobs) tasks += job.maps + job.reduces;
  let blocks = 0;
  for (const file of workload.files) blocks += file.blocks;
  const problems: string[] = [];
  if (tasks > LIMITS.totalTasks)
    problems.push(`workload: ${String(tasks)} tasks in all; allowed: at most ${String(LIMITS.totalTasks)}`);
  if (blocks > LIMITS.totalTasks)
    problems.push(`workload: ${String(blocks)} input blocks in all; allowed: at most ${String(LIMITS.totalTasks)}`);
  const last = workload.jobs.at(-1);
  if (last !== undefined && last.submitAtUs > MAX_TIME_US) {
    problems.push(
      `workload: job "${last.name}" is submitted after more than 100 years; that is the latest instant a run can reach`,
    );
  }
  if (problems.length > 0) throw new InputError(problems.map((message) => scenarioProblem(scenario, message)));
}

/** A problem of the scenario that no line of a file is to blame for: it is known by the scenario's name. */
function scenarioProblem(
  scenario: Scenario,
  message: string,
): { file: string; line: number; column: number; message: string } {
  return { file: scenario.name, line: 0, column: 0, message };
}
