import { isDeepStrictEqual } from "node:util";
import {
  DEFAULT_EXCLUSION,
  defaultSettings,
  defaultSpeculation,
  NOWHERE,
  poolsInFairMode,
  SPARK_LEVELS,
  SPARK_RULES,
  TaskScheduler,
} from "../../dist/core/platforms/spark/index.js";

/**
 * Runs a sound case of Spark's scheduling under the rules of a release, on the scheduler that simulations use. Returns
 * the expectations that failed: where, what was expected, what was found.
 */
export function runSpark(scenario, version) {
  const failures = [];
  const world = new SparkWorld(scenario, version, (step, op, path, expected, got) => {
    failures.push({ step, op, path, expected: JSON.stringify(expected), got: JSON.stringify(got) });
  });
  try {
    world.run();
  } catch (error) {
    failures.push({ step: world.step, op: scenario.kind, path: "", expected: "no error", got: String(error) });
  }
  return failures;
}

/** What a task set starts on an executor with room, and whether only its wait for locality kept all that waits. */
function offered(set, executor, host, most, nowUs) {
  if (set.isZombie || set.excludes(executor, host)) return { attempt: NOWHERE, isDelayReject: false };
  const attempt = set.start(executor, host, set.allowedUpTo(most, nowUs), most, nowUs);
  const isDelayReject = attempt === NOWHERE && most === SPARK_LEVELS.indexOf("ANY") && set.hasPending;
  return { attempt, isDelayReject };
}

class SparkWorld {
  step = 1;
  nowUs = 0;
  sets = new Map();
  names = { executor: [], host: [], rack: [] };

  constructor(scenario, version, fail) {
    this.scenario = scenario;
    this.fail = fail;
    this.rules = SPARK_RULES[version];
    this.settings = settingsOf(scenario.config ?? {}, this.rules);
  }

  run() {
    switch (this.scenario.kind) {
      case "spark.taskSet":
        return this.runTaskSet();
      case "spark.rounds":
        return this.runRounds();
      case "spark.picks":
        return this.runPicks();
      case "spark.poolFile":
        return this.runPoolFile();
    }
  }

  runTaskSet() {
    const { executors = [], tasks, barrier = false, clockMs = 0, steps } = this.scenario;
    this.nowUs = clockMs * 1000;
    this.scheduler = this.made([]);
    for (const { executor, host } of executors) {
      this.scheduler.executors.add(this.number("executor", executor), this.number("host", host));
    }
    this.set = this.scheduler.submit(this.spec(0, 0, 0, tasks, barrier), undefined, this.nowUs);
    this.each(steps, (step) => this.doTaskSetStep(step));
  }

  doTaskSetStep(step) {
    const { set, scheduler } = this;
    const executor = step.executor === undefined ? NOWHERE : this.number("executor", step.executor);
    const host = step.host === undefined ? NOWHERE : this.number("host", step.host);
    const attempt = step.attempt === undefined ? undefined : set.attemptsOf(step.task)[step.attempt];
    switch (step.op) {
      case "offer": {
        const most = SPARK_LEVELS.indexOf(step.maxLocality);
        const found = offered(set, executor, host, most, this.nowUs);
        const got = found.attempt === NOWHERE ? null : this.attemptWords(found.attempt);
        this.compareEither(step, got);
        if (step.delayReject !== undefined && !this.settings.resetsOnLaunch) {
          this.compare(step, "delayReject", step.delayReject, found.isDelayReject);
        }
        return;
      }
      case "addExecutor":
        scheduler.executors.add(executor, host);
        if (step.tell !== false) set.recomputeLevels();
        return;
      case "removeExecutor":
        scheduler.executors.remove(executor);
        if (step.how === "lost") set.executorLost(executor, this.nowUs, step.countsAsFailure !== false);
        if (step.tell !== false) set.recomputeLevels();
        return;
      case "decommission":
        scheduler.executors.decommission(executor, this.nowUs, host);
        set.recomputeLevels();
        return;
      case "succeed": {
        const runUs = step.runMs === undefined ? undefined : step.runMs * 1000;
        const kill = set.succeed(attempt, this.nowUs, step.records, runUs);
        if (step.expect?.kill === undefined) return;
        const { task, number } = scheduler.attempts;
        const got = kill.map((one) => ({ task: task[one], attempt: number[one] }));
        return this.compare(step, "kill", step.expect.kill, got);
      }
      case "fail":
        return set.fail(attempt, this.nowUs);
      case "makeSpeculatable":
        return set.markSpeculatable(step.task, this.nowUs);
      case "reportRate":
        set.recordsPerSecond.set(attempt, step.recordsPerSecond);
        return;
      case "checkSpeculation": {
        const found = set.checkSpeculation(this.nowUs, step.minRuntimeMs * 1000);
        const marked = [...set.copies.keys()].filter((task) => set.speculatable.has(task));
        return this.compareKeys(step, "", step.expect ?? {}, { found, marked });
      }
      case "check":
        return this.compareKeys(step, "", step.expect, this.stateOf(set));
    }
  }

