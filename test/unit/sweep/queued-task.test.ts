import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import type { Redis } from "ioredis";
import { describe, expect, it } from "vitest";
import { loadScenario } from "../../../dist/io/index.js";
import { FetchedTraces, localTask, packTask, queueName, type RunTask, unpackTask } from "../../../dist/lab/index.js";

const DIGEST = "d".repeat(64);

const { scenario } = loadScenario("scenarios/tiny.yaml");
const WITH_TRACE = { ...scenario, workload: { kind: "tasks", file: "../traces/t.csv" } };

const TASK = {
  key: "a".repeat(32),
  scenario,
  directory: "/there",
  plugins: ["/there/p.mjs"],
  measures: ["responseMean"],
  warmUp: { kind: "none" },
  series: false,
  hasTwins: true,
} as object as RunTask;

const PLUGINS = new Map([[DIGEST, "/here/p.mjs"]]);

describe("a run that travels through Redis", () => {
  it("is the same run, with the plugins and the trace of the machine that it comes to", () => {
    const task = { ...TASK, scenario: WITH_TRACE, workloadDigest: DIGEST } as object as RunTask;
    const plain = localTask(unpackTask(packTask(TASK, [DIGEST])), PLUGINS, "/here");
    expect(plain).toEqual({ ...TASK, directory: "/here", plugins: ["/here/p.mjs"] });
    const read = localTask(unpackTask(packTask(task, [])), PLUGINS, "/here");
    expect(read.scenario.workload).toEqual({ kind: "tasks", file: DIGEST });
  });

  it("is refused where it names a plugin that is not offered here", () => {
    const queued = unpackTask(packTask(TASK, ["e".repeat(64)]));
    expect(() => localTask(queued, PLUGINS, "/here")).toThrow(/e{64}/);
  });

  it("reads no trace with other contents than its digest says", async () => {
    const traces = new FetchedTraces();
    const redisWith = (text: string): Redis => ({ getBuffer: async () => Promise.resolve(Buffer.from(text)) }) as never;
    const trace = { digest: createHash("sha256").update("a trace").digest("hex"), shown: "t.csv" };
    await expect(traces.fetch(redisWith("another"), trace)).rejects.toThrow();
    expect(readdirSync(traces.folder)).toEqual([]);
    await traces.fetch(redisWith("a trace"), trace);
    expect(readdirSync(traces.folder)).toEqual([trace.digest]);
  });

  it("lies in a queue that only the same code and the same plugins serve, in whatever order", () => {
    const names = [["c"], ["c", "p"], ["c", "p", "q"], ["d", "p"]].map(([code, ...plugins]) =>
      queueName(code, plugins),
    );
    expect(new Set(names).size).toBe(names.length);
    expect(queueName("c", ["q", "p"])).toBe(queueName("c", ["p", "q"]));
  });
});
