import { MAX_TIME_US } from "../../core/kernel/time.js";
import { duplicate, valueProblem } from "./check-cluster.js";
import type { Problem } from "./diagnose.js";
import { LIMITS } from "./limits.js";
import type { ScenarioFile } from "./scenario-schema.js";
import { formatDuration } from "./units.js";

type InlineJobsFile = Extract<ScenarioFile["workload"], { kind: "jobs" }>;

const JOBS = ["workload", "jobs"];

/** What is wrong with a list of jobs, beyond its single values. */
export function inlineJobProblems({ jobs }: InlineJobsFile): Problem[] {
  const problems: Problem[] = [];
  const names = new Set<string>();
  let total = 0;
  let tasks = 0;
  for (const [i, job] of jobs.entries()) {
    total += job.count;
    tasks += job.count * (job.maps + job.reduces);
    if (job.maps + job.reduces === 0) {
      problems.push(valueProblem([...JOBS, i], "a job with 0 maps and 0 reduces", "at least one task"));
    }
    const lastUs = job.at + (job.count - 1) * job.every;
    if (lastUs > MAX_TIME_US) {
      const allowed = `at most ${formatDuration(MAX_TIME_US)}`;
      problems.push(valueProblem([...JOBS, i], `a last submission at ${String(lastUs)} us`, allowed));
    }
    if (job.name === undefined) continue;
    if (names.has(job.name)) problems.push(duplicate([...JOBS, i, "name"], "job", job.name));
    names.add(job.name);
  }
  if (total > LIMITS.jobs) problems.push(valueProblem(JOBS, `${String(total)} jobs`, `at most ${String(LIMITS.jobs)}`));
  if (tasks > LIMITS.totalTasks) {
    problems.push(valueProblem(JOBS, `${String(tasks)} tasks`, `at most ${String(LIMITS.totalTasks)}`));
  }
  return problems.concat(collisions(jobs, names));
}

/** `scan` with count 3 makes scan-1, scan-2, scan-3; no other entry may be called so. */
function collisions(jobs: InlineJobsFile["jobs"], names: ReadonlySet<string>): Problem[] {
  const counts = new Map(jobs.map((job) => [job.name, job.count]));
  return jobs.flatMap(({ name, count }, i) => {
    const match = count > 1 ? null : /^(.+)-([1-9]\d{0,8})$/.exec(name ?? "");
    if (name === undefined || match === null || !names.has(match[1])) return [];
    const copies = counts.get(match[1]) ?? 1;
    return copies > 1 && Number(match[2]) <= copies ? [duplicate([...JOBS, i, "name"], "job", name)] : [];
  });
}
