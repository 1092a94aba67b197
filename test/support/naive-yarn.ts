import {
  counterHash,
  FAILED,
  FINISHED,
  Fingerprint,
  KILLED,
  LAUNCHED,
  LOST,
  scaled,
  seedWord,
} from "../../dist/core/kernel/index.js";
import type {
  YarnCluster,
  YarnJobRow,
  YarnStage,
  YarnStageRow,
  YarnTask,
  YarnRecord,
} from "../../dist/core/platforms/yarn/index.js";
import type { AttemptOutcome, AttemptRow } from "../../dist/core/record/index.js";
import { NaiveCapacity } from "./naive-yarn-capacity.js";
import { NaiveFair } from "./naive-yarn-fair.js";
import type { NaiveApp, NaiveContainer, NaiveNode, NaiveScheduler } from "./naive-yarn-world.js";

interface NaiveEvent {
  readonly atUs: number;
  readonly kind: number;
  readonly of: number;
  readonly happen: () => void;
}

interface NaiveTask {
  readonly given: YarnTask;
  state: "later" | "waiting" | "held" | "done";
  /** Which of all wishes of its stage this one is, and since when it is there. */
  turn: number;
  readyUs: number;
  attempts: number;
  /** Attempts that have been lost as recorded. */
  lost: number;
}

interface NaiveStage {
  readonly given: YarnStage;
  readonly at: number;
  readonly tasks: NaiveTask[];
  /** Places whose counts are other ones than when they were told last, and all that were ever named. */
  touched: string[];
  readonly named: string[];
  givenBack: NaiveTask[];
  most: number;
  servedUs: number;
  blocked: NaiveAttempt[];
  turns: number;
  row: { job: number; stage: number; submittedUs: number; endedUs: number } | null;
}

type Row = AttemptRow<YarnRecord["attempts"]>;
type NaiveAttempt = { -readonly [key in keyof Row]: Row[key] } & {
  readonly container: NaiveContainer;
};

/** An application under one run of its master. */
interface NaiveRun {
  readonly job: number;
  readonly app: NaiveApp;
  readonly stages: NaiveStage[];
  readonly lost: NaiveAttempt[];
  inbox: NaiveContainer[];
  master: number;
  isEnding: boolean;
}

/** The twin of YARN's simulation: everything is looked for anew, as the rules say it. Timers and reports never rest. */
export class NaiveYarn {
  readonly attempts: NaiveAttempt[] = [];
  readonly stages: YarnStageRow[] = [];
  readonly jobs: YarnJobRow[];
  readonly fingerprint = new Fingerprint();
  nowUs = 0;
  private events: NaiveEvent[] = [];
  readonly scheduler: NaiveScheduler;
  private runs: NaiveRun[] = [];
  private mastersSoFar = 0;
  private readonly ended = new Set<NaiveContainer>();

  constructor(
    private readonly cluster: YarnCluster,
    seed: string,
  ) {
    const { scheduler, nodes, applications, timing } = cluster;
    this.scheduler =
      scheduler.kind === "yarn-fair"
        ? new NaiveFair(scheduler.settings, scheduler.allocations)
        : new NaiveCapacity(scheduler.settings, scheduler.queues);
    this.jobs = applications.map(() => ({
      submittedUs: -1,
      masterUs: -1,
      firstLaunchUs: -1,
      endedUs: -1,
      masters: 0,
    }));
    nodes.forEach(({ fromUs, untilUs, heartbeatUs = timing.nodeHeartbeatUs }, node) => {
      this.plan(0, node, fromUs, () => this.bringNode(node));
      if (untilUs < Infinity) this.plan(1, node, untilUs, () => this.loseNode(node));
      const phaseUs = scaled(counterHash(seedWord(seed, "yarn/heartbeats"), node, 0), heartbeatUs);
      this.repeat(7, node, phaseUs, heartbeatUs, () => this.reportNode(node));
    });
    applications.forEach(({ submitAtUs, after }, job) => {
      if (after === undefined) this.plan(3, job, submitAtUs, () => this.submit(job));
    });
    this.repeat(4, 0, 0, this.scheduler.updateUs, () => {
      for (const { atUs, containers } of this.scheduler.update(this.nowUs)) {
        this.plan(5, 0, atUs, () => containers.forEach((one) => this.kill(one, "killed")));
      }
    });
    this.repeat(8, 0, 0, this.scheduler.roundUs, () => {
      for (const node of this.scheduler.round()) this.take(this.scheduler.report(node, this.nowUs));
    });
  }

