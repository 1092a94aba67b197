import {
  MAP,
  RUNNING,
  type BuildKind,
  type Launcher,
  type Scheduler,
  type SchedulerContext,
} from "../../dist/core/platforms/hadoop/index.js";

/** A job in the table, as it is at one instant. */
export interface SeenJob {
  /** Rank by submission. */
  readonly rank: number;
  readonly isReady: boolean;
  readonly priority: number;
  readonly submittedUs: number;
  readonly pending: number;
  readonly running: number;
}

/** A heartbeat that was shown to the scheduler with a free map slot. */
export interface SeenBeat {
  readonly atUs: number;
  readonly node: number;
  readonly freeMaps: number;
  readonly before: readonly SeenJob[];
  readonly after: readonly SeenJob[];
  /** Maps that it launched, in order. */
  readonly launches: readonly { readonly job: number; readonly task: number }[];
}

/** What went by between the master and its scheduler. */
export class Witness {
  readonly beats: SeenBeat[] = [];
  /** Of the run that was built last. */
  context: SchedulerContext | null = null;

  /** The same scheduler, with this witness between it and the master. */
  of(build: BuildKind): BuildKind {
    return (spec, context) => {
      this.context = context;
      const { jobs } = context;
      const present = new Set<number>();
      let launches: { job: number; task: number }[] = [];
      const seen = (): SeenJob[] =>
        [...present].map((job) => ({
          rank: jobs.id[job]!,
          isReady: jobs.state[job] === RUNNING,
          priority: jobs.priority[job]!,
          submittedUs: jobs.startUs[job]!,
          pending: jobs.pending[MAP][job]!,
          running: jobs.running[MAP][job]!,
        }));
      const launcher = around<Launcher>(context.launcher, {
        launchMap: (job, task, node, level) => {
          launches.push({ job: jobs.id[job]!, task });
          context.launcher.launchMap(job, task, node, level);
        },
      });
      const built = build(spec, { ...context, launcher });
      const { scheduler } = built;
      const witnessed = around<Scheduler>(scheduler, {
        jobAdded: (job, nowUs) => {
          present.add(job);
          scheduler.jobAdded(job, nowUs);
        },
        jobRemoved: (job, nowUs) => {
          present.delete(job);
          scheduler.jobRemoved(job, nowUs);
        },
        heartbeat: (node, atUs, freeMaps, freeReduces) => {
          launches = [];
          const before = seen();
          scheduler.heartbeat(node, atUs, freeMaps, freeReduces);
          if (freeMaps > 0) this.beats.push({ atUs, node, freeMaps, before, after: seen(), launches });
        },
      });
      return { ...built, scheduler: witnessed };
    };
  }
}

/** `inner` with some of its functions replaced. */
function around<T extends object>(inner: T, own: Partial<T>): T {
  return new Proxy(inner, {
    get(target, key) {
      if (key in own) return own[key as keyof T];
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
}
