import type { FairApp, FairQueue } from "./queues.js";

/** Enforces the limits of queues and users on running applications (`MaxRunningAppsEnforcer`). */
export class RunningApps {
  private readonly runningOf = new Map<string, number>();
  private readonly waitingOf = new Map<string, FairApp[]>();

  constructor(private readonly limitOf: (user: string) => number) {}

  /** The application runs if its user, its queue and all queues above are below their limits; otherwise it waits. */
  add(app: FairApp): void {
    if (this.mayRun(app)) return this.start(app);
    app.queue.waiting.push(app);
    const { user } = app.spec;
    this.waitingOf.set(user, [...(this.waitingOf.get(user) ?? []), app]);
  }

  /** The application's containers are gone already. Applications that waited for its place may run. */
  remove(app: FairApp): void {
    const { queue } = app;
    if (!app.isRunnable) return this.stopWaiting(app);
    queue.runnable.splice(queue.runnable.indexOf(app), 1);
    queue.runningChanged(-1);
    app.isRunnable = false;
    queue.wantedChanged(app, -app.wanted);
    const { user } = app.spec;
    this.runningOf.set(user, this.running(user) - 1);
    this.startOthers(queue, user);
  }

  /** Limits have changed: starts all applications that may now run. */
  limitsChanged(root: FairQueue): void {
    const lists: FairApp[][] = [];
    gather(root, lists);
    this.startFrom(lists, Infinity);
  }

  /** The limit that an application waits for: the number that runs (`reached`), and the number allowed (`bound`). */
  limitHolding({ queue, spec }: FairApp): { readonly reached: number; readonly bound: number } {
    const full = queue.upward.find(({ running, maxRunningApps }) => running >= maxRunningApps);
    if (full !== undefined) return { reached: full.running, bound: full.maxRunningApps };
    return { reached: this.running(spec.user), bound: Math.min(this.limitOf(spec.user), this.running(spec.user)) };
  }

  private mayRun({ queue, spec }: FairApp): boolean {
    if (this.running(spec.user) >= this.limitOf(spec.user)) return false;
    return queue.upward.every(({ running, maxRunningApps }) => running < maxRunningApps);
  }

  private running(user: string): number {
    return this.runningOf.get(user) ?? 0;
  }

  private start(app: FairApp): void {
    const { queue, spec } = app;
    app.isRunnable = true;
    queue.runnable.push(app);
    queue.runningChanged(1);
    queue.wantedChanged(app, app.wanted);
    this.runningOf.set(spec.user, this.running(spec.user) + 1);
  }

  private stopWaiting({ queue, spec, index }: FairApp): void {
    for (const list of [queue.waiting, this.waitingOf.get(spec.user) ?? []]) {
      const position = list.findIndex((app) => app.index === index);
      if (position >= 0) list.splice(position, 1);
    }
  }

  /** Starts applications below the highest queue that was at its limit, and the user's if the user was at its limit. */
  private startOthers(queue: FairQueue, user: string): void {
    const highest = queue.upward.filter(({ running, maxRunningApps }) => running === maxRunningApps - 1).at(-1);
    const lists: FairApp[][] = [];
    if (highest !== undefined) gather(highest, lists);
    if (this.running(user) === this.limitOf(user) - 1) lists.push([...(this.waitingOf.get(user) ?? [])]);
    this.startFrom(lists, lists.length);
  }

  /** Starts applications in the order of their start times; equal times keep the order of the lists. */
  private startFrom(lists: readonly FairApp[][], atMost: number): void {
    let started = 0;
    for (const app of lists.flat().sort((a, b) => a.startUs - b.startUs)) {
      if (started >= atMost) return;
      if (app.isRunnable || !this.mayRun(app)) continue;
      this.stopWaiting(app);
      this.start(app);
      started++;
    }
  }
}

/** Adds one list of waiting applications per leaf below a queue, except below queues that are at their limit. */
function gather(queue: FairQueue, lists: FairApp[][]): void {
  if (queue.running >= queue.maxRunningApps) return;
  if (queue.isLeaf) lists.push([...queue.waiting]);
  else for (const child of queue.children) gather(child, lists);
}