  /** Until all applications have ended, or it is later than that. */
  run(untilUs: number): this {
    for (;;) {
      // The earliest, of several the lowest kind, of several the lowest number, of several the first planned.
      const next = this.events.reduce((a, b) => ((b.atUs - a.atUs || b.kind - a.kind || b.of - a.of) < 0 ? b : a));
      if (next.atUs > untilUs || this.jobs.every(({ endedUs }) => endedUs >= 0)) return this;
      this.events.splice(this.events.indexOf(next), 1);
      this.nowUs = next.atUs;
      next.happen();
    }
  }

  private plan(kind: number, of: number, atUs: number, happen: () => void): void {
    this.events.push({ atUs, kind, of, happen });
  }

  private repeat(kind: number, of: number, firstUs: number, everyUs: number, happen: () => void): void {
    if (everyUs === Infinity) return;
    this.plan(kind, of, firstUs, () => {
      happen();
      this.repeat(kind, of, firstUs + everyUs, everyUs, happen);
    });
  }

  // Nodes.

  private bringNode(index: number): void {
    const { rack, memory, vcores } = this.cluster.nodes[index]!;
    this.scheduler.world.nodes.push({ index, rack, total: { memory, vcores }, reservation: null });
    this.scheduler.nodesChanged();
  }

  private loseNode(index: number): void {
    const { world } = this.scheduler;
    const node = this.node(index)!;
    for (const one of world.containers.filter((of) => of.node === node)) this.kill(one, "lost");
    world.nodes.splice(world.nodes.indexOf(node), 1);
    this.scheduler.nodesChanged();
  }

  private node(index: number): NaiveNode | undefined {
    return this.scheduler.world.nodes.find((one) => one.index === index);
  }

  private reportNode(index: number): void {
    const node = this.node(index);
    if (node === undefined) return;
    const ended = [...this.ended].filter((one) => one.node === node);
    for (const one of ended) {
      this.ended.delete(one);
      this.release(one);
    }
    if (this.scheduler.gives(ended.length > 0)) this.take(this.scheduler.report(node, this.nowUs));
  }

  private release(one: NaiveContainer): void {
    if (one.isReleased) return;
    const { world } = this.scheduler;
    one.isReleased = true;
    world.containers.splice(world.containers.indexOf(one), 1);
    this.scheduler.released(one);
  }

  private take(given: readonly NaiveContainer[]): void {
    for (const one of given) {
      const run = this.runs.find(({ app }) => app === one.app)!;
      if (one.isMaster) this.startMaster(run, one);
      else run.inbox.push(one);
    }
  }

  // Applications and their masters.

  private submit(number: number): void {
    this.jobs[number]!.submittedUs = this.nowUs;
    const stages = this.cluster.applications[number]!.stages.map((given, at) => ({
      given,
      at,
      touched: [],
      named: [],
      givenBack: [],
      most: Infinity,
      servedUs: 0,
      blocked: [],
      turns: 0,
      row: null,
      tasks: given.tasks.map((of) => ({
        given: of,
        state: "later" as const,
        turn: -1,
        readyUs: 0,
        attempts: 0,
        lost: 0,
      })),
    }));
    this.startRun(number, stages, []);
  }

