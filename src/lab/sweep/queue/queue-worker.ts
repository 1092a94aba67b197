import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Job, Worker } from "bullmq";
import type { Redis } from "ioredis";
import { printable } from "../../../core/kernel/index.js";
import type { RunOutcome } from "../../../experiments/index.js";
import {
  loadPlugins,
  NotBelieved,
  RUN_KEY,
  type JobParcel,
  type NotDone,
  type Presence,
  type SweepNotice,
} from "../../../io/index.js";
import { type RunExecutor, RunPool } from "../run-executor.js";
import {
  CannotGoOn,
  connectQueue,
  isAbsence,
  isRefusal,
  lastingOptions,
  type QueueAddress,
  type QueueClients,
  reason,
  RepeatedWrite,
  sparing,
  type Tell,
  trouble,
  untilAnswered,
} from "./connection.js";
import {
  checkKey,
  naming,
  NOT_BELIEVED,
  openParcel,
  packOutcome,
  Seal,
  type SealedParcel,
  unpackTask,
} from "./job-parcel.js";
import {
  forgetQueue,
  keyOf,
  LOCK,
  PREFIX,
  PRESENCE,
  PutAside,
  refusal,
  sweepsIn,
  tellPresence,
  WORKERS_KEY,
} from "./notices.js";
import { digestOf, FetchedFiles } from "./shared-files.js";

interface WorkerOptions {
  readonly address: QueueAddress;
  readonly threads: number;
  /** Files of schedulers, as typed. */
  readonly plugins: readonly string[];
  readonly code: string;
  /** That notices, runs and results are signed with; null: they are not. */
  readonly secret: string | null;
  readonly tell: Tell;
  readonly onRun: (run: RunDone) => void;
}

const LOOK_MS = 500;

/** A sweep that Redis does not name for this long is over; shorter, Redis may just have lost its memory. */
const OVER_AFTER_LOOKS = 6;

const LEAVING_MS = 1000;

/** A sweep that has runs of which this process gets none for so long is left alone for a while. */
const FUTILE_MS = 10_000;

const LEFT_ALONE_MS = 10_000;

const MOST_REMEMBERED = 10_000;

/**
 * Does runs of whatever sweeps a queue names, one sweep at a time, until `stop` is aborted; then finishes what it is
 * at. While Redis is away or refuses, it waits and says so. It announces itself only as long as it serves.
 * @returns how many runs it did.
 * @throws InputError when Redis or a plugin cannot be had at the start; CannotGoOn when it cannot go on.
 */
