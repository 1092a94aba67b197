import type * as z from "zod";
import { formatTime } from "../../../core/kernel/index.js";
import { type DsfsSpec, fullWaitUs, LIMITS, type WaitSpec } from "../../../core/scenario/index.js";
import { type Problem, problemIf } from "../diagnose.js";
import { optional, recordOf, setting } from "../setting.js";
import { choice, duration, mapping, quantity } from "../values.js";
import type { WaitFile } from "./wait.js";

// `scheduler.dsfs`: the settings of the kind dsfs, which has waits of its own.

const time = duration(0, LIMITS.waitUs);

/** Settings of `dsfs`. Its paper states no times; the defaults are W1 of the delay scheduling paper, and twice W1. */
export const dsfsSchema = mapping({
  t1: setting(time, "T1: how long a job waits for a node-local slot.", "5s", "t1Us"),
  t2: optional(time, "T2: how long it waits for a rack-local one.", "10s; 5s if it is additional", "t2Us"),
  t2Is: setting(
    choice(["absolute", "additional"]),
    "absolute: T2 counts from the start of the wait, as coded; additional: from T1 on, as described.",
    "absolute",
  ),
  at: setting(
    choice(["goes", "waits", "asPrinted"]),
    "After exactly T1 or T2 a job goes on, waits on, or takes node-local slots alone, as printed.",
    "goes",
  ),
  reset: setting(
    choice(["launch", "nodeLocal", "never"]),
    "What takes a job's wait back to 0: a launch, a node-local one, or nothing.",
    "launch",
  ),
  jobTypes: setting(
    choice(["on", "off"]),
    "on: jobs that compute more than they read take rack-local slots at once.",
    "on",
  ),
  ioBoundFrom: setting(
    quantity(0, 1),
    "Share of a map's time spent reading from which on a job counts as one that reads.",
    0.5,
  ),
});

/** The section as a file says it. */
type DsfsFile = z.output<typeof dsfsSchema>;

/** T2, where a file leaves it out. */
const USUAL_T2_US = { absolute: 10_000_000, additional: 5_000_000 };

export function resolveDsfs(file: DsfsFile | undefined): DsfsSpec {
  const spec = recordOf(dsfsSchema, file);
  return { ...spec, t2Us: spec.t2Us ?? USUAL_T2_US[spec.t2Is], jobTypes: spec.jobTypes === "on" };
}

/** The wait as W1 and W2, which reports use. */
export function dsfsWait(dsfs: DsfsSpec): WaitSpec {
  return { kind: "time", nodeUs: dsfs.t1Us, rackUs: fullWaitUs(dsfs) - dsfs.t1Us };
}

/** Problems of the section, and of `scheduler.wait` beside it. */
export function dsfsProblems(dsfs: DsfsFile | undefined, wait: WaitFile | undefined): Problem[] {
  const { t1Us, t2Us, t2Is } = resolveDsfs(dsfs);
  return [
    ...problemIf(
      t2Is === "absolute" && t2Us < t1Us,
      ["scheduler", "dsfs"],
      `a T2 of ${formatTime(t2Us)} in scheduler.dsfs`,
      `T1, which is ${formatTime(t1Us)}, or more, or t2Is: additional`,
    ),
    ...problemIf(
      wait !== undefined,
      ["scheduler", "wait"],
      "a wait for dsfs, which has its own",
      "scheduler.dsfs with t1 and t2 in its place",
    ),
  ];
}
