import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Ended, Place } from "./command.js";

const WAITS = new URL("../../../scenarios/sweeps/tiny-waits.yaml", import.meta.url).pathname;
const TINY = new URL("../../../scenarios/tiny.yaml", import.meta.url).pathname;

let place: Place;
let folder: string;
const bide = async (...args: string[]): Promise<Ended> => place.bide(...args);

const REPORTED = [
  ["run", TINY],
  ["compare", TINY, "--seeds", "2"],
  ["sweep", WAITS, "--threads", "1"],
];

beforeAll(async () => {
  place = new Place();
  folder = place.path;
  for (const [command, ...args] of REPORTED)
    expect(await bide(command!, ...args, "--quiet", "--report", "--out", command!)).toMatchObject({ code: 0 });
});
afterAll(() => {
  place.remove();
});

const read = (path: string): string => readFileSync(join(folder, path), "utf8");

/** What the page holds as data. */
const dataOf = (page: string) =>
  JSON.parse(/<script type="application\/json" id="data">(.*?)<\/script>/s.exec(read(page))![1]!) as {
    comparison: { measures: { key: string; found: { mean: number }[]; differences: ({ mean: number } | null)[] }[] };
    runs: {
      timeline: Record<"groups" | "inner", { label: string; members: number[]; resources: { held: number[] }[] }[]>;
      attempts: { racks: { isWhole: boolean; of: number; racks: { attempts: number[][] }[] } };
    }[];
    sweep: { measures: { key: string }[]; points: { found: ({ mean: number } | null)[] }[] };
  };

it.each(["run", "compare", "sweep"])(
  "the page of bide %s asks for nothing, and the same results give it again",
  async (name) => {
    const page = read(`${name}/report.html`);
    expect(page).toContain("default-src 'none'");
    expect(page).not.toMatch(/<(script|link|img|iframe)[^>]*(src|href)=/i);
    expect((await bide("report", name, "--out", `${name}.html`)).code).toBe(0);
    expect(read(`${name}.html`)).toBe(page);
  },
);

it("a sweep with its page can be resumed, and the page is drawn anew", async () => {
  const again = await bide("sweep", WAITS, "--quiet", "--resume", "--report", "--out", "sweep");
  expect(again).toMatchObject({ code: 0, stderr: "" });
});

describe("a page of a run", () => {
  async function runOf(name: string, maps: number): Promise<ReturnType<typeof dataOf>["runs"][number]> {
    const pools = ["a.x", "a.y", "b"].map(
      (pool) => `{name: ${pool}, pool: ${pool}, maps: ${maps}, mapTime: 10s, spread: 0.3}`,
    );
    place.write(
      `${name}.yaml`,
      `cluster: {racks: 10, nodesPerRack: 2, mapSlots: 4}
workload: {kind: jobs, jobs: [${pools.join()}]}
scheduler: {kind: hfs, pools: {a: {pools: {x: {}, y: {}}}, b: {}}}
run: {sample: 2s}\n`,
    );
    const made = await bide("run", `${name}.yaml`, "--quiet", "--tasks", "--report", "--out", name);
    expect(made).toMatchObject({ code: 0, stderr: "" });
    return dataOf(`${name}/report.html`).runs[0]!;
  }
  const attemptsOf = ({ attempts }: Awaited<ReturnType<typeof runOf>>): number =>
    attempts.racks.racks.reduce((sum, rack) => sum + rack.attempts.length, 0);

  it("has pools with the sums of the pools inside, and all attempts where they are few", async () => {
    const run = await runOf("few", 60);
    const { groups, inner } = run.timeline;
    const [{ label, members, resources }] = inner as [(typeof inner)[number]];
    expect([label, members.map((index) => groups[index]!.label).sort()]).toEqual(["a", ["a.x", "a.y"]]);
    // Each is rounded to four digits.
    resources[0]!.held.forEach((held, i) => {
      expect(held).toBeCloseTo(
        members.reduce((sum, index) => sum + groups[index]!.resources[0]!.held[i]!, 0),
        1,
      );
    });
    expect(run.attempts.racks).toMatchObject({ isWhole: true, of: 10 });
    expect(attemptsOf(run)).toBe(180);
  });
});
