import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DuckDBConnection } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Ended, Place } from "./command.js";

const WAITS = new URL("../../../scenarios/sweeps/tiny-waits.yaml", import.meta.url).pathname;
const TINY = new URL("../../../scenarios/tiny.yaml", import.meta.url).pathname;

let place: Place;
let folder: string;
const bide = async (...args: string[]): Promise<Ended> => place.bide(...args);

beforeAll(async () => {
  place = new Place();
  folder = place.path;
  expect((await bide("run", TINY, "--quiet", "--tasks", "--report", "--out", "tiny")).code).toBe(0);
  const compared = await bide("compare", TINY, "--quiet", "--seeds", "2", "--report", "--out", "compared");
  expect([compared.code, compared.stdout.trim().split("\n").pop()]).toEqual([0, "compared/report.html"]);
  const swept = await bide("sweep", WAITS, "--quiet", "--threads", "1", "--report", "--out", "swept");
  expect([swept.code, swept.stdout.trim().split("\n").pop()]).toEqual([0, "swept/report.html"]);
});

afterAll(() => {
  place.remove();
});

it.each(["tiny", "compared", "swept"])(
  "--report writes one page beside the results of %s, which asks for nothing",
  (name) => {
    const page = readFileSync(join(folder, name, "report.html"), "utf8");
    expect(page).toContain("<!doctype html>");
    expect(page).toContain("default-src 'none'");
    expect(page).not.toMatch(/<(script|link|img|iframe)[^>]*(src|href)=/i);
    expect(page.length).toBeLessThan(2e6);
  },
);

it.each(["tiny", "compared", "swept"])("the same results, %s, give the same page", async (name) => {
  const page = readFileSync(join(folder, name, "report.html"), "utf8");
  expect((await bide("report", name, "--out", `${name}.html`)).code).toBe(0);
  expect(readFileSync(join(folder, `${name}.html`), "utf8")).toBe(page);
});

it("a sweep with its page can be resumed, and the page is drawn anew", async () => {
  const { code, stderr } = await bide("sweep", WAITS, "--quiet", "--resume", "--report", "--out", "swept");
  expect([code, stderr]).toEqual([0, ""]);
});

/** What the page holds as data. */
function dataOf(file: string) {
  const text = /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(readFileSync(file, "utf8"));
  return JSON.parse(text?.[1] ?? "null") as {
    comparison: { measures: { key: string; found: { mean: number }[]; differences: ({ mean: number } | null)[] }[] };
    runs: {
      summary: { fairness: { jain: number }; groups: { name: string }[] };
      timeline: {
        intervalSeconds: number;
        jain: (number | null)[];
        groups: { label: string; resources: { held: number[] }[] }[];
        inner: { label: string; members: number[]; resources: { held: number[] }[] }[];
      };
    }[];
    sweep: { measures: { key: string }[]; points: { steps: number[]; found: ({ mean: number } | null)[] }[] };
  };
}

it("a page of a run has the fairness of its summary, and pools with the sums of the pools inside", async () => {
  const scenario = {
    name: "tree",
    cluster: { racks: 2, nodesPerRack: 4, mapSlots: 2, reduceSlots: 1 },
    workload: {
      kind: "jobs",
      jobs: ["a.x", "a.y", "b"].map((pool, i) => ({
        name: pool,
        user: pool,
        pool,
        maps: 40,
        mapTime: "20s",
        spread: 0.3,
        at: `${String(9 * i)}s`,
      })),
    },
    scheduler: { kind: "hfs", pools: [{ name: "a", pools: [{ name: "x" }, { name: "y" }] }, { name: "b" }] },
    run: { sample: "2s" },
  };
  writeFileSync(join(folder, "tree.yaml"), JSON.stringify(scenario));
  const made = await bide("run", "tree.yaml", "--quiet", "--report", "--out", "tree");
  expect([made.code, made.stderr]).toEqual([0, ""]);
  const [{ timeline, summary }] = dataOf(join(folder, "tree/report.html")).runs;
  expect(timeline.intervalSeconds).toBe(2);
  const known = timeline.jain.filter((value) => value !== null);
  expect(known.length).toBeGreaterThan(10);
  expect(known.reduce((sum, value) => sum + value, 0) / known.length).toBeCloseTo(summary.fairness.jain, 3);
  expect(timeline.inner.map(({ label }) => label)).toEqual(["a"]);
  const [{ members, resources }] = timeline.inner;
  const [maps] = resources;
  expect(members.map((at) => timeline.groups[at].label).sort()).toEqual(["a.x", "a.y"]);
  expect(Math.max(...maps.held)).toBeGreaterThan(4);
  maps.held.forEach((held, at) => {
    expect(held).toBeCloseTo(
      members.reduce((sum, member) => sum + timeline.groups[member].resources[0].held[at], 0),
      // Each is rounded to four digits.
      1,
    );
  });
  expect(summary.groups.map(({ name }) => name)).toEqual(expect.arrayContaining(["a.x", "a.y", "b"]));
});

