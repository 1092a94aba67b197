import { describe, expect, it } from "vitest";
import { loadScenario } from "../../dist/io/index.js";
import { runScenario, type RunResult } from "../../dist/lab/index.js";

const FILE = "scenarios/idle-reduce-slots.yaml";

async function run(reduceSlots: number, ...set: string[]): Promise<RunResult> {
  const slots = [`cluster.reduceSlots=${reduceSlots}`];
  const { scenario, directory } = loadScenario(FILE, { set: [...slots, ...set] });
  return runScenario(scenario, directory, { placement: 0, recordTasks: true });
}

/** From the end of its set-up to the launch of its map, of each query that was launched, in seconds. */
function delays({ record }: RunResult): number[] {
  const { rows, name, submitAtUs, firstLaunchAtUs } = record.jobs;
  const queries = Array.from({ length: rows }, (_, job) => job).filter((job) => name[job].startsWith("query"));
  return queries
    .filter((job) => firstLaunchAtUs[job] >= 0)
    .map((job) => firstLaunchAtUs[job] / 1e6 - submitAtUs[job] / 1e6 - 10);
}

const WAITS: readonly (readonly [string, ...string[]])[] = [
  ["hfs"],
  ["hfs with automatic waits", "scheduler.wait=auto"],
  ["fifo with a wait", "scheduler.kind=fifo"],
  ["delay", "scheduler={kind: delay, wait: {nodeSkips: 10, rackSkips: 5}}"],
  ["dsfs", "scheduler=dsfs"],
  ["capacity with a wait", "scheduler.kind=capacity"],
  ["hfs with jitter", "cluster.heartbeatJitter=0.3"],
  ["hfs with out-of-band heartbeats", "cluster.outOfBandDelay=50ms"],
];

describe("idle reduce slots (idle-reduce-slots.yaml)", () => {
  it.each(WAITS)("change no fingerprint and no table of jobs, tasks or samples: %s", async (_, ...set) => {
    const [none, one, five] = [await run(0, ...set), await run(1, ...set), await run(5, ...set)];
    for (const other of [one, five]) {
      expect(other.summary.fingerprint).toBe(none.summary.fingerprint);
      expect(other.record.jobs).toEqual(none.record.jobs);
      expect(other.record.tasks).toEqual(none.record.tasks);
      expect(other.record.samples).toEqual(none.record.samples);
    }
  });

  it("let no query wait for minutes under paper, and do under the rules of a release", async () => {
    // 10 + 5 s, and the seconds until the next slots come free.
    expect(Math.max(...delays(await run(1)))).toBeLessThan(40);
    expect(Math.max(...delays(await run(0, "scheduler.rules=1.2")))).toBeLessThan(40);
    for (const rules of ["0.21", "1.2", "branch-1"]) {
      expect(
        Math.max(...delays(await run(1, `scheduler.rules="${rules}"`, "scheduler.wait={node: 10s}"))),
        rules,
      ).toBeGreaterThan(100);
    }
  });

  it("are why a release's wait clock shows a fraction of the locality wait, which is what queries waited", async () => {
    const shown = (found: RunResult): [number, number, number] => {
      const { name, localityWaitUs, waitClockUs } = found.record.jobs;
      const queries = name.flatMap((of, job) => (of.startsWith("query") ? [job] : []));
      const perQuery = (values: Float64Array): number =>
        queries.reduce((sum, job) => sum + values[job], 0) / 1e6 / queries.length;
      const delayed = delays(found);
      return [perQuery(localityWaitUs), perQuery(waitClockUs), delayed.reduce((sum, s) => sum + s, 0) / delayed.length];
    };
    for (const [set, leastShare, mostShare] of [
      [[], 0.7, 1],
      [["scheduler.rules=1.2"], 0, 0.05],
    ] as const) {
      const [localityWait, clock, delay] = shown(await run(1, ...set));
      expect(clock / localityWait).toBeGreaterThanOrEqual(leastShare);
      expect(clock / localityWait).toBeLessThanOrEqual(mostShare);
      // Beside it a query waits for the first slot to come free.
      expect(delay - localityWait).toBeGreaterThan(0);
      expect(delay - localityWait).toBeLessThan(6);
    }
  });

  it("are named in a note where a release's clock knows them, and nowhere else", () => {
    const notes = (...set: string[]): string => loadScenario(FILE, { set }).notes.join("\n");
    expect(notes("scheduler.rules=1.2")).toContain("while reduce slots are idle, jobs wait far longer");
    expect(notes("scheduler.rules=1.2", "cluster.reduceSlots=0")).toBe("");
    expect(notes("scheduler.rules=1.2", "scheduler.wait={nodeSkips: 10}")).toBe("");
    expect(notes()).toBe("");
  });
});
