import { formatTime } from "../../core/kernel/time.js";
import { valueProblem } from "./check-cluster.js";
import type { Problem } from "./diagnose.js";
import { resolveDsfs } from "./resolve-dsfs.js";
import type { SchedulerSettings } from "./scheduler-schema.js";

/** What is wrong with `scheduler.dsfs`, and with what stands beside it. */
export function dsfsProblems({ kind, dsfs, wait }: SchedulerSettings): Problem[] {
  if (kind !== "dsfs") return [];
  const problems: Problem[] = [];
  const { t1Us, t2Us, t2Is } = resolveDsfs(dsfs);
  if (t2Is === "absolute" && t2Us < t1Us) {
    const found = `a T2 of ${formatTime(t2Us)} in scheduler.dsfs`;
    const allowed = `T1, which is ${formatTime(t1Us)}, or more; or t2Is: additional`;
    problems.push(valueProblem(["scheduler", "dsfs"], found, allowed));
  }
  if (wait !== undefined) {
    const found = "a wait for dsfs, which has its own";
    problems.push(valueProblem(["scheduler", "wait"], found, "scheduler.dsfs with t1 and t2 in its place"));
  }
  return problems;
}