interface Racks {
  from: number;
  until: number;
  isWhole: boolean;
  of: number;
  racks: { label: string; attempts: number[][] }[];
}

interface Attempts {
  racks: Racks;
  nodes: Record<string, string>;
  heat: { names: string[]; rows: number[][]; intervalSeconds: number };
}

/** Racks of a page, and the attempts that its run had, as the table of attempts says: launch, finish, node. */
async function racksOf(name: string, maps: number) {
  const scenario = {
    name,
    cluster: { racks: 10, nodesPerRack: 2, mapSlots: 4, reduceSlots: 1 },
    workload: {
      kind: "jobs",
      jobs: [{ name: "all", maps, mapTime: "10s", spread: 0.3, reduces: 3, reduceTime: "5s" }],
    },
    scheduler: { kind: "hfs" },
  };
  writeFileSync(join(folder, `${name}.yaml`), JSON.stringify(scenario));
  const made = await bide("run", `${name}.yaml`, "--quiet", "--tasks", "--report", "--out", name);
  expect([made.code, made.stderr]).toEqual([0, ""]);
  const page = readFileSync(join(folder, name, "report.html"), "utf8");
  const text = /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(page)?.[1] ?? "";
  const { racks, nodes: names, heat } = (JSON.parse(text) as { runs: { attempts: Attempts }[] }).runs[0].attempts;
  const nodesOf = ({ attempts }: Racks["racks"][number]) => [...new Set(attempts.map(([, , node]) => node))];
  /** Attempts of the run that ran in the racks of the page between two instants. */
  const ran = async (from: number, until: number): Promise<number> => {
    const nodes = racks.racks.flatMap(nodesOf).join(", ");
    const during = `launch_at_us < ${String(until * 1e6)} AND finish_at_us > ${String(from * 1e6)}`;
    const tasks = join(folder, name, "tasks.parquet");
    const connection = await DuckDBConnection.create();
    const sql = `SELECT CAST(count(*) AS INTEGER) AS ran FROM read_parquet('${tasks}') WHERE node IN (${nodes}) AND ${during}`;
    const [[count]] = (await connection.runAndReadAll(sql)).getRows();
    connection.closeSync();
    return Number(count);
  };
  return {
    racks,
    ran,
    heat,
    namesOf: (rack: Racks["racks"][number]) => nodesOf(rack).map((node) => names[node]),
    bytes: page.length,
  };
}

it("a page of a run has all attempts of all racks, where they are few", async () => {
  const { racks, ran, heat, namesOf } = await racksOf("few", 200);
  expect(racks).toMatchObject({ isWhole: true, of: 10 });
  expect(racks.racks.map(({ label }) => label)).toEqual(Array.from({ length: 10 }, (_, i) => `rack0${String(i)}`));
  expect(racks.racks.reduce((sum, { attempts }) => sum + attempts.length, 0)).toBe(await ran(0, 1e6));
  for (const rack of racks.racks) {
    expect(namesOf(rack).sort()).toEqual([`${rack.label}/node00`, `${rack.label}/node01`]);
  }
  // Rack by rack, and each row has the busy time of its node.
  expect(heat.names).toEqual(racks.racks.flatMap(({ label }) => [`${label}/node00`, `${label}/node01`]));
  racks.racks.forEach((rack, at) => {
    const busy = rack.attempts.reduce((sum, [launch, finish]) => sum + finish - launch, 0);
    const rows = heat.rows.slice(2 * at, 2 * at + 2).flat();
    expect((heat.intervalSeconds * rows.reduce((sum, one) => sum + one, 0)) / busy).toBeCloseTo(1, 1);
  });
});

it("of many attempts the page has those of some racks, and all of these that ran in a part of the run", async () => {
  const { racks, ran, bytes } = await racksOf("many", 15_000);
  expect(racks).toMatchObject({ isWhole: false, of: 10 });
  expect(racks.racks).toHaveLength(8);
  const held = racks.racks.flatMap(({ attempts }) => attempts);
  expect(held.length).toBeGreaterThan(5000);
  expect(held.length).toBeLessThanOrEqual(10_000);
  expect(racks.until - racks.from).toBeGreaterThan(100);
  // An attempt that ends when the part begins has not run in it.
  expect(held.length).toBe(await ran(racks.from, racks.until));
  expect(held.length).toBeLessThan(await ran(0, 1e6));
  expect(bytes).toBeLessThan(2e6);
});

