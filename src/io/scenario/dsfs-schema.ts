import { LIMITS } from "./limits.js";
import { choice, duration, mapping, quantity } from "./values.js";

const time = duration(0, LIMITS.waitUs);

/** `scheduler.dsfs` */
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
