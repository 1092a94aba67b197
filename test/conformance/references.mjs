import { quote } from "../../dist/io/index.js";
import { pairsIn, wantedIn } from "./expectations.mjs";
import { place } from "./shapes.mjs";

/**
 * What a timeline of the right form names although it is not there: a job before it is submitted, a task that its job
 * does not have, a tracker of no cluster. One line each.
 */
export function brokenReferences({ cluster, steps }) {
  const problems = [];
  const trackers = new Set();
  cluster.trackers.forEach(({ id }, i) => {
    if (trackers.has(id))
      problems.push(`cluster.trackers[${i + 1}].id: found ${quote(id)} again, allowed is one of each`);
    trackers.add(id);
  });
  const jobs = new Map();
  steps.forEach((step, i) => {
    const report = (path, message) => problems.push(`${place(["steps", i, ...path])}${message}`);
    if (step.op === "submit") enter(step, jobs, report);
    new StepReferences(jobs, trackers, report).check(step);
  });
  return problems;
}

function enter({ job, maps, reduces, mapHosts }, jobs, report) {
  const next = `job${jobs.size + 1}`;
  if (job !== next) report(["job"], `found ${quote(job)}, allowed ${next}: jobs are numbered as they are submitted`);
  if (mapHosts !== undefined && mapHosts.length !== maps) {
    report(["mapHosts"], `found hosts of ${mapHosts.length} maps, allowed is one list for each of ${maps}`);
  }
  jobs.set(job, { m: maps, r: reduces });
}

class StepReferences {
  constructor(jobs, trackers, report) {
    Object.assign(this, { jobs, trackers, report });
  }

  check(step) {
    if (step.op !== "submit" && step.job !== undefined) this.job(step.job, ["job"]);
    if (step.tracker !== undefined) this.tracker(step.tracker, ["tracker"]);
    if (step.task !== undefined) this.task(step.task, ["task"]);
    for (const [type, { from }] of Object.entries(step.derived?.killed ?? {})) {
      from.forEach((task, i) => this.task(task, ["derived", "killed", type, "from", i], type[0]));
    }
    if (step.op === "heartbeat") {
      step.expect?.assigned.forEach((task, i) => this.task(task, ["expect", "assigned", i]));
    } else if (step.expect !== undefined) this.expectations(step.expect);
  }

  expectations(expect) {
    for (const { path } of wantedIn(expect)) this.path(path, ["expect", ...path]);
    pairsIn(expect).forEach((pair, i) =>
      pair.forEach((path, side) => {
        const at = ["expect", "greater", i, side];
        if (path === null)
          this.report(at, `found ${quote(expect.greater[i][side])}, allowed is a path like jobs.job1.map.running`);
        else this.path(path, at);
      }),
    );
  }

  path([room, of], at) {
    if (room === "jobs") this.job(of, at);
    if (room === "trackers") this.tracker(of, at);
  }

  job(job, at) {
    if (this.jobs.has(job)) return true;
    this.report(at, `found ${quote(job)}, allowed is a job that has been submitted`);
    return false;
  }

  tracker(tracker, at) {
    if (!this.trackers.has(tracker))
      this.report(at, `found ${quote(tracker)}, allowed ${[...this.trackers].join(", ")}`);
  }

  task(task, at, kind) {
    const [, job, letter, number] = /^(.+)\/([mr])(0|[1-9]\d{0,8})$/.exec(task) ?? [];
    if (job === undefined || (kind !== undefined && kind !== letter)) {
      this.report(at, `found ${quote(task)}, allowed is a task like job1/${kind ?? "m"}0`);
    } else if (this.job(job, at) && Number(number) >= this.jobs.get(job)[letter]) {
      const kinds = letter === "m" ? "maps" : "reduces";
      this.report(
        at,
        `found ${quote(task)}, allowed is a task of ${job}, which has ${this.jobs.get(job)[letter]} ${kinds}`,
      );
    }
  }
}