  runRounds() {
    const { pools = [], steps } = this.scenario;
    const withDefault = [...pools, { name: "default" }].map(poolSpec);
    this.scheduler = this.made(withDefault);
    this.each(steps, (step) => this.doRoundStep(step));
  }

  doRoundStep(step) {
    const { scheduler } = this;
    const set = step.taskSet === undefined ? undefined : this.sets.get(step.taskSet);
    switch (step.op) {
      case "submit":
        return this.submit(step);
      case "offers": {
        const { attempts } = scheduler;
        const before = attempts.length;
        for (const { executor, host, cores } of step.offers) {
          scheduler.show(this.number("executor", executor), this.number("host", host), cores);
        }
        scheduler.offer(step.allFree ?? false, this.nowUs);
        const setOf = (number) => [...this.sets.values()].find((one) => one.number === number);
        const got = Array.from({ length: attempts.length - before }, (_, i) => before + i).map((one) => ({
          taskSet: setName(setOf(attempts.set[one]).spec),
          task: attempts.task[one],
          executor: this.names.executor[attempts.executor[one]],
          locality: SPARK_LEVELS[attempts.level[one]],
        }));
        for (const wanted of [step.expect, step.derived]) this.compareLaunches(step, wanted ?? {}, got);
        return;
      }
      case "succeed":
        set.succeed(set.attemptsOf(step.task)[step.attempt], this.nowUs);
        return;
      case "fail":
        return set.fail(set.attemptsOf(step.task)[step.attempt], this.nowUs);
      case "executorLost":
        return scheduler.executorLost(
          ...[this.number("executor", step.executor), this.nowUs, step.countsAsFailure !== false],
        );
      case "makeZombie":
        set.isZombie = true;
        return;
      case "check":
        for (const [key, wanted] of Object.entries(step.expect)) {
          this.compareKeys(step, `${key}.`, wanted, this.stateOf(this.sets.get(key)));
        }
    }
  }

  runPicks() {
    const { pools = [], taskSets, expect } = this.scenario;
    this.scheduler = this.made(pools.map(poolSpec));
    for (const set of taskSets) this.submit(set);
    const stages = [];
    for (;;) {
      const starts = (set) => offered(set, 0, 0, SPARK_LEVELS.indexOf("ANY"), this.nowUs).attempt !== NOWHERE;
      const next = [...this.scheduler.pools.sorted()].find(starts);
      if (next === undefined) break;
      stages.push(next.stage);
    }
    this.compare({ op: "picks" }, "stages", expect.stages, stages);
  }

  runPoolFile() {
    const { schedulerMode, configMode, file, submissions = [], expect } = this.scenario;
    this.settings = { ...this.settings, mode: schedulerMode };
    this.scheduler = this.made(poolsInFairMode(file, this.rules, configMode?.toUpperCase()));
    const placed = submissions.map((one) => [String(one.stage), this.submit({ ...one, tasks: 1 }).pool.name || "root"]);
    for (const [name, wanted] of Object.entries(expect.pools ?? {})) {
      const pool = this.scheduler.pools.byName.get(name) ?? null;
      const got = pool === null ? null : { minShare: pool.minShare, weight: pool.weight, mode: pool.mode };
      this.compare({ op: "pools" }, name, wanted, got);
    }
    for (const [stage, wanted] of Object.entries(expect.placed ?? {})) {
      this.compare({ op: "placed" }, stage, wanted, Object.fromEntries(placed)[stage]);
    }
  }

  submit({ stage, attempt = 0, job = 0, tasks, prefer = [], pool, barrier = false }) {
    const places = typeof tasks === "number" ? Array.from({ length: tasks }, () => prefer) : tasks;
    const set = this.scheduler.submit(this.spec(stage, attempt, job, places, barrier), pool, this.nowUs);
    this.sets.set(setName(set.spec), set);
    return set;
  }

  spec(stage, attempt, job, tasks, isBarrier) {
    const places = tasks.map((of) =>
      of.map(({ host, executor, hdfsCache }) => ({
        host: this.number("host", host),
        ...(executor === undefined ? {} : { executor: this.number("executor", executor) }),
        ...(hdfsCache === true ? { isHdfsCache: true } : {}),
      })),
    );
    return { stage, attempt, job, stageOfJob: stage, places, isBarrier };
  }

