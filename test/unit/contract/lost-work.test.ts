import { describe, expect, it } from "vitest";
import { builderWith } from "../../../dist/core/platforms/hadoop/index.js";
import { kitRun, lostWork, unfinished } from "../../../dist/lab/index.js";
import { jobOf, smallRun } from "../../support/small-scenarios.mjs";

const run = () =>
  smallRun({ jobs: [jobOf({ maps: 5, reduces: 1 }), jobOf({ name: "late", maps: 2, atUs: 90_000_000 })] });

async function watched(untilUs = Infinity) {
  const { scenario, workload } = run();
  const limited = { ...scenario, run: { ...scenario.run, untilUs } };
  const way = { threads: 0, slices: 1, watch: { seesAll: false } };
  const done = await kitRun(limited, workload, builderWith([], "1"), way);
  if (done.run === null) throw new Error(done.fault);
  return done;
}

describe("the audit of a run", () => {
  it("finds nothing where every attempt ended once", async () => {
    const done = await watched();
    expect(lostWork(done)).toBeNull();
    expect(unfinished(done)).toBeNull();
  });

  it("finds an attempt that ended twice, one that was never launched, and a task that was not done", async () => {
    const twice = await watched();
    const { tasks } = twice.run.master.master.recorder;
    tasks!.append(0, 0, 3, 0, 0, 0, 0, 1, 0);
    expect(lostWork(twice)).toBe("attempt 0 of map 3 of job 0 ended twice");
    const more = await watched();
    more.run.master.master.recorder.tasks!.append(0, 0, 3, 1, 0, 0, 0, 1, 0);
    expect(lostWork(more)).toBe("8 launches, and 9 ends of attempts");
    const less = await watched();
    const [job] = less.run.master.master.recorder.workload.jobs;
    Object.assign(job!, { maps: 6 });
    expect(lostWork(less)).toBe("expected 7 tasks of job 0 done, found 6");
  });

  it("names what has not ended", async () => {
    const stopped = await watched(93_000_000);
    expect(unfinished(stopped)).toBe("1 job unfinished, late with 1 map and 0 reduces pending");
  });
});
