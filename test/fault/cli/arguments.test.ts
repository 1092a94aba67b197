import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EXIT, SIGNAL_EXIT } from "../../../dist/cli/index.js";
import { SCHEDULER_KINDS } from "../../../dist/core/scenario/index.js";
import { Place } from "./command.js";

const KINDS = SCHEDULER_KINDS.map(({ name }) => name).join(", ");

let place: Place;
beforeAll(() => {
  place = new Place();
});
afterAll(() => {
  place.remove();
});

describe("wrong arguments", () => {
  it.each([
    [["rnu"], /unknown command 'rnu'\n\(Did you mean run\?\)/],
    [["rnu", "--help"], /unknown command 'rnu'\n\(Did you mean run\?\)/],
    [["run", "s.yaml", "--no-tables", "--tasks"], /option '--tasks' cannot be used with option '--no-tables'/],
    [["run"], /missing required argument 'file'/],
    [["run", "good.yaml", "--sede", "7"], /unknown option '--sede'\n\(Did you mean --seed\?\)/],
    [["run", "good.yaml", "other.yaml"], /too many arguments/],
    [["run", "good.yaml", "--out"], /option '--out <dir>' argument missing/],
    [["run", "good.yaml", "--threads", "-1"], /Found "-1", allowed auto, rack, 1 or 0 \(inline\)/],
    [["run", "good.yaml", "--threads", "1.5"], /Found "1\.5", allowed/],
    [["run", "good.yaml", "--threads", "abc"], /Found "abc", allowed/],
    [["run", "good.yaml", "--threads", "100000"], /Found "100000", allowed .* up to 512/],
    [["run", "good.yaml", "--slices", "0"], /Found "0", allowed a whole number from 1/],
    [["compare", "good.yaml", "--seeds", "0"], /Found "0", allowed a whole number from 1/],
    [
      ["compare", "good.yaml", "--schedulers", "fifo,dely"],
      new RegExp(`Found "dely", allowed ${KINDS}; did you mean "delay"\\?`),
    ],
    [
      ["run", "good.yaml", "--out", "", "--force"],
      /'--out <dir>' argument '' is invalid\. Found nothing, allowed a name/,
    ],
    [["report", "results", "--out", "  "], /Found nothing, allowed a name/],
    [["compare", "good.yaml", "--format", "xml"], /Allowed choices are text, md, latex, csv, json/],
    [["compare", "good.yaml", "--systems", "a", "--schedulers", "fair"], /cannot be used with option '--systems/],
    [["schema", "sumary"], /Allowed choices are scenario, sweep, summary, bench, regress/],
    [["bench", "dya"], /unknown command 'dya'\n\(Did you mean day\?\)/],
    [["bench", "day", "--runs", "0"], /Found "0", allowed a whole number from 1 to 100/],
    [["bench", "day", "--runs", "1e9"], /Found "1e9", allowed/],
    [["bench", "day", "--runs", "abc"], /Found "abc", allowed/],
    [["bench", "day", "--span", "0s"], /Found "0s", allowed a time from 1us to 30d/],
    [["bench", "day", "--span", "ten"], /Found "ten", allowed a time/],
    [["validate"], /missing required argument 'files'/],
  ])("%j: exit 2, what was found and what is allowed", async (args, message) => {
    const { code, stdout, stderr } = await place.bide(...args);
    expect(stderr).toMatch(message);
    expect(stderr).toContain("--help prints what is allowed");
    expect({ code, stdout, left: place.left() }).toEqual({ code: 2, stdout: "", left: [] });
  });

  it("nothing at all is the front door", async () => {
    const { code, stdout } = await place.bide();
    expect(code).toBe(0);
    expect(stdout).toContain("Usage: bide");
  });
});

describe("help and version", () => {
  it("print the version of the package", async () => {
    expect(await place.bide("--version")).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    });
  });

  it("have examples and exit codes at the front door", async () => {
    const { code, stdout } = await place.bide("--help");
    expect(code).toBe(0);
    for (const part of ["Start here:", "bide run scenarios/tiny.yaml", "Exit codes: 0 done"])
      expect(stdout).toContain(part);
  });

  it.each([
    "run",
    "compare",
    "results",
    "validate",
    "explain-config",
    "schema",
    "schedulers",
    "check-scheduler",
    "bench",
  ])("have examples for %s, within 80 columns", async (command) => {
    const { code, stdout } = await place.bide(command, "--help");
    expect(code).toBe(0);
    expect(stdout).toMatch(/Examples?:\n {2}npx bide /);
    expect(Math.max(...stdout.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
  });
});

it("bide --help names every exit code that docs/cli.md explains", async () => {
  const { stdout } = await place.bide("--help");
  const named = /Exit codes: ([\s\S]*)$/.exec(stdout)?.[1] ?? "";
  for (const code of [...Object.values(EXIT), ...Object.values(SIGNAL_EXIT)]) {
    expect(named).toMatch(new RegExp(`(^|[\\s,])${String(code)}[ ,]`));
  }
});

describe("commands that run nothing", () => {
  it("validate: a line for each good file, every problem of the others, exit 2", async () => {
    place.write("bad.yaml", "cluster: {racks: 0}\nworkload: {kind: benchmark}\nschedular: hfs\n");
    const { code, stdout, stderr } = await place.bide("validate", "bad.yaml", "good.yaml", "none.yaml");
    expect(code).toBe(2);
    expect(stdout).toBe(
      "good.yaml: ok: good: hfs (W1 10s, W2 5s); 2 racks, 4 nodes, 8 + 4 slots; heartbeat 3s; 4 listed jobs; seed 1\n",
    );
    expect(stderr).toMatch(/^bad\.yaml:1:18: .*0/m);
    expect(stderr).toMatch(/^bad\.yaml:3:1: .*schedular/m);
    expect(stderr).toMatch(/^none\.yaml: /m);
    expect(stderr).not.toMatch(/^ +at /m);
    expect((await place.bide("validate", "good.yaml")).code).toBe(0);
  });

  it("schema: JSON Schema of scenarios, and of summaries", async () => {
    for (const [name, title] of [
      ["scenario", "Bide scenario"],
      ["summary", "Bide summary"],
      ["bench", "Bide bench"],
    ]) {
      const { code, stdout } = await place.bide("schema", name);
      expect(code).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({ title });
    }
    expect((await place.bide("schema")).stdout).toContain("Bide scenario");
  });

  it("schedulers: the registry", async () => {
    const { code, stdout } = await place.bide("schedulers");
    expect(code).toBe(0);
    expect(stdout.match(/^\w+/gm)).toEqual(SCHEDULER_KINDS.map(({ name }) => name));
  });
});