  private startRun(job: number, stages: NaiveStage[], lost: NaiveAttempt[]): void {
    const { world } = this.scheduler;
    const { name, queue, user, priority = 1, master } = this.cluster.applications[job]!;
    const app: NaiveApp = {
      index: world.apps.length,
      name,
      queue,
      user,
      priority,
      startUs: this.nowUs,
      master,
      asks: [],
      isGone: false,
    };
    world.apps.push(app);
    this.runs.push({ job, app, stages, lost, inbox: [], master: -1, isEnding: false });
    this.scheduler.submitted(app);
    world.ask(app, 0, "any", 1, master);
    this.scheduler.asked(app);
  }

  private startMaster(run: NaiveRun, container: NaiveContainer): void {
    const job = this.jobs[run.job]!;
    if (job.masterUs < 0) job.masterUs = this.nowUs;
    this.add(run.job, -1, -1, job.masters++, container, container.level, job.submittedUs);
    const { launchUs, masterStartUs, nodeHeartbeatUs } = this.cluster.timing;
    const { masterStartUs: recordedUs } = this.cluster.applications[run.job]!;
    run.master = this.mastersSoFar++;
    let startUs = this.nowUs + launchUs + masterStartUs;
    if (recordedUs !== undefined) {
      startUs = this.nowUs + Math.max(0, recordedUs - nodeHeartbeatUs);
      if (job.masters === 1) startUs = Math.max(startUs, job.submittedUs + recordedUs);
    }
    this.planReport(run, run.master, startUs);
  }

  private planReport(run: NaiveRun, master: number, atUs: number): void {
    this.plan(6, master, atUs, () => {
      if (!this.runs.includes(run) || run.isEnding) return;
      this.reportMaster(run);
      this.planReport(run, master, this.nowUs + this.cluster.timing.masterHeartbeatUs);
    });
  }

  private reportMaster(run: NaiveRun): void {
    const { stages, app, inbox } = run;
    for (const { stage, task } of run.lost.splice(0)) {
      const of = stages[stage]!;
      of.tasks[task]!.state = "later";
      this.want(of, of.tasks[task]!);
    }
    run.inbox = [];
    for (const one of inbox) {
      const stage = stages.find(({ given }) => given.priority === one.priority)!;
      if (one.isReleased) for (const place of stage.named) touch(stage, place);
      else this.launch(run, stage, one);
    }
    for (const stage of stages) this.open(stages, stage);
    this.noteStages(run);
    this.giveBack(run);
    if (isAllDone(stages) || this.jobs[run.job]!.hasFailed === true) return this.end(run);
    for (const stage of stages) {
      for (const place of stage.touched.splice(0)) {
        const count = waiting(stage).filter((task) => this.placesOf(task).includes(place)).length;
        this.scheduler.world.ask(app, stage.given.priority, place, count, stage.given.size);
        this.scheduler.asked(app);
      }
    }
  }

  /** Nodes of its data, each rack of them after the first node there, and any. */
  private placesOf({ given }: NaiveTask): string[] {
    const near = given.nodes.flatMap((node) => [`node ${node}`, `rack ${this.rack(node)}`]);
    return [...new Set([...near, "any"])];
  }

  private rack(node: number): number {
    return this.cluster.nodes[node]!.rack;
  }

  private want(stage: NaiveStage, task: NaiveTask): void {
    if (waiting(stage).length === 0) stage.servedUs = this.nowUs;
    Object.assign(task, { state: "waiting", readyUs: this.nowUs, turn: stage.turns++ });
    for (const place of this.placesOf(task)) touch(stage, place);
  }

