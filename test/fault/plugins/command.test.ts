import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Place } from "../cli/command.js";

let place: Place;
beforeAll(() => {
  place = new Place();
  place.write("mine.mjs", MINE);
  place.write("mine.yaml", GOOD);
});
afterAll(() => {
  place.remove();
});

/** Leaves a file behind as soon as it is loaded. */
const MINE = `import { writeFileSync } from "node:fs";
writeFileSync("was-loaded", "");
export default {
  name: "mine",
  summary: "whoever came last",
  checkOptions: ({ most }) => (most === undefined || most > 0 ? [] : [{ key: "most", message: "found no whole number" }]),
  create: (cluster, { most = 9 }) => ({
    choose({ jobs, nowUs }) {
      if (most === 7) return jobs.nobody.at(0);
      return { job: jobs.at(-1) };
    },
  }),
};
`;
const CLUSTER = "cluster: {racks: 2, nodesPerRack: 2, mapSlots: 2, reduceSlots: 1}";
const WORKLOAD = "workload: {kind: jobs, jobs: [{name: a, maps: 3, mapTime: 5s, count: 4, every: 2s}]}";
const GOOD = `${CLUSTER}\n${WORKLOAD}\nscheduler:\n  kind: mine\n  options:\n    most: 5\n`;

const isLoaded = (): boolean => existsSync(join(place.path, "was-loaded"));

describe("a scenario by itself", () => {
  it.each([
    [
      "kind: ./mine.mjs",
      /:3:19: expected .*\(--plugin FILE adds your own\), found "\.\/mine\.mjs" for scheduler\.kind/,
    ],
    ["kind: mine", /:3:19: expected .*--plugin FILE.*, found "mine" for scheduler\.kind/],
    ["kind: fair, plugin: ./mine.mjs", /there is no key "plugin" in scheduler/],
    [
      "kind: fair, options: {import: ./mine.mjs}",
      /expected options only for .*--plugin, found scheduler\.options for fair/,
    ],
  ])("runs nobody's code: {%s}", async (scheduler, message) => {
    place.write("theirs.yaml", `${CLUSTER}\n${WORKLOAD}\nscheduler: {${scheduler}}\n`);
    for (const command of scheduler === "kind: mine" ? ["validate", "run", "compare"] : ["validate"]) {
      const { code, stderr } = await place.bide(command, "theirs.yaml");
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(message) });
    }
    expect(isLoaded()).toBe(false);
  });
});

