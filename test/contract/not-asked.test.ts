import { expect, it } from "vitest";
import type { SchedulerPlugin } from "../../dist/core/platforms/hadoop/index.js";
import { checkScheduler } from "../../dist/lab/index.js";
import { contractReport, NO_PAINT } from "../../dist/report/index.js";
import { pluginOf } from "../support/plugin-runs.js";

let calls = 0;
const stopsAt = (maps: number, rest: Partial<SchedulerPlugin> = {}) =>
  pluginOf(
    () => ({
      order: (jobs) => {
        if (jobs.some(({ map }) => map.total === maps)) throw new Error("no more");
        return jobs;
      },
    }),
    rest,
  );

it.each<[what: string, plugin: SchedulerPlugin, only: string[]]>([
  ["a run that was stopped by a mistake", stopsAt(220), ["huge"]],
  ["jobs that did not end", pluginOf(() => ({ order: (jobs) => jobs.filter(({ id }) => id !== 3) })), ["bursts"]],
  ["runs that differ", pluginOf(() => ({ order: (jobs) => (calls++ % 97 < 50 ? jobs : jobs.reverse()) })), ["bursts"]],
  ["scenarios that do not ask all", pluginOf(() => ({ order: (jobs) => jobs })), ["bursts"]],
  ["one scenario stopped, and a waived check", stopsAt(7, { mayStarve: true }), ["bursts", "stream"]],
])("the report does not call ok what was not asked, after %s", async (_, plugin, only) => {
  const report = await checkScheduler("mine", { plugins: [plugin], only });
  for (const { verdict, askedIn, whyNot } of report.checks) {
    expect(verdict === "not asked").toBe(askedIn.length === 0);
    expect(whyNot === null).toBe(askedIn.length > 0);
  }
  expect(
    contractReport(report, (scenario) => `again ${scenario}`, NO_PAINT).replace(/ \(\/.*\)$/gm, ""),
  ).toMatchSnapshot();
});