  /** The task that has waited longest of those whose data is nearest. */
  private launch(run: NaiveRun, stage: NaiveStage, container: NaiveContainer): void {
    const { index, rack } = container.node;
    const distance = ({ given: { nodes } }: NaiveTask): 0 | 1 | 2 =>
      nodes.includes(index) ? 0 : nodes.some((one) => this.rack(one) === rack) ? 1 : 2;
    const [task] = waiting(stage).sort((a, b) => distance(a) - distance(b) || a.turn - b.turn);
    if (task === undefined) return this.release(container);
    task.state = "held";
    for (const place of this.placesOf(task)) touch(stage, place);
    stage.servedUs = this.nowUs;
    const job = this.jobs[run.job]!;
    if (job.firstLaunchUs < 0) job.firstLaunchUs = this.nowUs;
    const at = stage.tasks.indexOf(task);
    const attempt = this.add(run.job, stage.at, at, task.attempts++, container, distance(task), task.readyUs);
    const failure = task.given.failures?.[task.lost];
    if (failure !== undefined) {
      this.plan(2, this.attempts.length - 1, this.nowUs + failure.heldUs, () => this.endTask(attempt));
    } else if (this.mayWork(run.stages, stage)) this.planEnd(run, attempt, this.nowUs + this.cluster.timing.launchUs);
    else stage.blocked.push(attempt);
  }

  private planEnd(run: NaiveRun, attempt: NaiveAttempt, fromUs: number): void {
    const { runUs, nodes, level = 0 } = run.stages[attempt.stage]!.tasks[attempt.task]!.given;
    const { rackFactor, offSwitchFactor } = this.cluster.timing;
    const factors = [1, rackFactor, offSwitchFactor];
    const isSame = nodes.length === 0 || factors[attempt.level] === factors[level];
    const lengthUs = isSame ? runUs : Math.max(1, Math.round((runUs * factors[attempt.level]!) / factors[level]!));
    this.plan(2, this.attempts.indexOf(attempt), fromUs + lengthUs, () => this.endTask(attempt));
  }

  private endTask(attempt: NaiveAttempt): void {
    if (attempt.container.isReleased) return;
    const run = this.runs.find(({ app }) => app === attempt.container.app)!;
    this.ended.add(attempt.container);
    const stage = run.stages[attempt.stage]!;
    const task = stage.tasks[attempt.task]!;
    const failure = task.given.failures?.[task.lost];
    if (failure !== undefined) return this.loseAgain(run, attempt, task, failure.reason === "FAILED");
    this.close(attempt, "succeeded");
    task.state = "done";
    if (stage.tasks.some(({ state }) => state !== "done")) return;
    if (stage.row !== null) stage.row.endedUs = this.nowUs;
    this.noteStages(run);
    for (const other of run.stages) {
      if (!this.mayWork(run.stages, other)) continue;
      for (const one of other.blocked.splice(0)) {
        if (one.container.isReleased) continue;
        this.planEnd(run, one, Math.max(this.nowUs, one.launchUs + this.cluster.timing.launchUs));
      }
    }
    const { masterEndUs } = this.cluster.applications[run.job]!;
    if (masterEndUs !== undefined && isAllDone(run.stages)) this.endLater(run, masterEndUs);
  }

  /** Four failures by itself, or as many as the timing says, fail the job. */
  private loseAgain(run: NaiveRun, attempt: NaiveAttempt, task: NaiveTask, counts: boolean): void {
    task.lost++;
    this.close(attempt, counts ? "failed" : "stopped");
    const failed = task.given.failures!.slice(0, task.lost).filter(({ reason }) => reason === "FAILED").length;
    const { mapMaxAttempts = 4, reduceMaxAttempts = 4 } = this.cluster.timing;
    const isMap = run.stages[attempt.stage]!.given.parents.length === 0;
    if (!counts || failed < (isMap ? mapMaxAttempts : reduceMaxAttempts)) {
      run.lost.push(attempt);
      return;
    }
    this.jobs[run.job]!.hasFailed = true;
    const { world } = this.scheduler;
    const own = world.containers.filter(({ app, isMaster }) => app === run.app && !isMaster);
    for (const container of own.sort((a, b) => a.number - b.number)) {
      const running = this.attempts.find((one) => one.container === container && one.endUs < 0);
      if (running !== undefined) this.close(running, "stopped");
      this.release(container);
    }
    for (const { row } of run.stages) if (row !== null && row.endedUs < 0) row.endedUs = this.nowUs;
    this.endLater(run, this.cluster.applications[run.job]!.masterEndUs ?? 0);
  }

