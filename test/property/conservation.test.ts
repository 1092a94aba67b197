import { type PoolScheduler, Master, Recorder } from "../../dist/core/platforms/hadoop/index.js";
import { groupNamesOf, groupSummariesOf, type GroupSummary } from "../../dist/core/record/index.js";
import { describe, expect, it } from "vitest";
import { collectRecord, simulate, type ActorsRun } from "../../dist/lab/index.js";
import { crowdedCases, type RandomCase } from "../support/random-scenarios.js";
import { casesToTry, SEARCH_TIMEOUT_MS, searchForProblem } from "../support/search.js";

const FILE = "test/property/conservation.test.ts";
const RUNS = 150;
const KILLED = 1;

/** With preemption, which needs updates that come by themselves. */
const cases = crowdedCases.map((example): RandomCase => {
  const { scheduler } = example.scenario;
  const preemption = { ...scheduler.preemption, mode: "kill" as const };
  const updateIntervalUs = scheduler.updateIntervalUs === 0 ? 500_000 : scheduler.updateIntervalUs;
  return { ...example, scenario: { ...example.scenario, scheduler: { ...scheduler, preemption, updateIntervalUs } } };
});

/** What a run did, by counting what it told its recorder. */
interface Counted {
  readonly run: ActorsRun;
  readonly launches: number;
  /** What was found wrong with running counts, null for nothing. */
  readonly miscounted: string | null;
}

/** Heartbeats of which one is looked at. */
const LOOKED_AT = 7;

async function countedRun({ scenario, workload, slices }: RandomCase): Promise<Counted> {
  const { launched, setupTaskLaunched } = Recorder.prototype;
  const { endHeartbeat } = Master.prototype;
  let launches = 0;
  let heartbeats = 0;
  let miscounted: string | null = null;
  Recorder.prototype.launched = function (...of) {
    launches++;
    launched.apply(this, of);
  };
  Recorder.prototype.setupTaskLaunched = function (...of) {
    launches++;
    setupTaskLaunched.apply(this, of);
  };
  Master.prototype.endHeartbeat = function (node) {
    endHeartbeat.call(this, node);
    if (heartbeats++ % LOOKED_AT === 0) miscounted ??= wrongCount(this);
  };
  try {
    const run = await simulate(scenario, workload, { threads: 0, slices, recordTasks: true });
    return { run, launches, miscounted };
  } finally {
    Recorder.prototype.launched = launched;
    Recorder.prototype.setupTaskLaunched = setupTaskLaunched;
    Master.prototype.endHeartbeat = endHeartbeat;
  }
}

/** What a job counts as running holds a slot, or has left it to commit; every slot that is taken has its attempt. */
function wrongCount({ attempts, slots, jobs }: Master): string | null {
  const found = [new Map<number, number>(), new Map<number, number>()];
  const taken = [0, 0];
  for (let place = 0; place < 2 * attempts.slots; place++) {
    const slot = place % attempts.slots;
    const node = attempts.node[place];
    const isThere = place < attempts.slots ? slots.isHeldOn(node, slot) : attempts.isAwaitingCommit(place);
    if (!isThere) continue;
    const type = slots.typeOf(node, slot);
    if (place < attempts.slots) taken[type]++;
    const job = attempts.jobOf(place);
    if (job >= 0) found[type].set(job, (found[type].get(job) ?? 0) + 1);
  }
  for (const type of [0, 1] as const) {
    if (taken[type] !== slots.taken[type]) return `${String(taken[type])} slots of ${String(slots.taken[type])} found`;
    for (let job = 0; job < jobs.handles; job++) {
      const running = jobs.state[job] === 0 ? 0 : jobs.running[type][job];
      const there = found[type].get(job) ?? 0;
      if (running !== there) return `job ${String(job)} counts ${String(running)} running, ${String(there)} are there`;
    }
  }
  return null;
}

/** Every launch ends once, as a success or a kill, or still runs when the run is cut off. */
function lostOrDoubled(_: RandomCase, { run, launches }: Counted): string | null {
  const { recorder, slots, built, attempts } = run.master.master;
  const setupTasks = attemptsOf(run).filter(({ type }) => type > 1).length;
  const successes = recorder.tasksEnded[0] + recorder.tasksEnded[1] + setupTasks;
  const running = slots.taken[0] + slots.taken[1] + attempts.awaitingCommit;
  const sum = `${String(successes)} successes, ${String(recorder.kills)} kills, ${String(running)} running`;
  if (launches !== successes + recorder.kills + running) return `${String(launches)} launches, but ${sum}`;
  if (run.allEnded && running > 0) return `all jobs have ended, but ${sum}`;
  const ordered = (built.scheduler as PoolScheduler).preemptions.kills;
  return recorder.kills > ordered ? `${String(ordered)} kills ordered, but ${sum}` : null;
}

