import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Place } from "../cli/command.js";

/** Forty tasks on sixteen cores: number 7 takes a minute, the others a second. Then a stage of tasks alike. */
const STAGES = [
  "job,submit_us,stage,parents,task,run_us",
  ...Array.from({ length: 40 }, (_, task) => {
    return `${task === 0 ? "q,0,skewed" : ",,"},,${task},${task === 7 ? "60000000" : "1000000"}`;
  }),
  ...Array.from({ length: 4 }, (_, task) => `,,${task === 0 ? "even,skewed" : ","},${task},2000000`),
];

let place: Place;
beforeAll(async () => {
  place = new Place();
  place.write("stages.csv", `${STAGES.join("\n")}\n`);
  place.write(
    "s.yaml",
    `platform: spark
name: skew
cluster: {hosts: 4}
executors: {cores: 4}
runtime: {launch: 0s, report: 0s}
workload: {kind: stages, file: stages.csv}
`,
  );
  const run = await place.bide("run", "s.yaml", "--quiet", "--tasks", "--log", "decisions", "--out", "out");
  expect(run).toMatchObject({ code: 0, stderr: "" });
});
afterAll(() => {
  place.remove();
});

const skew = { stage: 0, longestTask: 7, longestUs: 60e6, medianUs: 1e6, aloneUs: 57e6 };

describe("a stage that one task makes long", () => {
  it.each([
    ["--stage", "0", [skew]],
    ["--stage", "even", []],
    ["--job", "q", [skew]],
  ])("is named as skewed by explain %s %s", async (option, value, expected) => {
    const { stdout, code } = await place.bide("explain", "out", option, value, "--json");
    expect(code).toBe(0);
    expect((JSON.parse(stdout) as { skew: unknown }).skew).toEqual(expected);
    const { stdout: text } = await place.bide("explain", "out", option, value);
    expect(text.includes("task 7 took 60 s")).toBe(expected.length > 0);
  });

  it("has its quartiles in the table of tasks, and its name in the trace", async () => {
    const seconds = "(finish_at_us - launch_at_us) / 1e6";
    const sql = `SELECT stage, stage_name, quantile_cont(${seconds}, [0.25, 0.5, 0.75, 1]) AS s FROM tasks GROUP BY ALL ORDER BY stage`;
    const { stdout } = await place.bide("results", "out", "--sql", sql, "--json");
    expect(JSON.parse(stdout)).toMatchObject([
      { stage: 0, stage_name: "skewed", s: [1, 1, 1, 60] },
      { stage: 1, stage_name: "even", s: [2, 2, 2, 2] },
    ]);
    expect(await place.bide("trace", "out", "--quiet")).toMatchObject({ code: 0 });
    const trace = readFileSync(join(place.path, "out", "trace.json"), "utf8");
    expect(trace.match(/"stage":1,"stage_name":"even"/g)).toHaveLength(4);
  });
});
