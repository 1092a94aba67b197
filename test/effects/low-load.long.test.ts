import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { noteText } from "../../dist/core/record/index.js";
import { loadScenario } from "../../dist/io/index.js";
import { compareSystems, planComparison, measureHere, runScenario } from "../../dist/lab/index.js";

const folder = mkdtempSync(join(tmpdir(), "bide-low-load-"));
afterAll(() => rmSync(folder, { recursive: true }));

const CLUSTER = "cluster: { racks: 2, nodesPerRack: 5, mapSlots: 2, reduceSlots: 1 }\n";
/** One after the other, and never more than 8 of 20 map slots. */
const IDLE =
  "workload: { kind: jobs, jobs: [{ name: query, user: ana, maps: 4, mapTime: 5s, count: 40, every: 15s }] }\n";
/** The same, and a job at the end that fills the cluster while the last one runs. */
const WITH_A_SCAN = `workload:
  kind: jobs
  jobs:
    - { name: query, user: ana, maps: 4, mapTime: 5s, count: 40, every: 15s }
    - { name: scan, user: etl, at: AT, maps: 60, mapTime: 5s }
`;

function fileOf(text: string): string {
  const file = join(folder, "scenario.yaml");
  writeFileSync(file, text);
  return file;
}

async function lowLoad(file: string, set: readonly string[] = [], placement = 0): Promise<string[]> {
  const { scenario, directory } = loadScenario(file, { set });
  const { summary } = await runScenario(scenario, directory, { placement, recordTasks: false });
  return summary.notes.map(noteText).filter((note) => note.startsWith("low load:"));
}

describe("the note on a low load", () => {
  it.each(["fifo", "fair", "delay", "hfs", "dsfs", "capacity", "quincy", "kill"])(
    "is there under %s where no job competes for slots",
    async (kind) => {
      const notes = await lowLoad(fileOf(CLUSTER + IDLE), [`scheduler=${kind}`]);
      expect(notes).toHaveLength(1);
      expect(notes[0]).toMatch(/^low load: no job competed with others for slots\./);
    },
  );

  it("is the same with racks on threads", async () => {
    const file = fileOf(CLUSTER + IDLE);
    expect(await lowLoad(file, [], 2)).toEqual(await lowLoad(file));
  });

  it("says how many jobs competed where hardly one did, and is gone when 5 % did", async () => {
    // The scan ends with the last query, or runs beside the last three.
    const late = fileOf(CLUSTER + WITH_A_SCAN.replace("AT", "595s"));
    expect(await lowLoad(late)).toEqual([expect.stringMatching(/^low load: [12] of 41 jobs competed/)]);
    const early = fileOf(CLUSTER + WITH_A_SCAN.replace("AT", "550s"));
    expect(await lowLoad(early)).toEqual([]);
  });

  it("is not there where jobs wait for their pool, though the cluster has room", async () => {
    const text = CLUSTER + IDLE.replace("every: 15s", "every: 5s");
    expect(await lowLoad(fileOf(text))).toHaveLength(1);
    const limited = "scheduler: { kind: hfs, pools: [{ name: ana, maxMaps: 2 }] }\n";
    expect(await lowLoad(fileOf(text + limited))).toEqual([]);
  });

  it("is not there where reduces fill their slots, though maps have room", async () => {
    const reduces = "reduces: 10, copyTime: 1s, reduceTime: 60s";
    expect(await lowLoad(fileOf(CLUSTER + IDLE.replace("mapTime: 5s", `mapTime: 5s, ${reduces}`)))).toEqual([]);
  });

  it("is not there for a job alone, for nobody expects schedulers to order it", async () => {
    expect(await lowLoad(fileOf(CLUSTER + IDLE.replace("count: 40, every: 15s", "count: 1")))).toEqual([]);
  });
});

describe("a comparison", () => {
  async function notesOf(systems: string): Promise<readonly string[]> {
    const file = fileOf(`${CLUSTER}${IDLE}compare: { systems: [${systems}] }\n`);
    const planned = planComparison({
      file,
      set: [],
      seed: undefined,
      seeds: undefined,
      kinds: undefined,
      systems: undefined,
      lenient: false,
    });
    const { notes } = await compareSystems(planned, measureHere(runScenario, 0), {});
    return notes.map(noteText).filter((note) => note.startsWith("low load:"));
  }

  it("says so once, where it is so in every run", async () => {
    const notes = await notesOf("{ name: a, set: { scheduler: fair } }, { name: b, set: { scheduler: delay } }");
    expect(notes).toEqual([expect.stringMatching(/^low load: in every run fewer than 5 % of the jobs competed/)]);
  });

  it("does not, where one of the systems is under load", async () => {
    expect(
      await notesOf("{ name: a }, { name: small, set: { cluster.nodesPerRack: 1, cluster.mapSlots: 1 } }"),
    ).toEqual([]);
  });
});

describe("the shipped scenarios", () => {
  // Those with the emptiest clusters; others are far from the bounds.
  it.each(["hot-spots", "cached-files", "long-task-balance", "rows", "io-heavy", "tiny", "quincy", "copy-compute"])(
    "%s is under load",
    async (name) => {
      expect(await lowLoad(`scenarios/${name}.yaml`)).toEqual([]);
    },
    60_000,
  );

  it("fifo-with-wait is not: its jobs keep their order, as it says, and only places differ", async () => {
    expect(await lowLoad("scenarios/fifo-with-wait.yaml")).toHaveLength(1);
  });
});
