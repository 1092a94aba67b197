import { sumOver, US_PER_SECOND } from "../../kernel/index.js";
import {
  finishedRun,
  type FinishedSimulation,
  type FinishOptions,
  type JobToRun,
  type LoggedGroup,
  type LoggedStage,
  NO_LEVEL,
  OUTCOME,
  patienceFor,
  type PreemptionLog,
  type Simulation,
  type StageWaits,
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

/** The applications of a scenario, run to their end. */
export class YarnRun extends YarnSimulation implements Simulation {
  private stageWaits: StageWaits[] | null = null;
  private preemption: PreemptionLog | null = null;
  readonly patienceUs: number;

  /** @param notes of the reading of its workload. */
  constructor(
    private readonly scenario: YarnScenario,
    private readonly applications: readonly YarnApplication[],
    private readonly notes: readonly string[] = [],
  ) {
    super(yarnClusterOf(scenario, applications), scenario.run.seed);
    this.patienceUs = patienceUs(scenario, applications) + this.scheduler.patienceUs;
  }

  logDecisions(): void {
    this.stageWaits = [this.logWaits()];
    this.preemption = this.logPreemption();
  }

  /** Those that came first. */
  waitingJobs(): { readonly name: string; readonly waitsFor: string }[] {
    return this.waitingNumbers(MOST_WAITING).map(({ job, waitsFor }) => ({
      name: this.applications[job].name,
      waitsFor,
    }));
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

  finish(options: FinishOptions): FinishedSimulation {
    const { applications } = this;
    const { racks, nodes } = this.scenario.cluster;
    const memory = sumOver(nodes, (node) => node.memory);
    const vcores = sumOver(nodes, (node) => node.vcores);
    const record = this.record();
    const { attempts } = record;
    const groups = groupsOf(this.scenario, { memory, vcores });
    const groupOf = new Map(groups.map(({ name }, place) => [name, place]));
    // A task that names no place is neither near nor far anywhere.
    const hasPlaces = (row: number) =>
      (applications[attempts.job[row]].stages[attempts.stage[row]]?.tasks[attempts.task[row]].nodes.length ?? 0) > 0;
    const log = {
      words: YARN_WORDS,
      stoppedUs: record.endedUs,
      groups,
      jobs: applications.map(({ name, user, queue, fails, stages, master }, job) => {
        const { submittedUs, endedUs, hasFailed } = record.jobs[job];
        return {
          name,
          user,
          group: groupOf.get(queue) ?? 0,
          submittedUs,
          endedUs,
          hasFailed: hasFailed === true || (fails === true && endedUs >= 0),
          stages: stages.map(({ name: stage, parents, size, tasks }) =>
            loggedStage(stage, parents.length === 0 ? MAP : REDUCE, tasks.length, size),
          ),
          master: loggedStage("", MASTER, 1, master),
        };
      }),
      stages: record.stages,
      stagesBeginWithLaunch: true,
      attempts: {
        ...attempts,
        level: attempts.level.map((level, row) => (row < attempts.length && hasPlaces(row) ? level : NO_LEVEL)),
      },
      levels: attempts.level,
      capacity: [memory, vcores].map((amount) => [{ fromUs: 0, amount }]),
      waits: this.stageWaits,
      preemption: this.preemption,
    };
    return finishedRun(log, options, {
      ...this.stopOf(record),
      fingerprint: record.fingerprint,
      cluster: { racks, nodes: nodes.length, resources: { memory, vcores } },
      notes: this.notes,
    });
  }

  /** Nothing can end any more: that is stuck. */
  private stopOf({ stopped, endedUs, jobs, attempts }: YarnRecord): Pick<Facts, "stopped" | "sections"> {
    const { length, outcome, job, stage, launchUs, endUs } = attempts;
    let [kills, lost, lastUs] = [0, 0, 0];
    for (let row = 0; row < length; row++) {
      lastUs = Math.max(lastUs, launchUs[row], endUs[row]);
      if (outcome[row] !== OUTCOME.killed) continue;
      kills++;
      const { master, stages } = this.applications[job[row]];
      lost += (stages[stage[row]]?.size ?? master).memory * (endUs[row] - launchUs[row]);
    }
    const preemption = { kills, lostSeconds: lost / US_PER_SECOND };
    if (stopped !== "stalled") return { stopped, sections: { preemption } };
    const stuck = {
      sinceSeconds: lastUs / US_PER_SECOND,
      afterSeconds: (endedUs - lastUs) / US_PER_SECOND,
      waiting: jobs.filter(({ endedUs: atUs }) => atUs < 0).length,
      jobs: this.waitingJobs(),
      slots: [],
    };
    return { stopped: "stuck", sections: { preemption, stuck } };
  }
}

function loggedStage(name: string, type: number, tasks: number, { memory, vcores }: Readonly<Resources>): LoggedStage {
  return { name, type, tasks, held: [memory, vcores] };
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
 * Returns the leaf queues as groups. The weight of a queue is its part of the cluster when all queues have demand. Its
 * maximum is the smallest of its own and those of the queues above it.
 * @param total resources of the cluster.
 */
function groupsOf({ scheduler }: YarnScenario, total: Readonly<Resources>): LoggedGroup[] {
  const leaves = leafQueuesOf(scheduler);
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
  const weightOf = (name: string) => specOf.get(name)?.weight ?? 1;
  const sums = new Map<string, number>();
  for (const name of specOf.keys()) sums.set(parentOf(name), (sums.get(parentOf(name)) ?? 0) + weightOf(name));
  const part = (name: string) => (parentOf(name) === "" ? 1 : weightOf(name) / (sums.get(parentOf(name)) || 1));
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
