import { US_PER_SECOND } from "../../kernel/index.js";
import {
  attemptColumns,
  type AttemptLog,
  type FinishedSimulation,
  type FinishOptions,
  type JobToRun,
  LaunchedTasks,
  neverLaunched,
  NO_LEVEL,
  patienceFor,
  type PreemptionLog,
  recordOfAttempts,
  type Simulation,
  type SimulationProgress,
  type StageTimes,
  type StageWaits,
  submissionOrder,
} from "../../record/index.js";
import type { YarnApplication, YarnRecord } from "./application.js";
import { CapacityScheduler } from "./capacity/scheduler.js";
import { amountOf, lesser, NOTHING, type Resources } from "./resources.js";
import { leafQueuesOf, parentOf, yarnClusterOf, type YarnScenario } from "./scenario.js";
import { YarnSimulation } from "./simulation.js";
import { YARN_WORDS } from "./words.js";

/** Of a run that is stuck, so many jobs are told of. */
const MOST_WAITING = 10;

const MASTER = YARN_WORDS.taskTypes.length;
const MAP = 0;
const REDUCE = 1;

/** The task type of a stage, and the number of its first task among those of the job of that type. */
interface StageType {
  readonly type: number;
  readonly first: number;
}

/** Stages without parents are maps, others reduces. */
function typesOf({ stages }: YarnApplication): StageType[] {
  const counts = YARN_WORDS.taskTypes.map(() => 0);
  return stages.map(({ parents, tasks }) => {
    const type = parents.length === 0 ? MAP : REDUCE;
    const first = counts[type];
    counts[type] += tasks.length;
    return { type, first };
  });
}

/** By type. */
function tasksOf({ stages }: YarnApplication, types: readonly StageType[]): number[] {
  const counts = YARN_WORDS.taskTypes.map(() => 0);
  stages.forEach(({ tasks }, stage) => (counts[types[stage].type] += tasks.length));
  return counts;
}

/** The applications of a scenario, run to their end. */
export class YarnRun implements Simulation {
  private readonly simulation: YarnSimulation;
  private readonly lastSubmitUs: number;
  private waits: StageWaits | null = null;
  private preemption: PreemptionLog | null = null;
  readonly patienceUs: number;

  /** @param notes of the reading of its workload. */
  constructor(
    private readonly scenario: YarnScenario,
    private readonly applications: readonly YarnApplication[],
    private readonly notes: readonly string[] = [],
  ) {
    this.simulation = new YarnSimulation(yarnClusterOf(scenario, applications), scenario.run.seed);
    this.lastSubmitUs = applications.reduce((latest, { submitAtUs }) => Math.max(latest, submitAtUs), 0);
    this.patienceUs = patienceUs(scenario, applications) + this.simulation.scheduler.patienceUs;
  }

  nextUs(): number {
    return this.simulation.nextUs();
  }

  advance(untilUs: number): void {
    this.simulation.advance(untilUs);
  }

  progress(): SimulationProgress {
    const { jobsEnded, jobs, tasksEnded, lastEndUs } = this.simulation.progress();
    return { jobsEnded, jobsTotal: jobs, lastSubmitUs: this.lastSubmitUs, tasksEnded, lastEndUs };
  }

  logDecisions(): void {
    this.waits = this.simulation.logWaits();
    this.preemption = this.simulation.logPreemption();
  }

  /** Those that came first. */
  waitingJobs(): { readonly name: string; readonly waitsFor: string }[] {
    const waiting = this.simulation.waitingJobs(MOST_WAITING);
    return waiting.map(({ job, waitsFor }) => ({ name: this.applications[job].name, waitsFor }));
  }

  /** Stages that have a task. */
  workload(): JobToRun[] {
    return this.applications.map(({ name, stages }) => ({
      job: name,
      stages: stages.flatMap((stage) =>
        stage.tasks.length === 0 ? [] : [{ stage: stage.name, tasks: stage.tasks.length }],
      ),
    }));
  }

  /** By application, stage and attempt. */
  platformRecord(): YarnRecord {
    return this.simulation.record();
  }

  finish({ sampleUs, recordTasks, recordStages = false }: FinishOptions): FinishedSimulation {
    const yarnRecord = this.platformRecord();
    const { record, facts } = recordOfAttempts(this.logOf(yarnRecord, sampleUs, recordTasks));
    const { racks, nodes } = this.scenario.cluster;
    const [memory, vcores] = this.capacity();
    const { rowOf } = submissionOrder(yarnRecord.jobs);
    const nameOf = (job: number, stage: number): string => this.applications[job].stages[stage].name;
    const decisions = this.waits?.columns(yarnRecord.endedUs, rowOf, nameOf);
    return {
      record: {
        ...record,
        ...(decisions === undefined ? {} : { decisions }),
        ...(this.preemption === null ? {} : { preemption: this.preemption.columns(yarnRecord.endedUs) }),
      },
      ...(recordStages ? timesOf(yarnRecord, this.applications) : {}),
      facts: {
        ...facts,
        ...this.stopOf(yarnRecord),
        fingerprint: yarnRecord.fingerprint,
        cluster: { racks, nodes: nodes.length, resources: { memory, vcores } },
        notes: this.notes,
      },
    };
  }