  made(pools) {
    const { racks = {} } = this.scenario;
    const rackOf = (host) => {
      const rack = Object.hasOwn(racks, this.names.host[host]) ? racks[this.names.host[host]] : undefined;
      return rack === undefined ? NOWHERE : this.number("rack", rack);
    };
    return new TaskScheduler({ rules: this.rules, settings: this.settings, pools, rackOf });
  }

  each(steps, run) {
    for (const step of steps) {
      if (step.op === "advance") this.nowUs += step.ms * 1000;
      else run(step);
      this.step++;
    }
  }

  number(kind, name) {
    const names = this.names[kind];
    const found = names.indexOf(name);
    return found < 0 ? names.push(name) - 1 : found;
  }

  attemptWords(at) {
    const { task, level, number, isSpeculative } = this.scheduler.attempts;
    return {
      task: task[at],
      locality: SPARK_LEVELS[level[at]],
      attempt: number[at],
      speculative: isSpeculative[at] !== 0,
    };
  }

  stateOf(set) {
    return {
      levels: set.levels.map((level) => SPARK_LEVELS[level]),
      level: SPARK_LEVELS[set.level],
      levelIndex: SPARK_LEVELS[set.level],
      finished: set.isFinished,
      zombie: set.isZombie,
      aborted: set.isAborted,
      running: set.running,
      copies: set.copies,
      failures: set.failures,
    };
  }

  /** What is expected, and what follows beside it. */
  compareEither(step, got) {
    for (const wanted of [step.expect, step.derived]) {
      if (wanted === undefined) continue;
      if (wanted === null || got === null) this.compare(step, "", wanted, got);
      else this.compareKeys(step, "", wanted, got);
    }
  }

  compareLaunches(step, { count, launched }, got) {
    if (count !== undefined) this.compare(step, "count", count, got.length);
    if (launched === undefined) return;
    this.compare(step, "launched", launched.length, got.length);
    launched.forEach((wanted, i) => this.compareKeys(step, `launched[${i + 1}].`, wanted, got[i] ?? {}));
  }

  /** Counts per task are expected of some tasks only. */
  compareKeys(step, prefix, wanted, got) {
    for (const [key, value] of Object.entries(wanted)) {
      if (key === "copies" || key === "failures") this.compareKeys(step, `${prefix}${key}.`, value, got[key]);
      else this.compare(step, prefix + key, value, got[key]);
    }
  }

  compare(step, path, expected, got) {
    if (!isDeepStrictEqual(expected, got)) this.fail(this.step, step.op, path, expected, got ?? null);
  }
}

const setName = ({ stage, attempt }) => `${stage}.${attempt}`;

function poolSpec({ name, mode = "FIFO", minShare = 0, weight = 1, pools = [] }) {
  return { name, mode, minShare, weight, pools: pools.map(poolSpec) };
}

function settingsOf(config, rules) {
  const defaults = defaultSettings(rules);
  const us = (ms, otherwise) => (ms === undefined ? otherwise : ms * 1000);
  const { speculation, exclude } = config;
  const speculative = defaultSpeculation(rules);
  return {
    waitProcessUs: us(config.waitProcessMs, defaults.waitProcessUs),
    waitNodeUs: us(config.waitNodeMs, defaults.waitNodeUs),
    waitRackUs: us(config.waitRackMs, defaults.waitRackUs),
    resetsOnLaunch: rules.resetsOnLaunch || (config.legacyReset ?? false),
    coresPerTask: config.cpusPerTask ?? defaults.coresPerTask,
    executorCores: config.executorCores ?? defaults.executorCores,
    maxFailures: config.maxTaskFailures ?? defaults.maxFailures,
    mode: config.schedulerMode ?? defaults.mode,
    speculation:
      speculation === true
        ? {
            ...speculative,
            quantile: config.speculationQuantile ?? speculative.quantile,
            multiplier: config.speculationMultiplier ?? speculative.multiplier,
            durationThresholdUs: us(config.speculationTaskDurationThresholdMs, Infinity),
            processRateMultiplier: config.processRateMultiplier ?? speculative.processRateMultiplier,
            longRunTaskFactor: config.longRunTaskFactor ?? speculative.longRunTaskFactor,
          }
        : null,
    exclusion: exclude === true ? DEFAULT_EXCLUSION : null,
    decommissionKillUs: us(config.decommissionKillIntervalMs, Infinity),
  };
}
