import { existsSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
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

it("a page of a comparison has the means and differences of its JSON, one of a sweep those of bide results", async () => {
  const { systems } = JSON.parse(read("compare/comparison.json")) as {
    systems: Record<"measures" | "differences", Record<string, { mean: number }> | null>[];
  };
  const rounded = (value: number | undefined): number | undefined => value && Number(value.toPrecision(5));
  const { found, differences } = dataOf("compare/report.html").comparison.measures.find(
    ({ key }) => key === "responseMean",
  )!;
  expect(found.map(({ mean }) => mean)).toEqual(systems.map(({ measures }) => rounded(measures!.responseMean!.mean)));
  expect(differences.map((one) => one?.mean)).toEqual(
    systems.map((one) => rounded(one.differences?.responseMean!.mean)),
  );
  const { points } = JSON.parse((await bide("results", "sweep", "--json")).stdout) as {
    points: { measures: Record<string, { mean: number }> }[];
  };
  const { sweep } = dataOf("sweep/report.html");
  const column = sweep.measures.findIndex(({ key }) => key === "responseP50Small");
  expect(sweep.points.map((point) => point.found[column]?.mean)).toEqual(
    points.map(({ measures }) => rounded(measures.responseP50Small!.mean)),
  );
});

describe("a page of a run", () => {
  async function runOf(name: string, maps: number): Promise<ReturnType<typeof dataOf>["runs"][number]> {
    const pools = ["a.x", "a.y", "b"].map(
      (pool) => `{name: ${pool}, pool: ${pool}, maps: ${String(maps)}, mapTime: 10s, spread: 0.3}`,
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

  it("has some racks and a part of the run where attempts are many", async () => {
    const run = await runOf("many", 5000);
    expect(run.attempts.racks.isWhole).toBe(false);
    expect(attemptsOf(run)).toBeGreaterThan(5000);
    expect(attemptsOf(run)).toBeLessThanOrEqual(10_000);
  });
});

describe("places in which no page can be written", () => {
  const places = ["a-file", "a-file/in", "a-folder", "/dev/full", "/proc/self/bide-out", "a-link"];
  beforeAll(() => {
    writeFileSync(join(folder, "a-file"), "mine");
    mkdirSync(join(folder, "a-folder"));
    writeFileSync(join(folder, "a-folder/mine"), "mine");
    symlinkSync("/dev/null", join(folder, "a-link"));
  });

  it.each(REPORTED)("are refused by bide %s before any run, and what is there stays", async (...command) => {
    for (const out of places) {
      const { code, stdout, stderr } = await bide(...command, "--quiet", "--report", "--out", out);
      expect({ code, stdout, isNamed: stderr.startsWith(`${out}: `) }).toEqual({ code: 2, stdout: "", isNamed: true });
    }
    expect([read("a-file"), readdirSync(join(folder, "a-folder"))]).toEqual(["mine", ["mine"]]);
  });

  it.each(REPORTED)(
    "are a disk that is full when bide %s writes the page: nothing else is lost",
    async (...command) => {
      const out = `full-${command[0]!}`;
      // Kilobytes: enough for the results, too few for a page.
      const { code } = await place.shell(`ulimit -f 400; $BIDE ${command.join(" ")} --quiet --report --out ${out}`);
      expect(code).toBe(2);
      expect(existsSync(join(folder, out, "report.html"))).toBe(false);
      expect((await bide("report", out)).stdout).toBe(`${out}/report.html\n`);
    },
  );
});
