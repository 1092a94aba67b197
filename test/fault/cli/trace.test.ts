import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readRunTrace } from "../../../dist/io/index.js";
import { traceJson } from "../../../dist/report/index.js";
import { checkedTrace, type CheckedTrace } from "../../support/trace-rules.js";
import { Place } from "./command.js";

const EVIL = `</script>'"\\ \u05d0\u05d1 ${"x".repeat(70)}`;

/** Long jobs of one pool, and later those of another that is starved until maps are killed for it. */
const SCENARIO = `
run: {sample: 2s}
cluster: {racks: 2, nodesPerRack: 3, mapSlots: 2, reduceSlots: 1}
scheduler:
  kind: hfs
  preemption: {mode: kill}
  pools: [{name: ${JSON.stringify(EVIL)}}, {name: urgent, minMaps: 6, minReduces: 1, minShareTimeout: 10s}]
workload:
  kind: jobs
  jobs:
    - {name: ${JSON.stringify(EVIL)}, pool: ${JSON.stringify(EVIL)}, maps: 20, mapTime: 2m, reduces: 2, reduceTime: 10s}
    - {name: late, pool: urgent, maps: 8, mapTime: 8s, at: 30s}
    - {name: later, pool: urgent, maps: 2, mapTime: 8s, at: 60s}
`;

let place: Place;
let trace: CheckedTrace;
beforeAll(async () => {
  place = new Place();
  place.write("own.yaml", SCENARIO);
  expect(await place.bide("run", "own.yaml", "--tasks", "--out", "ran", "--quiet")).toMatchObject({ code: 0 });
  trace = await traced();
}, 60_000);
afterAll(() => {
  place.remove();
});

async function rowsOf(sql: string): Promise<unknown[]> {
  const { stdout } = await place.bide("results", "ran", "--json", "--sql", sql);
  return JSON.parse(stdout) as unknown[];
}

async function traced(...args: string[]): Promise<CheckedTrace> {
  expect((await place.bide("trace", "ran", "--out", "t.json", "--force", ...args)).code).toBe(0);
  return checkedTrace(readFileSync(join(place.path, "t.json"), "utf8"));
}

it("a trace has each attempt of the table, with its outcome and locality, and nothing else", async () => {
  const rows = await rowsOf(
    "SELECT job, type, task, attempt, outcome, launch_at_us AS ts, finish_at_us - launch_at_us AS dur, level FROM tasks",
  );
  const words: Record<string, string> = { "node-local": "node", "rack-local": "rack", remote: "off-rack" };
  const drawn = trace.slices.map(({ name, cat, ts, dur, args: { job, task, attempt, outcome } }) => {
    const level = cat === "map" ? words[name.split(" ")[1]!] : null;
    return { job, type: cat, task, attempt, outcome, ts, dur, level };
  });
  const sorted = (values: unknown[]): string[] => values.map((value) => JSON.stringify(value)).sort();
  expect(sorted(drawn)).toEqual(sorted(rows));
  expect(drawn.filter(({ outcome }) => outcome === "killed")).not.toEqual([]);
});

it("it is chosen by job, pool, rack and time, and cut by launch", async () => {
  const all = trace.slices;
  const pids = [...trace.processes].filter(([, name]) => name === "rack01").map(([pid]) => pid);
  const parts: [string[], (slice: (typeof all)[number]) => boolean][] = [
    [["--job", "1"], ({ args }) => args.job === 1],
    [["--job", EVIL], ({ args }) => args.job === 0],
    [["--pool", EVIL], ({ args }) => args.pool === EVIL],
    [["--rack", "rack01"], ({ pid }) => pids.includes(pid)],
    [["--from", "40s", "--to", "50s"], ({ ts, dur }) => ts < 50e6 && ts + dur >= 40e6],
  ];
  for (const [args, isIn] of parts) expect((await traced(...args)).slices).toHaveLength(all.filter(isIn).length);
  const cut = await readRunTrace(join(place.path, "ran"), { maxAttempts: 10 });
  const launches = all.map(({ ts }) => ts).sort((a, b) => a - b);
  expect(checkedTrace([...traceJson(cut)].join("")).slices.map(({ ts }) => ts)).toEqual(launches.slice(0, 10));
});