/** Every kill is for one pool that has jobs: summed over those pools, kills caused are kills suffered. */
function badKillsCaused(_: RandomCase, { run }: Counted): string | null {
  const { kills } = run.master.master.recorder;
  const record = collectRecord(run.master.master, run.stoppedUs);
  // A refused job may name a pool with pools inside, whose jobs count for it too.
  const names = groupNamesOf(record.jobs, "pool");
  const outer = names.filter((name) => !names.some((other) => name.startsWith(`${other}.`)));
  const pools = groupSummariesOf(record, "pool", outer, run.stoppedUs);
  const sum = (of: (pool: GroupSummary) => number): number => pools.reduce((all, pool) => all + of(pool), 0);
  const [caused, suffered] = [sum(({ killsCaused = 0 }) => killsCaused), sum((pool) => pool.kills!.attempts)];
  return caused === kills && suffered === kills
    ? null
    : `${String(kills)} kills: pools caused ${String(caused)} and suffered ${String(suffered)}`;
}

/** The attempts of a task are numbered through; all but the last were killed; each task of an ended job succeeded. */
function badAttempts({ workload }: RandomCase, { run }: Counted): string | null {
  const { endUs } = run.master.master.recorder;
  const succeeded = new Set<string>();
  const next = new Map<string, number>();
  for (const { job, type, index, attempt, outcome } of attemptsOf(run)) {
    const task = nameOf(job, type, index);
    const expected = next.get(task) ?? 0;
    if (succeeded.has(task)) return `${task} was tried again after its success`;
    if (attempt !== expected) return `${task}: attempt ${String(attempt)} ended, not ${String(expected)}`;
    next.set(task, attempt + 1);
    if (outcome !== KILLED) succeeded.add(task);
  }
  for (const [job, { maps, reduces }] of workload.jobs.entries()) {
    if (endUs[job] < 0) continue;
    for (const [type, count] of [maps, reduces].entries()) {
      for (let index = 0; index < count; index++) {
        const task = nameOf(job, type, index);
        if (!succeeded.has(task)) return `${task} never succeeded, but its job has ended`;
      }
    }
  }
  return null;
}

/** Killed attempts ended on a heartbeat of their node after the one that launched them, and all their time is lost. */
function badKilledTime(_: RandomCase, { run }: Counted): string | null {
  const { recorder } = run.master.master;
  const { heartbeatUs, phaseUs } = run.topology;
  let lostUs = 0;
  for (const { job, type, index, node, launchAtUs, endAtUs, outcome } of attemptsOf(run)) {
    if (outcome !== KILLED) continue;
    const ranUs = endAtUs - launchAtUs;
    const isOnBeat = (endAtUs - phaseUs[node]) % heartbeatUs === 0;
    if (!isOnBeat || ranUs < heartbeatUs) return `${nameOf(job, type, index)} was killed after ${String(ranUs)} us`;
    lostUs += ranUs;
  }
  return lostUs === recorder.killedUs ? null : `${String(recorder.killedUs)} us killed, not ${String(lostUs)}`;
}

function attemptsOf(run: ActorsRun) {
  const { tasks } = collectRecord(run.master.master, run.stoppedUs);
  if (tasks === null) throw new Error("the run kept no attempts");
  return Array.from({ length: tasks.rows }, (_, row) => ({
    job: tasks.job[row],
    type: tasks.type[row],
    index: tasks.index[row],
    attempt: tasks.attempt[row],
    node: tasks.node[row],
    launchAtUs: tasks.launchAtUs[row],
    endAtUs: tasks.finishAtUs[row],
    outcome: tasks.outcome[row],
  }));
}

function nameOf(job: number, type: number, index: number): string {
  return `${["map", "reduce", "set-up", "clean-up"][type]!} ${String(index)} of job ${String(job)}`;
}

describe("a run with preemption", () => {
  it(
    "never loses or doubles a launch, a task or the time of what it killed",
    async () => {
      let tried = 0;
      let withKills = 0;
      let cutOff = 0;
      await searchForProblem(FILE, cases, RUNS, async (example) => {
        const counted = await countedRun(example);
        tried++;
        if (counted.run.master.master.recorder.kills > 0) withKills++;
        if (!counted.run.allEnded) cutOff++;
        return (
          counted.miscounted ??
          lostOrDoubled(example, counted) ??
          badAttempts(example, counted) ??
          badKilledTime(example, counted) ??
          badKillsCaused(example, counted)
        );
      });
      if (tried < casesToTry(RUNS)) return;
      expect((withKills * 100) / tried, "per cent of runs with kills").toBeGreaterThan(10);
      expect((cutOff * 100) / tried, "per cent of runs that were cut off").toBeGreaterThan(5);
      expect((cutOff * 100) / tried, "per cent of runs that were cut off").toBeLessThan(80);
    },
    SEARCH_TIMEOUT_MS,
  );
});
