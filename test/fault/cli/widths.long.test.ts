import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { widthOf } from "../../../dist/report/index.js";
import { Place } from "./command.js";

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