describe("--plugin", () => {
  it("makes a scheduler known to run, which then is named in results", async () => {
    const args = ["run", "mine.yaml", "--plugin", "./mine.mjs", "--json", "--no-tables", "--out", "done"];
    const { code, stdout, stderr } = await place.bide(...args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(JSON.parse(stdout)).toMatchObject({ scheduler: "mine", jobs: { ended: 4 } });
    expect(isLoaded()).toBe(true);
    const resolved = readFileSync(join(place.path, "done", "resolved-scenario.json"), "utf8");
    expect(JSON.parse(resolved)).toMatchObject({ scheduler: { kind: "mine", options: { most: 5 } } });
  });

  it("makes it known to validate, compare and schedulers", async () => {
    const validated = await place.bide("validate", "mine.yaml", "--plugin", "mine.mjs");
    expect(validated).toMatchObject({ code: 0, stdout: expect.stringContaining("mine (plugin)") });
    const compared = await place.bide("compare", "mine.yaml", "--plugin", "mine.mjs", "--schedulers", "fair,mine");
    expect(compared).toMatchObject({ code: 0, stdout: expect.stringMatching(/fair: no wait; mine: its own/) });
    const listed = await place.bide("schedulers", "--plugin", "mine.mjs");
    expect(listed).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^mine +whoever came last\n +plugin$/m),
    });
  });

  it("has the options checked by the plugin, at their line", async () => {
    place.write("bad.yaml", GOOD.replace("most: 5", "most: 0"));
    const { code, stderr } = await place.bide("validate", "bad.yaml", "--plugin", "mine.mjs");
    expect({ code, stderr }).toEqual({ code: 2, stderr: "bad.yaml:6:11: mine: found no whole number\n" });
  });

  it("that throws in a run ends it: hook, instant, place; exit 2, and nothing is left", async () => {
    for (const threads of ["2", "auto"]) {
      const set = ["--set", "scheduler.options.most=7", "--threads", threads, "--out", `failed-${threads}`, "--quiet"];
      const { code, stdout, stderr } = await place.bide("run", "mine.yaml", "--plugin", "mine.mjs", ...set);
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr).toMatch(
        /^scheduler mine, choose at 10\.5s of virtual time: it threw TypeError: .*mine\.mjs:9:\d+\)$/m,
      );
      expect(stderr).toMatch(/^bide: the run was stopped; no results were written$/m);
      expect(place.left().filter((name) => name.includes("failed"))).toEqual([]);
    }
  });

  it.each([
    [
      "leaves a promise behind that is rejected late",
      'Promise.resolve().then(() => { throw new Error("late"); }); return { job: arguments[0].jobs[0] }',
      /^a plugin: something was thrown while no hook was called, or a promise was rejected .*\(Error: late \(.*bad\.mjs:1:\d+\)\) from .*bad\.mjs:1:\d+; hooks/m,
    ],
    [
      "rejects a promise for no reason",
      "Promise.reject(7); return { job: arguments[0].jobs[0] }",
      /^a plugin: something was thrown while no hook was called, or a promise was rejected that nobody waits for/m,
    ],
    [
      "ends the process with 0",
      "process.exit(0)",
      /^bide: a plugin ended the process in the midst of a command; no results were written$/m,
    ],
    [
      "answers with what throws when it is looked at",
      'return new Proxy({}, { has: () => true, get() { throw new Error("trap"); } })',
      /^scheduler bad, choose at 10\.5s of virtual time: it threw Error: trap/m,
    ],
  ])("that %s is told of; exit 2, and nothing is left", async (_what, body, told) => {
    place.write("bad.mjs", `export default { name: "bad", summary: "x", create: () => ({ choose() { ${body}; } }) };`);
    place.write("bad.yaml", `${CLUSTER}\n${WORKLOAD}\nscheduler: bad\n`);
    const { code, stderr } = await place.bideProcess(
      "run",
      "bad.yaml",
      "--plugin",
      "bad.mjs",
      "--out",
      "failed",
      "--quiet",
    );
    expect(code).toBe(2);
    expect(stderr).toMatch(told);
    expect(place.left().filter((name) => name.includes("failed"))).toEqual([]);
  });

  it("is held to the contract by check-scheduler; exit 2 and a command that shows it again if it breaks it", async () => {
    const args = ["check-scheduler", "mine", "--plugin", "./mine.mjs", "--case", "one-node"];
    const kept = await place.bide(...args);
    expect(kept).toMatchObject({
      code: 0,
      stderr: "checking one-node\n",
      stdout: expect.stringMatching(/^ok {9}every job of a finite/m),
    });
    const broken = await place.bide(...args, "--json", "--set", "scheduler.options.most=7");
    expect(broken.code).toBe(2);
    expect(broken.stderr).toBe(
      "checking one-node\nscheduler mine: does not obey the rules for schedulers: 1 of 9 checks failed\n",
    );
    const report = JSON.parse(broken.stdout) as { passed: boolean; checks: { key: string; findings: object[] }[] };
    expect(report).toMatchObject({ format: "bide-contract", passed: false, scenarios: ["one-node"] });
    expect(report.checks[0]).toMatchObject({ key: "plans", passed: false });
    expect(report.checks[0]!.findings).toEqual([
      {
        scenario: "one-node",
        message: expect.stringMatching(/^scheduler mine, choose at .* it threw TypeError/),
        command: "npx bide check-scheduler mine --plugin ./mine.mjs --set scheduler.options.most=7 --case one-node",
      },
    ]);
  });
});
