import { isAbsolute, resolve } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { MAX_TIME_US } from "../../core/kernel/time.js";
import type { JobsWorkloadSpec, Scenario } from "../../core/scenario/scenario.js";
import { inlineJobProblems, workloadInSteps } from "../../core/workload/build.js";
import type { Workload } from "../../core/workload/job.js";
import { InputError } from "../input-error.js";
import { LIMITS } from "../scenario/limits.js";
import { taskRoom } from "../scenario/runtime.js";

/**
 * Everything the scenario will submit: generated, or read from the file its workload names.
 * @param directory what a relative file name counts from: the folder of the scenario file.
 * @param onPause called many times a second meanwhile, after the event loop has turned; what it throws ends the loading.
 * @throws InputError for whatever is wrong with the file or the job list, and for more tasks than one run can hold.
 */
export async function loadWorkload(
  scenario: Scenario,
  directory: string,
  onPause: () => void = () => undefined,
): Promise<Workload> {
  const workload = await readOrGenerate(scenario, directory, onPause);
  refuseTooMuch(workload, scenario);
  return workload;
}

async function readOrGenerate(scenario: Scenario, directory: string, onPause: () => void): Promise<Workload> {
  const { workload: spec, cluster, storage, run } = scenario;
  switch (spec.kind) {
    case "swim": {
      const { readSwim } = await import("./swim.js");
      return readSwim(spec, pathOf(spec.file, directory), run.seed, onPause);
    }
    case "tasks": {
      const { readTasksCsv } = await import("./tasks-csv.js");
      const room = taskRoom(cluster.racks.flatMap(({ nodes }) => nodes));
      return readTasksCsv(spec, pathOf(spec.file, directory), room, onPause);
    }
    case "jobs": {
      refuseJobList(spec, scenario);
      return paced(workloadInSteps(spec, storage, run.seed), onPause);
    }
    case "facebook":
    case "benchmark":
      return paced(workloadInSteps(spec, storage, run.seed), onPause);
  }
}

const PAUSE_EVERY_MS = 50;

/** Work in steps, with pauses in which signals and timers are served. The clock decides when to pause, never what is made. */
async function paced<T>(steps: Generator<undefined, T>, onPause: () => void): Promise<T> {
  let lastMs = performance.now();
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    if (performance.now() - lastMs < PAUSE_EVERY_MS) continue;
    await nextTurn();
    onPause();
    lastMs = performance.now();
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
