import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { widthOf } from "../../../dist/report/index.js";
import { GOOD_SCENARIO, Place } from "./command.js";

let place: Place;
beforeAll(async () => {
  place = new Place();
  const ended = await place.bide("run", "good.yaml", "--log", "decisions", "--quiet", "--out", "run");
  expect(ended.code, ended.stderr).toBe(0);
  place.write(
    "sweep.yaml",
    "name: s\nscenario: good.yaml\naxes: [{path: cluster.mapSlots, values: [1, 2]}]\nreplications: 1\n",
  );
});
afterAll(() => {
  place.remove();
});
afterEach(() => {
  vi.unstubAllEnvs();
});

const COMMANDS = [
  ["--help"],
  ["compare", "--help"],
  ["schedulers"],
  ["examples"],
  ["validate", "good.yaml"],
  ["run", "good.yaml", "--no-tables", "--out", "again", "--force", "--quiet"],
  ["compare", "good.yaml", "--schedulers", "fair,delay", "--seeds", "3", "--quiet"],
  ["sweep", "sweep.yaml", "--dry-run"],
  ["results", "run"],
  ["results", "run", "--tables"],
  ["results", "run", "--sql", "SELECT * FROM jobs, pools"],
  ["explain", "run", "--job", "0"],
  ["reproduce", "--list"],
];

// The narrowest that Bide writes for, and the usual one.
describe.each([40, 80])("on a terminal of %i columns", (columns) => {
  it.each(COMMANDS)("no line of bide %s %s is wider", async (...args) => {
    vi.stubEnv("COLUMNS", String(columns));
    const { code, stdout, stderr } = await place.bide(...args);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    const wide = stdout.split("\n").filter((line) => widthOf(line) > columns);
    expect(wide).toEqual([]);
    expect(stdout).not.toBe("");
  });
});

it("a pipe gets every column beside the others, and nothing is cut", async () => {
  const { stdout } = await place.bide("results", "run", "--sql", "SELECT * FROM jobs");
  const [head, ...rows] = stdout.trimEnd().split("\n");
  expect(head!.split(/ +/).filter((word) => word !== "").length).toBeGreaterThan(20);
  expect(rows.length).toBeGreaterThan(0);
  expect(stdout).not.toMatch(/…/);
});

it("notes come after the results, repeated ones once, and --notes prints all", async () => {
  const ignored = ["a", "b", "c", "d", "e", "f", "g", "a"].map((name) => `<${name}x>1</${name}x>`).join("\n");
  place.write("pools.xml", `<allocations>\n${ignored}\n</allocations>`);
  place.write("pools.yaml", `${GOOD_SCENARIO}scheduler: {kind: hfs, allocations: pools.xml}\n`);
  const run = ["run", "pools.yaml", "--no-tables", "--out", "again", "--force"];
  const { stdout } = await place.shell(`$BIDE ${run.join(" ")} 2>&1`);
  const notesOf = (text: string): string[] => text.split("\n").filter((line) => line.startsWith("note: "));
  expect(notesOf(stdout)).toHaveLength(6);
  expect(stdout.indexOf("note: ")).toBeGreaterThan(stdout.indexOf("\nLocality"));
  expect(notesOf((await place.bide(...run, "--notes")).stderr).length).toBeGreaterThan(6);
});