  private endLater(run: NaiveRun, afterUs: number): void {
    run.isEnding = true;
    this.plan(9, run.master, this.nowUs + afterUs, () => {
      if (this.runs.includes(run)) this.end(run);
    });
  }

  private end({ job, app }: NaiveRun): void {
    this.closeAll(app, "succeeded");
    this.forget(app);
    this.jobs[job]!.endedUs = this.nowUs;
    this.cluster.applications.forEach(({ submitAtUs, after }, next) => {
      if (after?.application !== job) return;
      this.plan(3, next, Math.max(submitAtUs, this.nowUs + after.delayUs), () => this.submit(next));
    });
  }

  private forget(app: NaiveApp): void {
    const { world } = this.scheduler;
    this.runs = this.runs.filter((run) => run.app !== app);
    for (const one of world.containers.filter((of) => of.app === app)) this.release(one);
    app.isGone = true;
    for (const node of world.nodes) if (node.reservation?.app === app) node.reservation = null;
    this.scheduler.left(app);
  }

  private kill(container: NaiveContainer, outcome: "killed" | "lost"): void {
    if (container.isReleased) return;
    const run = this.runs.find(({ app }) => app === container.app)!;
    const running = this.attempts.filter(({ endUs, container: { app } }) => endUs < 0 && app === run.app);
    if (container.isMaster) {
      run.lost.push(...inOrderGiven(running.filter(({ stage }) => stage >= 0)));
      this.closeAll(run.app, outcome);
      this.forget(run.app);
      for (const stage of run.stages) {
        stage.blocked = [];
        for (const place of stage.named) touch(stage, place);
      }
      return this.startRun(run.job, run.stages, run.lost);
    }
    const attempt = running.find((one) => one.container === container);
    if (attempt !== undefined) {
      this.close(attempt, outcome);
      run.lost.push(attempt);
    }
    this.release(container);
  }

  // What a master asks for.

  private isOver(stages: NaiveStage[], { tasks, given }: NaiveStage): boolean {
    if (tasks.length === 0) return given.parents.every((parent) => this.isOver(stages, stages[parent]!));
    return tasks.every(({ state }) => state === "done");
  }

  private mayWork(stages: NaiveStage[], { given }: NaiveStage): boolean {
    return given.parents.every((parent) => this.isOver(stages, stages[parent]!));
  }

  private above(stages: NaiveStage[], { given }: NaiveStage): NaiveStage[] {
    return given.parents.flatMap((parent) => [stages[parent]!, ...this.above(stages, stages[parent]!)]);
  }

  private open(stages: NaiveStage[], stage: NaiveStage): void {
    const { given, tasks } = stage;
    const parts = given.parents.map((parent) => {
      const of = stages[parent]!;
      if (this.isOver(stages, of)) return 1;
      return of.tasks.length === 0 ? 0 : of.tasks.filter(({ state }) => state === "done").length / of.tasks.length;
    });
    const part = Math.min(1, ...parts);
    let upTo = tasks.length;
    if (!this.mayWork(stages, stage)) {
      if (given.slowStart >= 1 || part < given.slowStart) return;
      const nobodyWaits = this.above(stages, stage).every((of) =>
        of.tasks.every(({ state }) => state === "held" || state === "done"),
      );
      if (nobodyWaits) stage.most = Infinity;
      else upTo = Math.floor(part * tasks.length);
    } else stage.most = Infinity;
    while (tasks.filter(({ state }) => state !== "later").length < Math.min(upTo, stage.most)) {
      const next = stage.givenBack.pop() ?? tasks.find(({ turn }) => turn < 0);
      if (next === undefined) return;
      this.want(stage, next);
    }
  }

