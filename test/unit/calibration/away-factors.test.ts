import { describe, expect, it } from "vitest";
import { counterHash, fractionOf, normalQuantile } from "../../../dist/core/kernel/index.js";
import { type AwayFactor, type AwayTasks, awayFactors, CARRIED, taskTimes } from "../../../dist/experiments/index.js";

const [PROCESS, NODE, ANY] = [0, 1, 4];

interface Truth {
  readonly reads: number;
  readonly beside: number;
  readonly away: number;
  readonly factor: number;
  readonly stages: number;
  readonly tasks: number;
  readonly hosts: number;
  /** Tasks that an executor runs at once. */
  readonly cores: number;
  /** Standard deviations of logarithms: of the noise, of hosts' speeds, of bytes, and of the factor among stages. */
  readonly noise: number;
  readonly speeds: number;
  readonly skew: number;
  readonly amongStages: number;
  /** Share of tasks that take 2 to 10 times as long. */
  readonly stragglers: number;
  /** Chance that a task runs away from its data; undefined: it differs by stage and host. */
  readonly chance?: (task: { readonly host: number; readonly wave: number; readonly stage: number }) => number;
}

const USUAL: Truth = {
  reads: 0,
  beside: NODE,
  away: ANY,
  factor: 2,
  stages: 6,
  tasks: 40,
  hosts: 5,
  cores: 4,
  noise: 0.25,
  speeds: 0.3,
  skew: 1,
  amongStages: 0,
  stragglers: 0.03,
};

/** Tasks of stages one after another, on hosts with an executor each that is slow in its first tasks. */
function tasksOf(seed: number, changes: Partial<Truth> = {}): Record<keyof AwayTasks, number[]> {
  const truth = { ...USUAL, ...changes };
  let counter = 0;
  const draw = (): number => fractionOf(counterHash(seed, 0, counter++));
  const spread = (deviation: number): number => Math.exp(deviation * normalQuantile(draw()));
  const table: Record<keyof AwayTasks, number[]> = {
    stage: [],
    reads: [],
    level: [],
    host: [],
    executor: [],
    startUs: [],
    runUs: [],
    cpuUs: [],
    bytes: [],
  };
  const speeds = Array.from({ length: truth.hosts }, () => spread(truth.speeds));
  const before = speeds.map(() => 0);
  let nowUs = 0;
  for (let stage = 0; stage < truth.stages; stage++) {
    const [work, factor, fixed] = [1e7 * spread(1), truth.factor * spread(truth.amongStages), draw()];
    const chances = speeds.map(() => 0.6 * draw());
    const slots = speeds.flatMap((_, host) => Array.from({ length: truth.cores }, () => ({ host, freeUs: nowUs })));
    const beforeInStage = speeds.map(() => 0);
    for (let task = 0; task < truth.tasks; task++) {
      const slot = slots.reduce((first, other) => (other.freeUs < first.freeUs ? other : first));
      const { host } = slot;
      const wave = Math.floor(beforeInStage[host]++ / truth.cores);
      const isAway = draw() < (truth.chance?.({ host, wave, stage }) ?? chances[host]);
      const bytes = spread(truth.skew);
      const cpuUs = work * speeds[host] * (fixed + (1 - fixed) * bytes);
      const warmUp = 1 + Math.exp(-Math.floor(before[host]++ / truth.cores));
      const straggles = draw() < truth.stragglers ? 2 + 8 * draw() : 1;
      const runUs = cpuUs * warmUp * straggles * (isAway ? factor : 1) * spread(truth.noise);
      table.stage.push(stage);
      table.reads.push(truth.reads);
      table.level.push(isAway ? truth.away : truth.beside);
      table.host.push(host);
      table.executor.push(host);
      table.startUs.push(slot.freeUs);
      table.runUs.push(runUs);
      table.cpuUs.push(cpuUs);
      table.bytes.push(bytes * 128e6);
      slot.freeUs += runUs + 5000;
    }
    nowUs = Math.max(...slots.map(({ freeUs }) => freeUs));
  }
  return table;
}

const factorOf = (tasks: AwayTasks, level = "ANY"): AwayFactor => {
  const found = awayFactors(tasks).find((factor) => factor.level === level);
  if (found === undefined) throw new Error(`no factor of ${level}`);
  return found;
};