export async function workOnQueue(clients: QueueClients, options: WorkerOptions, stop: AbortSignal): Promise<number> {
  const tell = sparing(options.tell);
  const plugins = new Map<string, string>();
  await loadPlugins(options.plugins);
  for (const file of options.plugins) plugins.set(digestOf(await readFile(file)), resolve(file));
  const redis = await connectQueue(clients, options.address, options.tell);
  const seal = new Seal(options.secret);
  const aside = new PutAside(options.tell);
  const pool = new RunPool(options.threads);
  const files = new FetchedFiles(redis);
  const runs = new OwnRuns(pool, files, { code: options.code, plugins }, seal, tell, options.onRun);
  const service = new Service(redis, options.address, seal, aside, tell, {
    own: { threads: options.threads, code: options.code, plugins: [...plugins.keys()] },
    begin: (id) => new SweepShift(clients, options, id, runs, tell, aside),
  });
  const over = new AbortController();
  const presence = service.bePresent(AbortSignal.any([stop, over.signal]));
  options.tell(`ready: ${String(options.threads)} at a time, on ${options.address.shown}`);
  try {
    await service.serve(stop);
  } catch (error) {
    throw new CannotGoOn(
      `this worker cannot go on: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    );
  } finally {
    over.abort();
    await presence;
    files.remove();
    await pool.close();
    await Promise.race([redis.quit().catch(() => undefined), sleep(LEAVING_MS, undefined, { ref: false })]);
    redis.disconnect();
    aside.sumUp();
  }
  return runs.done;
}

interface ServiceWork {
  readonly own: Pick<Presence, "threads" | "code" | "plugins">;
  readonly begin: (id: string) => SweepShift;
}

/** Goes from sweep to sweep. */
class Service {
  private shift: SweepShift | null = null;
  /** Looks at which Redis did not name the sweep that this process is at. */
  private missed = 0;
  private servedMs = performance.now();
  /** It waits for the last runs of a sweep, however long they take. */
  private isEnding = false;
  private readonly refused = new Set<string>();
  /** Until when, by sweep. */
  private readonly leftAlone = new Map<string, number>();

  constructor(
    private readonly redis: Redis,
    private readonly address: QueueAddress,
    private readonly seal: Seal,
    private readonly aside: PutAside,
    private readonly tell: Tell,
    private readonly work: ServiceWork,
  ) {}

  /** Until `stop`. @throws what is neither an absence nor a refusal of Redis. */
  async serve(stop: AbortSignal): Promise<void> {
    try {
      for (; !stop.aborted; await pause(LOOK_MS, stop)) {
        try {
          await untilStopped(untilAnswered(this.redis, this.address, this.tell, this.look(stop)), stop);
          this.servedMs = performance.now();
        } catch (error) {
          if (!isRefusal(error) && !isAbsence(error)) throw error;
          this.tell(trouble(error as Error));
        }
      }
    } finally {
      await this.leave();
    }
  }

  /** Tells Redis that this process is there, as long as it serves and until `stop`. */
  async bePresent(stop: AbortSignal): Promise<void> {
    const id = randomUUID();
    const presence = new RepeatedWrite(this.address, this.tell);
    while (!stop.aborted) {
      if (this.isEnding || performance.now() - this.servedMs < PRESENCE.goneMs) {
        const notice = { ...this.work.own, at: this.shift?.id ?? null };
        void presence.made(tellPresence(this.redis, this.seal, id, notice)).catch(() => undefined);
      }
      await pause(PRESENCE.tellMs, stop);
    }
    await Promise.race([this.redis.hdel(WORKERS_KEY, id).catch(() => 0), sleep(LEAVING_MS, 0, { ref: false })]);
  }

  private async look(stop: AbortSignal): Promise<void> {
    const sweeps = await sweepsIn(this.redis, this.seal, this.aside);
    const { shift } = this;
    this.missed = shift === null || sweeps.has(shift.id) ? 0 : this.missed + 1;
    if (shift !== null && shift.hasEnded) await this.endShift(shift);
    const next = await this.firstWaiting([...sweeps].filter(([id, sweep]) => this.mayDo(id, sweep)).sort(bySeniority));
    if (stop.aborted) return;
    if (this.shift !== null) await this.reconsider(this.shift, next);
    if (this.shift !== null || next === null || this.isLeftAlone(next)) return;
    this.shift = this.work.begin(next);
    this.tell(`at sweep ${printable(sweeps.get(next)?.name ?? next).slice(0, 100)} (${next})`);
  }

  /** Ends the time at a sweep that is over, gives nothing to do, or has to make room for an older one. */
  private async reconsider(shift: SweepShift, next: string | null): Promise<void> {
    const isOver = this.missed >= OVER_AFTER_LOOKS;
    if (next === shift.id && shift.idleMs >= FUTILE_MS) {
      this.tell(`sweep ${shift.id} has runs, and gives none to this worker; leaves it alone for a while`);
      this.leaveAlone(shift.id);
      await this.endShift(shift);
    } else if (isOver || (next !== null && next !== shift.id && shift.isIdle)) {
      await this.endShift(shift);
      if (isOver) await forgetQueue(this.redis, shift.id);
    }
  }

  private async endShift(shift: SweepShift): Promise<void> {
    this.isEnding = true;
    await shift.end();
    this.isEnding = false;
    this.shift = null;
    this.missed = 0;
  }

  /** Finishes what this process is at. */
  private async leave(): Promise<void> {
    const { shift } = this;
    if (shift === null) return;
    if (shift.atIt > 0) this.tell(`stopping: finishes ${String(shift.atIt)} runs first; a second signal ends at once`);
    await this.endShift(shift);
    const tidy = async (): Promise<void> => {
      if (!(await sweepsIn(this.redis, this.seal, this.aside)).has(shift.id)) await forgetQueue(this.redis, shift.id);
    };
    await Promise.race([tidy().catch(() => undefined), sleep(LEAVING_MS, undefined, { ref: false })]);
  }

  private mayDo(id: string, sweep: SweepNotice): boolean {
    const why = refusal(sweep, this.work.own);
    if (why !== null && !this.refused.has(id)) {
      if (this.refused.size >= MOST_REMEMBERED) this.refused.clear();
      this.refused.add(id);
      this.tell(`leaves sweep ${printable(sweep.name).slice(0, 100)} (${id}) to others: ${why}`);
    }
    return why === null;
  }

  /** The first sweep with a run that nobody is at. One that Redis cannot tell of does not keep the others waiting. */
  private async firstWaiting(sweeps: readonly (readonly [string, SweepNotice])[]): Promise<string | null> {
    for (const [id] of sweeps) {
      if (this.isLeftAlone(id)) continue;
      try {
        if ((await SweepShift.waitingIn(this.redis, id)) > 0) return id;
      } catch (error) {
        if (!isRefusal(error)) throw error;
        this.aside.put("sweep", reason(error as Error), id);
        this.leaveAlone(id);
      }
    }
    return null;
  }

  private leaveAlone(id: string): void {
    if (this.leftAlone.size >= MOST_REMEMBERED) this.leftAlone.clear();
    this.leftAlone.set(id, performance.now() + LEFT_ALONE_MS);
  }

  private isLeftAlone(id: string): boolean {
    return performance.now() < (this.leftAlone.get(id) ?? 0);
  }
}

function bySeniority([idA, a]: [string, SweepNotice], [idB, b]: [string, SweepNotice]): number {
  return a.since - b.since || (idA < idB ? -1 : 1);
}

/** Also returns when stopped meanwhile, for Redis may be away. */
async function untilStopped(asked: Promise<void>, stop: AbortSignal): Promise<void> {
  const done = new AbortController();
  const stopped = new Promise<void>((resolved) => {
    stop.addEventListener("abort", () => resolved(), { once: true, signal: done.signal });
  });
  // What it is told after that, nobody waits for.
  asked.catch(() => undefined);
  try {
    await Promise.race([asked, stopped]);
  } finally {
    done.abort();
  }
}

async function pause(ms: number, stop: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal: stop }).catch(() => undefined);
}

const RETRY_MS = 1000;

/** How long runs that have been done may take to be handed in. */
const ENDING_MS = 10_000;

/** A wait for jobs is begun anew so often, in seconds. */
const IDLE_SECONDS = 1;

/** The time in which this process does runs of one sweep. */
class SweepShift {
  /** Runs that it is at. */
  atIt = 0;
  private lastBusyMs = performance.now();
  private readonly worker: Worker<SealedParcel, string>;

  constructor(
    clients: QueueClients,
    { address, threads }: { readonly address: QueueAddress; readonly threads: number },
    readonly id: string,
    runs: OwnRuns,
    tell: Tell,
    aside: PutAside,
  ) {
    this.worker = new clients.bullmq.Worker<SealedParcel, string>(
      id,
      async (job) => {
        this.atIt++;
        this.lastBusyMs = performance.now();
        try {
          return await runs.perform(id, job);
        } catch (error) {
          if (!(error instanceof NotBelieved)) throw error;
          aside.put("job", error.message, `${id}:${job.id ?? ""}`);
          // Its sweep puts the right one in its place; another try would find the same.
          throw new clients.bullmq.UnrecoverableError(NOT_BELIEVED);
        } finally {
          this.atIt--;
          this.lastBusyMs = performance.now();
        }
      },
      {
        connection: lastingOptions(address),
        prefix: PREFIX,
        concurrency: threads,
        lockDuration: LOCK.lockMs,
        lockRenewTime: LOCK.renewMs,
        // The sweep hands on runs whose process is gone, counts how often, and says so.
        skipStalledCheck: true,
        drainDelay: IDLE_SECONDS,
        runRetryDelay: RETRY_MS,
      },
    );
    this.worker.on("error", (error) => {
      if (/lock/i.test(error.message)) {
        tell("lost hold of a run while Redis or this machine was busy; it is done again");
      } else if (isRefusal(error)) tell(trouble(error));
    });
  }

  /** Jobs that nobody is at. */
  static async waitingIn(redis: Redis, id: string): Promise<number> {
    const [wait, delayed] = await Promise.all([
      redis.llen(`${PREFIX}:${id}:wait`),
      redis.zcard(`${PREFIX}:${id}:delayed`),
    ]);
    return wait + delayed;
  }

  get isIdle(): boolean {
    return this.atIt === 0;
  }

  /** Takes no runs any more: what BullMQ does of itself after some errors. */
  get hasEnded(): boolean {
    return !this.worker.isRunning();
  }

  /** How long it has had nothing to do. */
  get idleMs(): number {
    return this.isIdle ? performance.now() - this.lastBusyMs : 0;
  }

  /** Takes nothing new, and finishes what it is at. Never waits for a Redis that refuses. */
  async end(): Promise<void> {
    const ended = this.worker.close().catch(() => undefined);
    while (this.atIt > 0) await Promise.race([ended, sleep(ENDING_MS / 100, undefined, { ref: false })]);
    await Promise.race([ended, sleep(ENDING_MS, undefined, { ref: false })]);
  }
}

/** A run that this process did. */
interface RunDone {
  readonly sweep: string;
  readonly key: string;
  readonly outcome: RunOutcome["outcome"];
  readonly wallSeconds: number;
}

/** What this process can do runs with. */
interface OwnCode {
  readonly code: string;
  /** Path by digest. */
  readonly plugins: ReadonlyMap<string, string>;
}

/** Jobs of the queue, done in threads of this process. */
class OwnRuns {
  done = 0;
  private readonly running = new Map<string, Promise<RunOutcome>>();

  constructor(
    private readonly executor: RunExecutor,
    private readonly files: FetchedFiles,
    private readonly own: OwnCode,
    private readonly seal: Seal,
    private readonly tell: Tell,
    private readonly onRun: (run: RunDone) => void,
  ) {}

  /**
   * @returns what came of the run, or why it could not be done here, signed. The sweep decides whether it is tried
   *   again.
   * @throws NotBelieved for a job that is no run of a sweep.
   */
  async perform(sweep: string, job: Pick<Job<SealedParcel, string>, "id" | "data">): Promise<string> {
    const key = keyOf(job.id ?? "");
    if (!RUN_KEY.test(key)) throw new NotBelieved("a job that is named like no run");
    const parcel = openParcel(this.seal, sweep, key, job.data);
    // A run whose lock was lost while Redis was away may come back to the very process that is still at it.
    const name = `${sweep} ${key}`;
    const run = await (this.running.get(name) ?? this.begin(sweep, key, parcel)).catch((error: unknown): NotDone => {
      if (error instanceof NotBelieved) throw error;
      const problem = reason(error as Error);
      this.tell(`a run could not be done and is tried again: ${problem}`);
      return { outcome: "not done", problem };
    });
    return packOutcome(this.seal, sweep, { code: this.own.code, key, run });
  }

  private async begin(sweep: string, key: string, parcel: JobParcel): Promise<RunOutcome> {
    const name = `${sweep} ${key}`;
    const running = this.simulate(sweep, key, parcel).finally(() => this.running.delete(name));
    this.running.set(name, running);
    void running.then(
      ({ outcome, cost }) => {
        this.done++;
        this.onRun({ sweep, key, outcome, wallSeconds: cost.wallSeconds });
      },
      () => undefined,
    );
    return running;
  }

  private async simulate(sweep: string, key: string, { code, plugins, file, task }: JobParcel): Promise<RunOutcome> {
    // The notice of the sweep said otherwise, or we would not have taken the job.
    if (code !== this.own.code) throw new NotBelieved("a run that wants other code than its sweep said");
    const paths = plugins.map((digest) => {
      const path = this.own.plugins.get(digest);
      if (path === undefined) throw new NotBelieved("a run that wants a plugin which its sweep did not name");
      return path;
    });
    const path = file === null ? null : await this.files.fetch(sweep, file.digest);
    const unpacked = unpackTask(task, path, paths);
    checkKey(key, unpacked);
    const run = await this.executor.run(unpacked);
    return file === null || path === null ? run : naming(run, path, file.shown);
  }
}