it("a page of a comparison has the means and differences of its JSON", () => {
  const { systems } = JSON.parse(readFileSync(join(folder, "compared/comparison.json"), "utf8")) as {
    systems: Record<"measures" | "differences", Record<string, { mean: number }> | null>[];
  };
  const { measures } = dataOf(join(folder, "compared/report.html")).comparison;
  expect(measures.map(({ key }) => key)).toEqual(expect.arrayContaining(["responseMean", "nodeLocalAll", "jain"]));
  for (const { key, found, differences } of measures) {
    const factor = ["nodeLocalAll", "nodeLocalSmall"].includes(key) ? 100 : 1;
    if (factor === 1 && !["responseMean", "jain", "makespanSeconds"].includes(key)) continue;
    systems.forEach((system, at) => {
      expect(found[at].mean).toBe(Number(((system.measures?.[key].mean ?? NaN) * factor).toPrecision(5)));
      const difference = system.differences?.[key].mean;
      expect(differences[at]?.mean).toBe(
        difference === undefined ? undefined : Number((difference * factor).toPrecision(5)),
      );
    });
  }
});

it("a page of a sweep has the means of bide results", async () => {
  const { points } = JSON.parse((await bide("results", "swept", "--json")).stdout) as {
    points: { measures: Record<string, { mean: number | null }> }[];
  };
  const { sweep } = dataOf(join(folder, "swept/report.html"));
  const at = sweep.measures.findIndex(({ key }) => key === "responseP50Small");
  expect(sweep.points.map(({ found }) => found[at]?.mean)).toEqual(
    points.map(({ measures }) => Number((measures["responseP50Small"].mean ?? NaN).toPrecision(5))),
  );
});

it("a page that is there is replaced only with --force", async () => {
  const refused = await bide("report", "tiny");
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain("--force");
  expect((await bide("report", "tiny", "--force")).code).toBe(0);
});

it.each([
  [["report", "nothing-there"], "nothing-there"],
  [["report", "empty"], "empty"],
  [["report", "tiny", "--out", "page.pdf"], ".html"],
  [["report", "broken"], "summary.json"],
  [["report", "broken-comparison"], "comparison.json"],
  [["report", "broken-sweep"], "plan.json"],
  [["report", "tiny", "swept"], "found a sweep among several folders"],
  [["report", "tiny", "compared"], "found a comparison among several folders"],
  [["report", "tiny", "broken-file.json"], "found a file among several folders"],
  [["report", "broken-file.json"], "found no JSON"],
  [["compare", TINY, "--report"], "allowed --out DIR"],
  [["compare", TINY, "--report", "--out", "one.json"], "allowed --out DIR"],
  [["sweep", WAITS, "--report", "--dry-run"], "--dry-run"],
])("%j ends with exit code 2 and leaves nothing", async (args, named) => {
  mkdirSync(join(folder, "empty"), { recursive: true });
  mkdirSync(join(folder, "broken"), { recursive: true });
  writeFileSync(join(folder, "broken/summary.json"), "{");
  writeFileSync(join(folder, "broken-file.json"), "{");
  for (const [name, file] of [
    ["broken-comparison", "comparison.json"],
    ["broken-sweep", "plan.json"],
  ]) {
    mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, name, file), '{"format": 1}');
  }
  const { code, stderr } = await bide(...args);
  expect([code, stderr]).toEqual([2, expect.stringContaining(named)]);
  for (const name of ["page.pdf", "report.html", "one.json"]) expect(existsSync(join(folder, name))).toBe(false);
});

it("a run without tables is refused, and the error says what makes them", async () => {
  expect((await bide("run", TINY, "--quiet", "--no-tables", "--out", "bare")).code).toBe(0);
  const { code, stderr } = await bide("report", "bare");
  expect(code).toBe(2);
  expect(stderr).toContain("bide run");
});