  /** Nothing can end any more: that is stuck. */
  private stopOf({ stopped, endedUs, jobs, attempts }: YarnRecord): Pick<Facts, "stopped" | "sections"> {
    const killed = attempts.filter(({ outcome }) => outcome === "killed");
    const lost = killed.reduce(
      (sum, attempt) => sum + this.sizeOf(attempt).memory * (attempt.endUs - attempt.launchUs),
      0,
    );
    const preemption = { kills: killed.length, lostSeconds: lost / US_PER_SECOND };
    if (stopped !== "stalled") return { stopped, sections: { preemption } };
    const lastUs = attempts.reduce((last, { launchUs, endUs }) => Math.max(last, launchUs, endUs), 0);
    const stuck = {
      sinceSeconds: lastUs / US_PER_SECOND,
      afterSeconds: (endedUs - lastUs) / US_PER_SECOND,
      waiting: jobs.filter(({ endedUs: atUs }) => atUs < 0).length,
      jobs: this.waitingJobs(),
      slots: [],
    };
    return { stopped: "stuck", sections: { preemption, stuck } };
  }

  /** Of its container. */
  private sizeOf({ job, stage }: YarnRecord["attempts"][number]): Readonly<Resources> {
    const { master, stages } = this.applications[job];
    return stage < 0 ? master : stages[stage].size;
  }

  private capacity(): readonly [memory: number, vcores: number] {
    const { nodes } = this.scenario.cluster;
    return [nodes.reduce((sum, { memory }) => sum + memory, 0), nodes.reduce((sum, { vcores }) => sum + vcores, 0)];
  }

  private logOf(record: YarnRecord, sampleUs: number | undefined, recordTasks: boolean): AttemptLog {
    const { applications } = this;
    const { submitted, rowOf } = submissionOrder(record.jobs);
    const groups = groupsOf(this.scenario, this.capacity());
    const groupOf = new Map(groups.map(({ name }, place) => [name, place]));
    const types = applications.map(typesOf);
    return {
      words: YARN_WORDS,
      stoppedUs: record.endedUs,
      sampleUs,
      recordTasks,
      recordStages: this.waits !== null,
      groups,
      jobs: submitted.map((job) => ({
        name: applications[job].name,
        user: applications[job].user,
        group: groupOf.get(applications[job].queue) ?? 0,
        submitUs: record.jobs[job].submittedUs,
        endUs: record.jobs[job].endedUs,
        hasFailed:
          record.jobs[job].hasFailed === true || (applications[job].fails === true && record.jobs[job].endedUs >= 0),
        tasks: tasksOf(applications[job], types[job]),
        stages: applications[job].stages.map(({ name }, stage) => ({ name, firstTask: types[job][stage].first })),
      })),
      attempts: attemptColumns(record.attempts.length, YARN_WORDS.resources.length, (attempt) => {
        const { job, stage, task, number, node, level, readyUs, launchUs, endUs, outcome } = record.attempts[attempt];
        const isMaster = stage < 0;
        const { memory, vcores } = this.sizeOf(record.attempts[attempt]);
        return {
          job: rowOf(job),
          stage,
          type: isMaster ? MASTER : types[job][stage].type,
          task: isMaster ? 0 : types[job][stage].first + task,
          number,
          node,
          // A task without places has no locality level.
          level: isMaster || applications[job].stages[stage].tasks[task].nodes.length === 0 ? NO_LEVEL : level,
          readyUs,
          launchUs,
          endUs,
          outcome: outcome === "stopped" ? "killed" : outcome,
          held: [memory, vcores],
        };
      }),
      waiting: neverLaunched(record, launchedOf(record, applications), rowOf, (job, stage) => {
        const { tasks, size } = applications[job].stages[stage];
        return { tasks: tasks.length, type: types[job][stage].type, held: [size.memory, size.vcores] };
      }),
      capacity: this.capacity().map((amount) => [{ fromUs: 0, amount }]),
    };
  }
}

