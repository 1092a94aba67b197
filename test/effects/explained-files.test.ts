import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readExplained, parseScenario } from "../../dist/io/index.js";
import { runScenario } from "../../dist/lab/index.js";
import { allocationsReport, capacitiesReport, NO_PAINT } from "../../dist/report/index.js";

const folder = mkdtempSync(join(tmpdir(), "bide-explained-"));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const S = 1e6;
type Job = Readonly<Record<string, unknown>>;
/** Twenty map slots; maps of 20 s. */
const CLUSTER = { racks: 2, nodesPerRack: 5, mapSlots: 2, reduceSlots: 1 };
const job = (name: string, more: Job = {}): Job => ({ name, user: name, maps: 200, mapTime: "20s", ...more });

/** What `explain-config` prints of the file, and what a run with it does. */
async function explainedAndRun(xml: string, jobs: readonly Job[], scheduler: Job = {}) {
  const file = join(folder, "scheduler.xml");
  writeFileSync(file, xml);
  const read = readExplained(file);
  if (read.form !== "hadoop-queues" && read.form !== "hadoop-pools") throw new Error(`found a file of ${read.form}`);
  const isCapacity = read.form === "hadoop-queues";
  const text = isCapacity
    ? capacitiesReport({ file: "f", ...read }, NO_PAINT)
    : allocationsReport({ file: "f", ...read }, NO_PAINT);
  const own = isCapacity ? { kind: "capacity", capacity: { file } } : { kind: "hfs", allocations: file };
  const scenario = JSON.stringify({
    cluster: CLUSTER,
    workload: { kind: "jobs", jobs },
    scheduler: { ...own, ...scheduler },
    run: { until: "10m" },
  });
  const loaded = parseScenario(scenario, "s.yaml", {});
  const { record, summary } = await runScenario(loaded.scenario, folder, { placement: 0, recordTasks: true });
  return { text: text.replace(/\s+/g, " "), run: new Seen(record), summary, notes: loaded.notes };
}

type Ran = Awaited<ReturnType<typeof runScenario>>["record"];

class Seen {
  constructor(private readonly record: Ran) {}

  get placedIn(): readonly string[] {
    return this.record.jobs.placedIn;
  }

  /** Maps of the jobs that were running at an instant, by job. */
  runningAt(seconds: number, names: readonly string[]): number {
    const { tasks, jobs } = this.record;
    let running = 0;
    for (let row = 0; row < tasks!.rows; row++) {
      const isOf = names.includes(jobs.name[tasks!.job[row]!]!) && tasks!.type[row] === 0;
      if (isOf && tasks!.launchAtUs[row]! <= seconds * S && tasks!.finishAtUs[row]! > seconds * S) running++;
    }
    return running;
  }

  /** The most maps of the jobs at once, looked at every second. */
  most(names: readonly string[]): number {
    return Math.max(...Array.from({ length: 300 }, (_, second) => this.runningAt(second, names)));
  }

  firstLaunch(name: string): number {
    return this.record.jobs.firstLaunchAtUs[this.record.jobs.name.indexOf(name)]! / S;
  }

  end(name: string): number {
    return this.record.jobs.endAtUs[this.record.jobs.name.indexOf(name)]! / S;
  }

  get killed(): number {
    return this.record.tasks!.outcome.filter((outcome) => outcome === 1).length;
  }
}

const PAIR = [job("ann"), job("bob")];
const FILE = (inside: string): string => `<allocations>${inside}</allocations>`;

