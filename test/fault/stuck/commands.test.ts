import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Comparison } from "../../../dist/experiments/index.js";
import { Place } from "../cli/command.js";

const schema = JSON.parse(readFileSync(new URL("../../../docs/formats/summary.schema.json", import.meta.url), "utf8"));

/** Four jobs fill the disks and wait for each other. */
const FULL_DISKS = `name: full
cluster: { racks: 1, nodesPerRack: 2, mapSlots: 2, reduceSlots: 1, diskSpace: 8GB }
runtime: { model: detailed, slowStart: 1 }
workload: { kind: jobs, jobs: [{ name: big, count: 4, maps: 6, mapTime: 10s, reduces: 2, mapOutput: 6GB }] }
scheduler: fair
run: { stuckAfter: 2h }
compare: { systems: [{ name: roomy, set: { cluster.diskSpace: 200GB } }, { name: tight }] }
`;

let place: Place;
beforeEach(() => {
  place = new Place();
  place.write("full.yaml", FULL_DISKS);
});
afterEach(() => {
  place.remove();
});

it("bide run: exit code 7, a results folder that says so, and who waits for what", async () => {
  const { code, stdout, stderr } = await place.bide("run", "full.yaml", "--out", "out", "--threads", "0");
  expect(code).toBe(7);
  expect(stderr).toMatch(/^bide: stuck: 4 jobs wait, but nothing has ended since .* run\.stuckAfter \(2h00m00s\)$/mu);
  expect(stdout).toMatch(/big-1: \d+ maps wait \(of 2 nodes: 2 disk full\)/u);
  expect(readdirSync(join(place.path, "out"))).toContain("jobs.parquet");
  const summary = JSON.parse(readFileSync(join(place.path, "out", "summary.json"), "utf8"));
  expect(new Ajv({ strict: true }).compile(schema)(summary)).toBe(true);
  expect(summary).toMatchObject({
    stopped: "stuck",
    jobs: { unfinished: 4 },
    stuck: { waiting: 4, afterSeconds: 7200 },
  });
});

it("bide compare: the stuck system has no values and is named, the other has some", async () => {
  const { code, stdout } = await place.bide("compare", "full.yaml", "--seeds", "2", "--json");
  expect(code).toBe(7);
  const { systems, stuck } = JSON.parse(stdout) as Comparison;
  expect(stuck).toMatchObject([
    { system: "tight", seed: "1" },
    { system: "tight", seed: "2" },
  ]);
  expect(systems.map(({ measures }) => measures["responseMean"]?.mean === null)).toEqual([false, true]);
});

it("bide sweep: a failed run with that reason, and the others are kept", async () => {
  place.write(
    "sweep.yaml",
    "scenario: full.yaml\nreplications: 2\naxes: [{ name: disk, path: cluster.diskSpace, values: [200GB, 8GB] }]\n",
  );
  const { code, stderr } = await place.bide("sweep", "sweep.yaml", "--out", "swept");
  expect(code).toBe(4);
  expect(stderr).toMatch(/2 of 4 runs failed; the first, disk=8GB, seed 1: stuck: .*\. big-1: /u);
  expect(stderr).not.toContain("--retry-failed");
});

/** Both switches are lost for good. */
const NO_NODE = `cluster: { racks: 2, nodesPerRack: 2, mapSlots: 2, reduceSlots: 1 }
workload: { kind: jobs, jobs: [{ name: a, maps: 40, mapTime: 30s, reduces: 4 }, { name: b, at: 5m, maps: 40, mapTime: 30s }] }
faults: { events: [{ kind: switch, rack: 0, at: 1m }, { kind: switch, rack: 1, at: 2m }] }
run: { until: 2h }
`;

it("a run whose nodes are lost for good is unfinished: 7 of run and compare, a failed run of a sweep", async () => {
  place.write("none.yaml", NO_NODE);
  place.write(
    "sweep.yaml",
    "name: swept\nwhy: What is left?\nscenario: none.yaml\naxes: [{ name: s, path: scheduler.kind, values: [fifo, fair] }]\n",
  );
  const run = await place.bide("run", "none.yaml", "--out", "none", "--threads", "0");
  expect(run.code).toBe(7);
  expect(run.stderr).toMatch(/^bide: stuck: \d+ jobs? waits?, but nodes are lost for good, and no node is left/mu);
  const summary = JSON.parse(readFileSync(join(place.path, "none", "summary.json"), "utf8"));
  expect(summary).toMatchObject({ stopped: "no-nodes-left" });
  const compared = await place.bide("compare", "none.yaml", "--schedulers", "fifo,fair");
  expect(compared.code).toBe(7);
  const swept = await place.bide("sweep", "sweep.yaml", "--out", "swept");
  expect([swept.code, swept.stderr]).toEqual([4, expect.stringContaining("no node is left")]);
});
