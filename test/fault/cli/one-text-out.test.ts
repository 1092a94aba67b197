import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Place } from "./command.js";

let place: Place;
beforeAll(async () => {
  place = new Place();
  place.write(
    "mixed.yaml",
    "cluster: {racks: 2, nodesPerRack: 4}\nscheduler: fifo\nworkload: {kind: jobs, jobs: [{maps: 1, count: 3, mapTime: 1s}, {maps: 0, reduces: 2, reduceTime: 1s}]}\n",
  );
  place.write(
    "ordered.yaml",
    "scenario: mixed.yaml\nreplications: 1\naxes: [{name: K, path: scheduler.kind, values: [fifo, fair]}]\nmeasures: [responseMean of 1 maps, makespanSeconds, responseP50]\n",
  );
  const made = [
    await place.bide("run", "mixed.yaml", "--tasks", "--out", "ran", "--quiet"),
    await place.bide("sweep", "ordered.yaml", "--out", "swept", "--quiet", "--threads", "1"),
  ];
  expect(made.map(({ code }) => code)).toEqual([0, 0]);
}, 60_000);
afterAll(() => {
  place.remove();
});

describe("--out -", () => {
  it("is stdout where a command writes one text", async () => {
    const traced = await place.bide("trace", "ran", "--out", "-", "--quiet");
    expect(Object.keys(JSON.parse(traced.stdout) as object)).toContain("traceEvents");
    const told = await place.bide("results", "swept", "--out", "-");
    expect(told.stdout).toBe((await place.bide("results", "swept")).stdout);
    expect((await place.bide("report", "ran", "--out", "-")).stdout).toMatch(/^<!doctype html>/i);
    expect(place.left()).not.toContain("-");
  }, 60_000);

  it.each([
    ["run", "mixed.yaml"],
    ["compare", "mixed.yaml"],
    ["sweep", "ordered.yaml"],
    ["merge", "swept"],
  ])("is refused by bide %s", async (command, operand) => {
    const { code, stdout, stderr } = await place.bide(command, operand, "--out", "-");
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain("Found -, allowed a name; --json prints on stdout.");
    expect(place.left()).not.toContain("-");
  });
});

it.each([
  [["compare", "mixed.yaml", "--json", "--format", "md"], "'--format <format>' cannot be used with option '--json'"],
  [["results", "swept", "--json", "--format", "csv"], "'--format <format>' cannot be used with option '--json'"],
  [["results", "swept", "--sql", "SELECT 1; SELECT 2"], "--sql: found several statements, allowed one"],
])("two wishes of which one would be passed over are refused: %j", async (args, message) => {
  const { code, stdout, stderr } = await place.bide(...args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain(message);
});

it("jobs without maps have a row of their own, and short jobs the note on set-up", async () => {
  const { stdout } = await place.bide("results", "ran");
  expect(stdout).toMatch(/^0 +1 +0 +- +- +- /m);
  expect(stdout).toMatch(/^1 +3 +0 /m);
  expect(stdout.replace(/\s+/g, " ")).toContain(
    "set-up: 3 of 4 jobs spent more than half of their response time being set up and cleaned up (runtime.jobSetup 10s, runtime.jobCleanup 2s)",
  );
  const without = ["--set", "runtime.jobSetup=0s", "--set", "runtime.jobCleanup=0s"];
  expect((await place.bide("run", "mixed.yaml", "--out", "bare", ...without)).stdout).not.toContain("set-up:");
});

it("a table of a sweep has its measures in the order of the file", async () => {
  const { stdout } = await place.bide("results", "swept");
  expect(stdout).toMatch(/^K +mean 1 map, s +makespan, s +p50 all, s$/m);
});
