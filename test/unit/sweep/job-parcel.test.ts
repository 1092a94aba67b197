import { deepStrictEqual } from "node:assert";
import { describe, expect, it } from "vitest";
import type { RunTask } from "../../../dist/lab/sweep/run-task.js";
import { loadScenario } from "../../../dist/io/scenario/load.js";
import {
  fileOf,
  naming,
  packOutcome,
  packTask,
  unpackOutcome,
  unpackTask,
} from "../../../dist/lab/sweep/queue/job-parcel.js";
import { refusal } from "../../../dist/lab/sweep/queue/notices.js";

function taskOf(file: string): RunTask {
  const { scenario } = loadScenario(file);
  const plan = { measures: ["locality.node"], warmUp: { kind: "cut", untilUs: 5 } as const, series: false };
  return { key: "k", scenario, directory: "/somewhere", plugins: ["/there/p.mjs"], ...plan };
}

describe("a run that travels", () => {
  it("arrives as it was, but for paths", () => {
    const task = taskOf("scenarios/tiny.yaml");
    const back = unpackTask(packTask(task), null, ["/here/p.mjs"]);
    deepStrictEqual(back, { ...task, directory: "/", plugins: ["/here/p.mjs"] });
  });

  it("reads the file that came with it, and no other", () => {
    const task = taskOf("scenarios/swim.yaml");
    const { workload } = task.scenario;
    if (!("file" in workload)) throw new Error("the scenario reads a file");
    expect(fileOf(task)).toBe(`/somewhere/${workload.file}`);
    const back = unpackTask(packTask(task), "/here/trace", []);
    deepStrictEqual(back.scenario.workload, { ...workload, file: "/here/trace" });
    expect(() => unpackTask(packTask(task), null, [])).toThrow("did not come with it");
    expect(fileOf(taskOf("scenarios/tiny.yaml"))).toBeNull();
  });

  it("of 10,000 nodes is small", () => {
    expect(packTask(taskOf("scenarios/scale-10k.yaml")).length).toBeLessThan(100_000);
  });

  it("names files as they are called where the sweep is", () => {
    const failed = { outcome: "failed", error: "/tmp/x:3: found a", cost: { wallSeconds: 1 } } as const;
    expect(naming(failed, "/tmp/x", "/home/trace")).toMatchObject({ error: "/home/trace:3: found a" });
  });
});

describe("what comes back", () => {
  it("is an outcome and the code that made it", () => {
    const returned = { code: "c", run: { outcome: "failed", error: "x", cost: { wallSeconds: 0.1 } } } as const;
    expect(unpackOutcome(packOutcome(returned))).toEqual(returned);
  });

  it.each([
    null,
    undefined,
    3,
    "",
    "null",
    "{}",
    '{"code":"c"}',
    '{"code":"c","run":{"outcome":"maybe"}}',
    '{"run":{"outcome":"done"}}',
  ])("is not %j", (text) => {
    expect(unpackOutcome(text)).toBeNull();
  });
});

describe("a process may do runs of a sweep", () => {
  const sweep = { name: "s", code: "a".repeat(32), plugins: ["p".repeat(64)], since: 0 };

  it("with its code and plugins", () => {
    expect(refusal(sweep, { code: sweep.code, plugins: ["q", ...sweep.plugins] })).toBeNull();
  });

  it("not with other code, whatever its plugins", () => {
    const why = refusal(sweep, { code: "b".repeat(32), plugins: sweep.plugins });
    expect(why).toBe(
      "found code aaaaaaaaaaaa..., allowed bbbbbbbbbbbb..., which this process runs: install the same Bide on both sides",
    );
  });

  it("not without a plugin", () => {
    expect(refusal(sweep, { code: sweep.code, plugins: [] })).toContain("--plugin FILE with the same contents");
  });
});