describe("the factor of tasks away from their data", () => {
  it.each([
    ["input", {}, "ANY"],
    ["few tasks, much noise", { stages: 2, tasks: 60, noise: 0.4 }, "ANY"],
    ["stages that differ", { stages: 12, tasks: 24, amongStages: 0.3 }, "ANY"],
    ["distance without cost", { factor: 1, stragglers: 0.1 }, "ANY"],
    [
      "away tasks that are mostly an executor's first",
      { stages: 3, tasks: 80, chance: ({ wave }) => (wave === 0 ? 0.8 : 0.2) },
      "ANY",
    ],
    ["slow hosts with little data", { speeds: 0.8, chance: ({ host, stage }) => (host + stage) / 12 }, "ANY"],
    ["cached partitions", { reads: 1, beside: PROCESS, away: NODE, factor: 10 }, "NODE_LOCAL"],
    ["shuffles", { reads: 2, factor: 1.3 }, "ANY"],
  ] as readonly (readonly [string, Partial<Truth>, string])[])(
    "is within its interval in 19 of 20 logs: %s",
    (_, changes, level) => {
      const truth = { ...USUAL, ...changes };
      let [held, identified] = [0, 0];
      for (let seed = 0; seed < 60; seed++) {
        const found = factorOf(tasksOf(seed, changes), level);
        if (found.unidentified !== null) continue;
        identified++;
        if (found.low <= truth.factor && truth.factor <= found.high) held++;
      }
      expect(identified).toBeGreaterThanOrEqual(54);
      expect(held / identified).toBeGreaterThanOrEqual(0.88);
    },
  );

  it("is not clamped where distance makes tasks faster, and narrow in spite of stragglers where there is much to learn from", () => {
    const found = factorOf(tasksOf(1, { factor: 0.79, stages: 60, tasks: 60, noise: 0.15, stragglers: 0.1 }));
    expect(found.high).toBeLessThan(0.84);
    expect(found.high / found.low).toBeLessThan(1.06);
    expect(found.cpuFactor).toBeCloseTo(1, 1);
  });

  it("is told apart from the host by other stages, and has an interval with one stage and no noise", () => {
    const plain = { noise: 0, skew: 0, stragglers: 0 };
    const chance: Truth["chance"] = ({ host, stage }) => (host === 1 && stage === 0 ? 1 : 0);
    const found = factorOf(tasksOf(1, { ...plain, hosts: 2, stages: 2, chance }));
    expect(found).toMatchObject({ unidentified: null, stages: 1, hostStages: 1 });
    expect(found.factor).toBeCloseTo(2, 1);
    const one = factorOf(tasksOf(1, { ...plain, stages: 1 }));
    expect(one.factor).toBeCloseTo(2, 1);
    expect(one.low).toBeLessThan(1.95);
    expect(one.high).toBeGreaterThan(2.05);
  });

  it.each([
    ["host", { chance: ({ host }) => (host < 2 ? 1 : 0) }],
    ["wave", { chance: ({ wave }) => (wave > 0 ? 1 : 0) }],
    ["wave", { chance: ({ wave }) => (wave === 0 ? 1 : 0), tasks: 60 }],
    ["no task", { away: NODE }],
    ["no stage", { chance: ({ stage }) => (stage > 2 ? 1 : 0) }],
    ["too few", { chance: ({ stage, host, wave }) => (stage === 1 && host === 1 && wave === 1 ? 1 : 0), cores: 2 }],
  ] as readonly (readonly [string, Partial<Truth>])[])("is not identified, for its reason: %s", (reason, changes) => {
    for (let seed = 0; seed < 10; seed++) {
      const found = factorOf(tasksOf(seed, changes));
      expect(found.unidentified).toContain(reason);
      expect(found).toMatchObject(CARRIED.input);
      expect(found.factor).toBeCloseTo(Math.SQRT2, 9);
    }
  });
});

describe("the speed of a host", () => {
  const HOSTS = 6;

  /**
   * Of estimates of all hosts of twelve clusters: their error, as a standard deviation of logarithms, and the share of
   * intervals that hold the truth.
   */
  const foundWith = (tasks: number) => {
    let [squares, held, count] = [0, 0, 0];
    for (let seed = 0; seed < 12; seed++) {
      const table = tasksOf(seed, { speeds: 0, hosts: HOSTS, stages: 6, tasks });
      const logs = Array.from({ length: HOSTS }, (_, host) => {
        return 0.1 * normalQuantile(fractionOf(counterHash(seed, 1, host)));
      });
      const middle = logs.reduce((sum, log) => sum + log, 0) / HOSTS;
      const runUs = table.runUs.map((us, row) => us / Math.exp(logs[table.host[row]!]!));
      for (const { host, speed, low, high } of taskTimes({ ...table, runUs }).speeds) {
        const log = logs[host]! - middle;
        squares += (Math.log(speed) - log) ** 2;
        held += Math.log(low) <= log && log <= Math.log(high) ? 1 : 0;
        count++;
      }
    }
    return { error: Math.sqrt(squares / count), held: held / count };
  };

  it("is told by its tasks, and is near that of all where they are few", () => {
    const [many, few] = [foundWith(120), foundWith(12)];
    expect(many.error).toBeLessThan(0.05);
    expect(few.error).toBeLessThan(0.1);
    for (const { held } of [many, few]) expect(held).toBeGreaterThanOrEqual(0.8);
  });
});
