import { describe, expect, it } from "vitest";
import { collectRecord, simulate } from "../../dist/lab/index.js";
import { clusterOf, jobOf, schedulerOf, smallRun } from "../support/small-scenarios.mjs";

const SECOND = 1_000_000;
const USERS = 12;
const JOBS = 60;
const THINK_US = 20 * SECOND;

/** Users who submit a job of one map, wait for it, think, and submit the next. */
async function closedRun(slots: number, gaps: "exponential" | undefined) {
  const users = Array.from({ length: USERS }, (_, user) =>
    jobOf({
      name: `user${user}`,
      user: `user${user}`,
      pool: `user${user}`,
      maps: 1,
      mapUs: 10 * SECOND,
      reduces: 0,
      count: JOBS,
      thinkUs: THINK_US,
      gaps,
    }),
  );
  const { scenario, workload } = smallRun({
    cluster: clusterOf({ groups: [[{ count: slots, mapSlots: 1, reduceSlots: 0, speed: 1 }]], heartbeatUs: SECOND }),
    scheduler: schedulerOf("fifo", {}),
    jobs: users,
  });
  const run = await simulate(scenario, workload, { threads: 0, slices: 1, recordTasks: false });
  return { workload, jobs: collectRecord(run.master.master, run.stoppedUs).jobs };
}

describe("users who wait for their jobs", () => {
  it("submit the next one when the last has ended and they have thought, to the microsecond", async () => {
    const { workload, jobs } = await closedRun(3, "exponential");
    expect(jobs.rows).toBe(USERS * JOBS);
    const thinkUs = new Map(workload.jobs.map(({ name, next }) => [name, next?.thinkUs]));
    let pairs = 0;
    for (let job = 0; job < jobs.rows; job++) {
      const [user, number] = jobs.name[job].split("-");
      const last = jobs.name.indexOf(`${user}-${Number(number) - 1}`);
      if (last < 0) continue;
      expect(jobs.submitAtUs[job] - jobs.endAtUs[last]).toBe(thinkUs.get(jobs.name[last]));
      pairs++;
    }
    expect(pairs).toBe(USERS * (JOBS - 1));
    // Jobs are numbered in the order in which they were submitted.
    expect(jobs.submitAtUs.every((atUs, job) => job === 0 || atUs >= jobs.submitAtUs[job - 1])).toBe(true);
  });

  it.each([1, 2, 12])("obey the law of interactive response time on %i slots: N = X (R + Z)", async (slots) => {
    const { jobs } = await closedRun(slots, undefined);
    // While all users are there: from the first end to the first user's last submission.
    let [spentUs, ended, lastUs] = [0, 0, Infinity];
    for (let job = 0; job < jobs.rows; job++) {
      if (jobs.name[job].endsWith(`-${JOBS}`)) lastUs = Math.min(lastUs, jobs.submitAtUs[job]);
    }
    for (let job = 0; job < jobs.rows; job++) {
      if (jobs.endAtUs[job] > lastUs) continue;
      spentUs += jobs.endAtUs[job] - jobs.submitAtUs[job] + THINK_US;
      ended++;
    }
    const users = (ended / lastUs) * (spentUs / ended);
    expect(users / USERS).toBeCloseTo(1, 1);
  });
});