describe("what explain-config says of a fair-scheduler.xml is what a run does", () => {
  const pool = (name: string, inside: string): string => `<pool name="${name}">${inside}</pool>`;
  const rules = (inside: string): string => `<poolPlacementPolicy>${inside}</poolPlacementPolicy>`;

  it("weights", async () => {
    const { text, run } = await explainedAndRun(FILE(pool("ann", "<weight>3</weight>")), PAIR);
    expect(text).toContain("ann 3 0 0 unlimited unlimited");
    expect([run.runningAt(100, ["ann"]), run.runningAt(100, ["bob"])]).toEqual([15, 5]);
  });

  it("slots promised and most slots", async () => {
    const file = FILE(pool("ann", "<minMaps>16</minMaps>") + pool("bob", "<maxMaps>3</maxMaps>"));
    const { text, run } = await explainedAndRun(file, PAIR);
    expect(text).toContain("ann 1 16 0 unlimited unlimited bob 1 0 0 3");
    expect(run.runningAt(100, ["ann"])).toBeGreaterThanOrEqual(16);
    expect(run.most(["bob"])).toBe(3);
  });

  it("jobs at once, of a pool and of a user", async () => {
    const limit = "<maxRunningJobs>1</maxRunningJobs>";
    const three = ["a1", "a2", "a3"].map((name) => job(name, { user: "ann", maps: 10 }));
    const ofPool = await explainedAndRun(FILE(pool("ann", limit)), three);
    const ofUser = await explainedAndRun(FILE(pool("x", "") + `<user name="ann">${limit}</user>`), three);
    expect(ofPool.text).toMatch(/Pool jobs at once .* ann 1 /);
    expect(ofUser.text).toContain("jobs at once: ann 1; every other user");
    for (const { run } of [ofPool, ofUser]) {
      expect(run.firstLaunch("a2")).toBeGreaterThanOrEqual(run.end("a1") - 10);
      expect(run.most(["a1", "a2", "a3"])).toBe(10);
    }
  });

  it("the mode of a pool", async () => {
    const two = ["a1", "a2"].map((name) => job(name, { user: "ann", maps: 100 }));
    const inLine = await explainedAndRun(FILE(pool("ann", "<schedulingMode>fifo</schedulingMode>")), two);
    const sharing = await explainedAndRun(FILE(pool("ann", "<weight>1</weight>")), two);
    expect(inLine.text).toMatch(/ann \(unlimited\) fifo/);
    expect(sharing.text).toMatch(/ann \(unlimited\) \(fair\)/);
    expect(inLine.run.runningAt(60, ["a2"])).toBe(0);
    expect(sharing.run.runningAt(60, ["a2"])).toBe(10);
  });

  it("timeouts: only with preemption, as it says", async () => {
    const timeout = "<minSharePreemptionTimeout>10</minSharePreemptionTimeout>";
    const file = FILE(pool("bob", "<minMaps>10</minMaps>" + timeout));
    const late = [job("ann", { mapTime: "5m" }), job("bob", { at: "60s" })];
    const on = await explainedAndRun(file, late, { preemption: "on" });
    const off = await explainedAndRun(file, late);
    expect(on.text).toContain("gets the missing slots back");
    expect(on.text).toContain("All of this holds only where the scenario turns preemption on.");
    expect(on.run.killed).toBeGreaterThanOrEqual(10);
    expect(off.run.killed).toBe(0);
    expect([on.run.runningAt(110, ["bob"]), off.run.runningAt(110, ["bob"])]).toEqual([10, 0]);
  });

  it("placement rules: obeyed under branch-1, and the file is refused under rules that have none", async () => {
    const file = FILE(pool("ops", "") + rules('<specified create="false"/><user create="false"/><reject/>'));
    const jobs = [job("a", { user: "ops" }), job("b", { user: "bob", pool: "ops" }), job("c", { user: "bob" })];
    const { text, run, summary } = await explainedAndRun(file, jobs, { rules: "branch-1" });
    expect(text).toContain("2. the pool named like the user, if it is declared 3. the job is refused");
    expect(text).toContain("A scenario obeys these rules under scheduler.rules: branch-1.");
    expect(run.placedIn).toEqual(["ops", "ops", ""]);
    expect(summary.jobs).toMatchObject({ submitted: 3 });
    for (const other of ["paper", "0.21", "1.2"]) {
      await expect(explainedAndRun(file, jobs, { rules: other })).rejects.toThrow(/scheduler\.xml:1:\d+: /);
    }
  });
});

describe("what explain-config says of a capacity-scheduler.xml is what a run does", () => {
  const property = (name: string, value: string | number): string =>
    `<property><name>${name}</name><value>${value}</value></property>`;
  const file = (most?: number): string =>
    property("mapred.capacity-scheduler.queue.ann.capacity", 75) +
    property("mapred.capacity-scheduler.queue.bob.capacity", 25) +
    (most === undefined ? "" : property("mapred.capacity-scheduler.queue.bob.maximum-capacity", most));

  it("capacities, and the most that a queue may have", async () => {
    const shared = await explainedAndRun(`<configuration>${file()}</configuration>`, PAIR);
    expect(shared.text).toMatch(/ann 75 .* bob 25 /);
    expect([shared.run.runningAt(100, ["ann"]), shared.run.runningAt(100, ["bob"])]).toEqual([15, 5]);
    const capped = await explainedAndRun(`<configuration>${file(50)}</configuration>`, [job("bob")]);
    expect(capped.text).toMatch(/bob 25 50 /);
    expect(capped.run.most(["bob"])).toBeLessThanOrEqual(10);
  });
});