  /** One container of a stage that waits for others goes back where one of those has waited too long for its first. */
  private giveBack({ stages }: NaiveRun): void {
    const { reducePreemptionUs } = this.cluster.timing;
    const starves = (of: NaiveStage): boolean =>
      waiting(of).length > 0 &&
      of.tasks.every(({ state }) => state !== "held") &&
      this.nowUs - of.servedUs >= reducePreemptionUs;
    const stage = stages.find((one) => one.blocked.length > 0 && this.above(stages, one).some(starves));
    const attempt = stage?.blocked.pop();
    if (stage === undefined || attempt === undefined || attempt.container.isReleased) return;
    const task = stage.tasks[attempt.task]!;
    task.state = "later";
    stage.most = stage.tasks.filter(({ state }) => state === "held" || state === "done").length;
    stage.givenBack.push(task);
    for (const other of waiting(stage)) {
      for (const place of this.placesOf(other)) touch(stage, place);
      other.state = "later";
      stage.givenBack.push(other);
    }
    this.close(attempt, "killed");
    this.release(attempt.container);
  }

  // The record.

  private noteStages({ job, stages }: NaiveRun): void {
    for (const stage of stages) {
      if (stage.row !== null) continue;
      const isOver = this.isOver(stages, stage);
      if (!isOver && stage.tasks.every(({ state }) => state === "later")) continue;
      stage.row = { job, stage: stage.at, submittedUs: this.nowUs, endedUs: isOver ? this.nowUs : -1 };
      this.stages.push(stage.row);
    }
  }

  private add(
    job: number,
    stage: number,
    task: number,
    number: number,
    container: NaiveContainer,
    level: 0 | 1 | 2,
    readyUs: number,
  ): NaiveAttempt {
    const attempt: NaiveAttempt = {
      job,
      stage,
      task,
      number,
      container,
      node: container.node.index,
      level,
      readyUs,
      givenUs: container.givenUs,
      launchUs: this.nowUs,
      endUs: -1,
      outcome: "running",
    };
    this.attempts.push(attempt);
    this.note(LAUNCHED, attempt);
    return attempt;
  }

  private closeAll(app: NaiveApp, outcome: AttemptOutcome): void {
    const all = this.attempts.filter(({ endUs, container }) => endUs < 0 && container.app === app);
    for (const attempt of inOrderGiven(all)) this.close(attempt, outcome);
  }

  private close(attempt: NaiveAttempt, outcome: AttemptOutcome): void {
    attempt.endUs = this.nowUs;
    attempt.outcome = outcome;
    const notes = {
      running: LAUNCHED,
      succeeded: FINISHED,
      killed: KILLED,
      stopped: KILLED,
      failed: FAILED,
      lost: LOST,
    };
    this.note(notes[outcome], attempt);
  }

  private note(what: number, { job, stage, task, number, node, level }: NaiveAttempt): void {
    this.fingerprint.add(this.nowUs, what, job, task, ((stage + 1) << 8) | number, node, level);
  }
}

function isAllDone(stages: readonly NaiveStage[]): boolean {
  return stages.every(({ tasks }) => tasks.every(({ state }) => state === "done"));
}

function waiting({ tasks }: NaiveStage): NaiveTask[] {
  return tasks.filter(({ state }) => state === "waiting").sort((a, b) => a.turn - b.turn);
}

function touch(stage: NaiveStage, place: string): void {
  if (!stage.named.includes(place)) stage.named.push(place);
  if (!stage.touched.includes(place)) stage.touched.push(place);
}

function inOrderGiven(attempts: readonly NaiveAttempt[]): NaiveAttempt[] {
  return [...attempts].sort((a, b) => a.container.number - b.container.number);
}
