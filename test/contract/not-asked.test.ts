import { describe, expect, it } from "vitest";
import type { SchedulerPlugin } from "../../dist/core/platforms/hadoop/index.js";
import { checkScheduler } from "../../dist/lab/index.js";
import { contractReport } from "../../dist/report/index.js";
import { pluginOf } from "../support/plugin-runs.js";

const paint = { bold: (text: string) => text, dim: (text: string) => text };

async function verdicts(plugin: SchedulerPlugin, only: readonly string[]) {
  const report = await checkScheduler("mine", { plugins: [plugin], only });
  const text = contractReport(report, (scenario) => `again ${scenario}`, paint);
  return { report, text, said: Object.fromEntries(report.checks.map(({ key, verdict }) => [key, verdict])) };
}

const inTurn = pluginOf(() => ({ order: (jobs) => jobs }));

describe("the report of the conformance kit does not call ok what was not asked", () => {
  it("after a run that was stopped by a mistake", async () => {
    const plugin = pluginOf(() => ({
      choose: () => {
        throw new Error("at once");
      },
    }));
    const { report, text, said } = await verdicts(plugin, ["huge"]);
    const { plans, ...others } = said;
    expect(plans).toBe("failed");
    expect(new Set(Object.values(others))).toEqual(new Set(["not asked"]));
    expect(report.passed).toBe(false);
    expect(report.checks.filter(({ passed }) => !passed)).toHaveLength(1);
    expect(report.checks.find(({ key }) => key === "again")).toMatchObject({
      askedIn: [],
      notAskedIn: [{ scenario: "huge", reason: "the run was stopped by what it did" }],
      whyNot: "the run was stopped by what it did",
    });
    expect(text).not.toMatch(/^ok/m);
    expect(text).toMatch(
      /^not asked {2}the same run twice.*\n {11}not asked in huge: the run was stopped by what it did$/m,
    );
    expect(text).toMatch(/^not asked {2}a small job amid .*\n {11}asked only in stream$/m);
  });

  it("after jobs that did not end, and after runs that differ", async () => {
    const forgetful = pluginOf(() => ({ order: (jobs) => jobs.filter(({ id }) => id !== 3) }));
    expect((await verdicts(forgetful, ["bursts"])).said).toMatchObject({
      plans: "ok",
      ends: "failed",
      work: "not asked",
      again: "not asked",
      placement: "not asked",
    });
    let calls = 0;
    const fickle = pluginOf(() => ({ order: (jobs) => (calls++ % 97 < 50 ? jobs : jobs.reverse()) }));
    expect((await verdicts(fickle, ["bursts"])).said).toMatchObject({
      ends: "ok",
      work: "ok",
      again: "failed",
      heartbeats: "not asked",
      placement: "not asked",
    });
  });

  it("when only other scenarios ask it, which is no fault", async () => {
    const { report, text, said } = await verdicts(inTurn, ["bursts"]);
    expect(said).toEqual({
      plans: "ok",
      work: "ok",
      ends: "ok",
      again: "ok",
      heartbeats: "ok",
      placement: "ok",
      "small-job": "not asked",
      waits: "not asked",
      threads: "not asked",
    });
    expect(report.passed).toBe(true);
    expect(text).toMatch(/^not asked {2}one fingerprint on any threads\n {11}asked only in huge and faults$/m);
  });

  it("and says where an ok was not asked, and what a waived check found", async () => {
    const stopsAtSevens = pluginOf(
      () => ({
        order: (jobs) => {
          if (jobs.some(({ map }) => map.total === 7)) throw new Error("seven maps");
          return jobs;
        },
      }),
      { mayStarve: true },
    );
    const { text, said } = await verdicts(stopsAtSevens, ["bursts", "stream"]);
    expect(said).toMatchObject({ plans: "failed", "small-job": "waived", again: "ok" });
    expect(text).toMatch(/^ok {9}the same run twice.*\n {11}not asked in bursts: the run was stopped by what it did$/m);
    expect(text).toMatch(/^waived {5}a small job amid .*\n {11}in stream: found the first task of small \d+ s/m);
  });
});