describe("a table with values that are no numbers", () => {
  /** A copy of the run in which a column has other values. */
  async function changed(name: string, table: string, column: string, value: string): Promise<void> {
    cpSync(join(folder, "tiny"), join(folder, name), { recursive: true });
    const connection = await DuckDBConnection.create();
    const [from, to] = ["tiny", name].map((run) => `'${join(folder, run, `${table}.parquet`)}'`);
    await connection.run(
      `COPY (SELECT * REPLACE (${value} AS "${column}") FROM read_parquet(${from!})) TO ${to!} (FORMAT parquet)`,
    );
    connection.closeSync();
  }
  const nan = "'NaN'::DOUBLE";

  it.each([
    ["samples", "running_maps", nan, "no finite number for running_maps in 38 rows"],
    ["samples", "at_us", nan, "no finite number for at_us in 38 rows"],
    ["samples", "pending_maps", "CASE WHEN at_us > 0 THEN pending_maps END", "no value for pending_maps in 1 row,"],
    ["pool-samples", "fair_share_maps", nan, "no finite number for fair_share_maps in "],
    ["pool-samples", "held_maps", "'-inf'::DOUBLE", "no finite number for held_maps in "],
    ["jobs", "response_us", nan, "no finite number for response_us in 13 rows"],
    ["tasks", "finish_at_us", nan, "no finite number for finish_at_us in "],
  ])("is refused: %s.parquet, %s is %s", async (table, column, value, words) => {
    const name = `changed-${table}-${column}`;
    await changed(name, table, column, value);
    const { code, stdout, stderr } = await bide("report", name, "--out", `${name}.html`);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/, allowed what bide run wrote; it makes the table anew\n$/);
    expect(stderr).toContain(`${name}/${table}.parquet: found ${words}`);
    expect(existsSync(join(folder, `${name}.html`))).toBe(false);
  });

  it.each(["NaN", "1e999", "null"])("is refused where it is the summary, with %s", async (value) => {
    cpSync(join(folder, "tiny"), join(folder, `summary-${value}`), { recursive: true });
    const file = join(folder, `summary-${value}/summary.json`);
    const text = readFileSync(file, "utf8").replace(/"virtualSeconds": [\d.]+/, `"virtualSeconds": ${value}`);
    writeFileSync(file, text);
    expect((await bide("report", `summary-${value}`, "--out", "no-summary.html")).code).toBe(2);
    expect(existsSync(join(folder, "no-summary.html"))).toBe(false);
  });
});

const REPORTED = [
  ["run", TINY],
  ["compare", TINY, "--seeds", "2"],
  ["sweep", WAITS, "--threads", "1"],
];

describe("places in which no page can be written", () => {
  const places = ["a-file", "a-file/in", "a-folder", "/dev/full", "/proc/self/bide-out", "a-link"];

  beforeAll(() => {
    writeFileSync(join(folder, "a-file"), "mine");
    mkdirSync(join(folder, "a-folder"));
    writeFileSync(join(folder, "a-folder/mine"), "mine");
    symlinkSync("/dev/null", join(folder, "a-link"));
    // Its tables cannot be read, which nobody gets to know.
    mkdirSync(join(folder, "unread"), { recursive: true });
    for (const name of ["jobs", "samples", "pool-samples"]) writeFileSync(join(folder, `unread/${name}.parquet`), "x");
    writeFileSync(join(folder, "unread/summary.json"), readFileSync(join(folder, "tiny/summary.json")));
  });

  it.each(REPORTED.flatMap((command) => places.map((place) => ({ command, place }))))(
    "$command --out $place is refused before any run, and what is there stays",
    async ({ command, place }) => {
      const { code, stdout, stderr } = await bide(...command, "--quiet", "--report", "--out", place);
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr.startsWith(`${place}: `)).toBe(true);
      expect(stderr).not.toContain("    at ");
      expect(readFileSync(join(folder, "a-file"), "utf8")).toBe("mine");
      expect(readdirSync(join(folder, "a-folder"))).toEqual(["mine"]);
    },
  );

  it.each([
    ["a-file", "found an existing file"],
    ["a-file/in.html", "not a directory"],
    ["a-folder", "found a folder"],
    ["nowhere/page.html", "no such file or directory"],
    ["/dev/full", "found neither a file nor a folder"],
    ["/proc/self/page.html", "cannot write"],
    ["a-link", "found neither a file nor a folder"],
    ["", "Found nothing, allowed a name"],
  ])("bide report --out %j is refused before the tables are read", async (place, message) => {
    const { code, stdout, stderr } = await bide("report", "unread", "--out", place);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(message);
    expect(readFileSync(join(folder, "a-file"), "utf8")).toBe("mine");
  });

  it("a place that is free gets no page of tables that cannot be read", async () => {
    expect((await bide("report", "unread", "--out", "free.html")).stderr).toContain("found tables that cannot be read");
    expect(existsSync(join(folder, "free.html"))).toBe(false);
  });

  it.each(REPORTED)("a disk that is full when bide %s writes the page loses nothing else", async (...command) => {
    const out = `full-${command[0]}`;
    // Kilobytes: enough for the results, too few for a page.
    const line = `ulimit -f 400; $BIDE ${command.join(" ")} --quiet --report --out ${out}`;
    const { code, stdout, stderr } = await place.shell(line);
    expect([code, stderr]).toEqual([2, `${out}/report.html: cannot write: file too large\n`]);
    expect(stdout.split("\n").length).toBeGreaterThan(10);
    expect(readdirSync(join(folder, out)).filter((name) => /report|partial/.test(name))).toEqual([]);
    expect((await bide("report", out)).stdout).toBe(`${out}/report.html\n`);
  });
});