/** A stage counts from the first launch of one of its tasks. Only what has places has levels. */
function timesOf(
  { jobs, stages, attempts }: YarnRecord,
  applications: readonly YarnApplication[],
): Pick<FinishedSimulation, "stages" | "jobs"> {
  const timesByStage = new Map<string, { -readonly [Key in keyof StageTimes]: StageTimes[Key] }>();
  const types = applications.map(typesOf);
  const seen = new Set<string>();
  for (const { job, stage, task, level, launchUs } of attempts) {
    if (stage < 0) continue;
    const key = `${String(job)} ${String(stage)}`;
    const times = timesByStage.get(key) ?? {
      job: applications[job].name,
      stage: applications[job].stages[stage].name,
      submittedUs: launchUs,
      endedUs: -1,
      launches: [],
    };
    timesByStage.set(key, times);
    if (seen.has(`${key} ${String(task)}`)) continue;
    seen.add(`${key} ${String(task)}`);
    const { hasLocality } = YARN_WORDS.taskTypes[types[job][stage].type];
    (times.launches as StageTimes["launches"][number][]).push({
      task,
      level: hasLocality ? level : NO_LEVEL,
      launchUs,
    });
  }
  for (const { job, stage, endedUs } of stages) {
    const stageTimes = timesByStage.get(`${String(job)} ${String(stage)}`);
    if (stageTimes !== undefined) stageTimes.endedUs = endedUs;
  }
  return {
    stages: [...timesByStage.values()],
    jobs: jobs.map(({ submittedUs, endedUs }, job) => ({ job: applications[job].name, submittedUs, endedUs })),
  };
}

function launchedOf({ attempts }: YarnRecord, applications: readonly YarnApplication[]): LaunchedTasks {
  const launched = new LaunchedTasks((job, stage) => applications[job].stages[stage].tasks.length);
  // Masters are of no stage.
  for (const { job, stage, task } of attempts) if (stage >= 0) launched.add(job, stage, task);
  return launched;
}

type Facts = FinishedSimulation["facts"];

/**
 * From the first container of a job to the end of a task nothing ends: its master is launched, starts and asks, and a
 * task waits, is launched and runs.
 */
function patienceUs({ runtime, cluster }: YarnScenario, applications: readonly YarnApplication[]): number {
  let heartbeatUs = runtime.nodeHeartbeatUs;
  for (const { heartbeatUs: nodeHeartbeatUs = 0 } of cluster.nodes)
    heartbeatUs = Math.max(heartbeatUs, nodeHeartbeatUs);
  let runUs = 0;
  let masterUs = runtime.masterStartUs;
  for (const { stages, masterStartUs = 0, masterEndUs = 0 } of applications) {
    masterUs = Math.max(masterUs, masterStartUs, masterEndUs);
    for (const { tasks } of stages) {
      for (const task of tasks) {
        runUs = Math.max(runUs, task.runUs);
        for (const { heldUs } of task.failures ?? []) runUs = Math.max(runUs, heldUs);
      }
    }
  }
  const { launchUs, masterHeartbeatUs, reducePreemptionUs } = runtime;
  const waitsUs = 2 * launchUs + masterUs + masterHeartbeatUs + heartbeatUs + reducePreemptionUs;
  return patienceFor(waitsUs + runUs * awayRange(runtime));
}

/** The longest that a task can take relative to its time where it was recorded. */
function awayRange({ rackFactor, offSwitchFactor }: YarnScenario["runtime"]): number {
  return Math.max(1, rackFactor, offSwitchFactor) / Math.min(1, rackFactor, offSwitchFactor);
}

/**
 * Leaf queues. Its weight is the part of the cluster that a queue gets where all ask; it may hold the least of its
 * maximum and of those above it. @param whole memory and vcores of the cluster.
 */
function groupsOf({ scheduler }: YarnScenario, whole: readonly [number, number]): AttemptLog["groups"] {
  const leaves = leafQueuesOf(scheduler);
  const [memory, vcores] = whole;
  const total = { memory, vcores };
  if (scheduler.kind === "yarn-capacity") {
    const tree = new CapacityScheduler(
      scheduler.settings,
      new Map(scheduler.queues.map(({ name, spec }) => [name, spec])),
    );
    tree.addNode(0, 0, total);
    return leaves.map(({ name }) => {
      const { absoluteCapacity, maximum } = tree.queueNamed(name);
      return { name, minShare: 0, weight: absoluteCapacity, maxShare: [maximum.memory, maximum.vcores] };
    });
  }
  const specOf = new Map(scheduler.queues.map(({ name, spec }) => [name, spec]));
  const weightOf = (name: string): number => specOf.get(name)?.weight ?? 1;
  const sums = new Map<string, number>();
  for (const name of specOf.keys()) sums.set(parentOf(name), (sums.get(parentOf(name)) ?? 0) + weightOf(name));
  const part = (name: string): number => (parentOf(name) === "" ? 1 : weightOf(name) / (sums.get(parentOf(name)) || 1));
  const mostOf = (name: string): readonly number[] => {
    const maxima = upward(name).flatMap((queue) => specOf.get(queue)?.maxResources ?? []);
    const largest = maxima.reduce<Resources>((least, max) => lesser(least, amountOf(max, total)), total);
    return [largest.memory, largest.vcores];
  };
  return leaves.map(({ name }) => ({
    name,
    minShare: amountOf(specOf.get(name)?.minResources ?? NOTHING, total).memory,
    maxShare: mostOf(name),
    weight: upward(name).reduce((share, queue) => share * part(queue), 1),
  }));
}

/** The queue and all above it, by full name. */
function upward(name: string): string[] {
  const parts = name.split(".");
  return parts.map((_, i) => parts.slice(0, i + 1).join("."));
}
