import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Place } from "./command.js";

const EVIL = `</script>'"|`;
const SCENARIO = `
cluster: {racks: 2, nodesPerRack: 2}
workload: {kind: jobs, jobs: [{name: a, pool: ${JSON.stringify(EVIL)}, maps: 3, mapTime: 4s, count: 3, every: 2s}]}
compare: {systems: [{name: ${JSON.stringify(EVIL)}, set: {scheduler: fifo}}, {name: b, set: {scheduler: fair}}]}
`;

let place: Place;
let json = "";
beforeAll(async () => {
  place = new Place();
  place.write("own.yaml", SCENARIO);
  json = (await place.bide("compare", "own.yaml", "--seeds", "3", "--out", "deep/compared", "--json", "--quiet"))
    .stdout;
}, 60_000);
afterAll(() => {
  place.remove();
});

it("bide compare writes a whole folder with exactly the JSON that it prints, which bide results prints again", async () => {
  expect(readFileSync(join(place.path, "deep/compared/comparison.json"), "utf8")).toBe(json);
  expect(readdirSync(join(place.path, "deep/compared")).sort()).toEqual([
    ...[".bide-folder", "README.txt", "comparison.json", "comparison.parquet"],
  ]);
  expect(await place.bide("results", "deep/compared", "--json")).toEqual({ code: 0, stdout: json, stderr: "" });
});

it("its table has the values of the runs", async () => {
  const { systems } = JSON.parse(json) as { systems: { measures: Record<string, { values: number[] }> }[] };
  const sql = "SELECT responseMean, nodeLocalAll, makespanSeconds FROM comparison";
  const { stdout } = await place.bide("results", "deep/compared", "--json", "--sql", sql);
  const expected = systems.flatMap(({ measures }) =>
    [0, 1, 2].map((seed) => {
      const valueOf = (key: string): number => measures[key]!.values[seed]!;
      const [responseMean, nodeLocalAll] = [valueOf("responseMean"), valueOf("nodeLocalAll")];
      return { responseMean, nodeLocalAll, makespanSeconds: valueOf("makespanSeconds") };
    }),
  );
  expect(JSON.parse(stdout)).toEqual(expected);
});

it("a folder is replaced only with --force, and nothing is left when the runs or the disk fail", async () => {
  const before = place.left();
  // This engine would never end.
  expect(await place.bideOn("deaf", "compare", "good.yaml", "--out", "deep/compared")).toMatchObject({ code: 2 });
  expect((await place.bideOn("dyingRack", "compare", "good.yaml", "--out", "new/failed")).code).toBe(3);
  expect((await place.shell("ulimit -f 2; $GOOD compare good.yaml --seeds 1 --out full --quiet")).code).toBe(2);
  expect(place.left()).toEqual(before);
  const forced = await place.bideOn(
    "good",
    "compare",
    "good.yaml",
    "--seeds",
    "1",
    "--out",
    "deep/compared",
    "--force",
  );
  expect(forced.code).toBe(0);
});
