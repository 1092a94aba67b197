import type * as z from "zod";
import { formatTime } from "../../core/kernel/index.js";
import { DEFAULT_DSFS, type DsfsSpec, fullWaitUs, type WaitSpec } from "../../core/scenario/index.js";
import { type Problem, valueProblem } from "./diagnose.js";
import { LIMITS } from "./limits.js";
import { choice, duration, mapping, quantity } from "./values.js";
import type { WaitFile } from "./wait.js";

// `scheduler.dsfs`: the settings of the kind dsfs, which has waits of its own.

const time = duration(0, LIMITS.waitUs);

export const dsfsSchema = mapping({
  t1: time.optional().describe("T1: how long a job waits for a node-local slot. Default 5s."),
  t2: time.optional().describe("T2: how long it waits for a rack-local one. Default 10s; 5s if it is additional."),
  t2Is: choice(["absolute", "additional"])
    .prefault("absolute")
    .describe("absolute: T2 counts from the start of the wait, as coded; additional: from T1 on, as described."),
  at: choice(["goes", "waits", "asPrinted"])
    .prefault("goes")
    .describe("After exactly T1 or T2 a job goes on, waits on, or takes node-local slots alone, as printed."),
  reset: choice(["launch", "nodeLocal", "never"])
    .prefault("launch")
    .describe("What takes a job's wait back to 0: a launch, a node-local one, or nothing."),
  jobTypes: choice(["on", "off"])
    .prefault("on")
    .describe("on: jobs that compute more than they read take rack-local slots at once."),
  ioBoundFrom: quantity(0, 1)
    .prefault(0.5)
    .describe("Share of a map's time spent reading from which on a job counts as one that reads."),
});

/** The section as a file says it. */
type DsfsFile = z.output<typeof dsfsSchema>;

const DEFAULT_T2_AFTER_T1_US = DEFAULT_DSFS.t2Us - DEFAULT_DSFS.t1Us;

export function resolveDsfs(file: DsfsFile | undefined): DsfsSpec {
  if (file === undefined) return DEFAULT_DSFS;
  const { t1, t2, t2Is, at, reset, jobTypes, ioBoundFrom } = file;
  const t1Us = t1 ?? DEFAULT_DSFS.t1Us;
  const t2Us = t2 ?? (t2Is === "absolute" ? DEFAULT_DSFS.t2Us : DEFAULT_T2_AFTER_T1_US);
  return { t1Us, t2Us, t2Is, at, reset, jobTypes: jobTypes === "on", ioBoundFrom };
}

/** The same as W1 and W2: what is said of waits is said in these. */
export function dsfsWait(dsfs: DsfsSpec): WaitSpec {
  return { kind: "time", nodeUs: dsfs.t1Us, rackUs: fullWaitUs(dsfs) - dsfs.t1Us };
}

/** What is wrong with the section, and with `scheduler.wait` beside it. */
export function dsfsProblems(dsfs: DsfsFile | undefined, wait: WaitFile | undefined): Problem[] {
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
