import type { Job } from "bullmq";
import type { RunOutcome } from "../../../experiments/sweep/sweep-record.js";
import type { RunPlace } from "../run-place.js";
import { reason, type Tell } from "./connect.js";
import { NotBelieved, RUN_KEY } from "../../../io/sweep/queue-schema.js";
import {
  checkKey,
  naming,
  openParcel,
  packOutcome,
  unpackTask,
  type JobParcel,
  type NotDone,
  type SealedParcel,
} from "./job-parcel.js";
import { keyOf } from "./queue-keys.js";
import type { Seal } from "./seal.js";
import type { FetchedFiles } from "./shared-files.js";

/** A run that this process did. */
export interface RunDone {
  readonly sweep: string;
  readonly key: string;
  readonly outcome: RunOutcome["outcome"];
  readonly wallSeconds: number;
}

/** What this process can do runs with. */
export interface OwnCode {
  readonly code: string;
  /** Path by digest. */
  readonly plugins: ReadonlyMap<string, string>;
}

/** Jobs of the queue, done in threads of this process. */
export class OwnRuns {
  done = 0;
  private readonly running = new Map<string, Promise<RunOutcome>>();

  constructor(
    private readonly place: RunPlace,
    private readonly files: FetchedFiles,
    private readonly own: OwnCode,
    private readonly seal: Seal,
    private readonly tell: Tell,
    private readonly onRun: (run: RunDone) => void,
  ) {}

  /**
   * @returns what came of the run, or why it could not be done here, signed. The sweep decides whether it is tried again.
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
    const run = await this.place.run(unpacked);
    return file === null || path === null ? run : naming(run, path, file.shown);
  }
}
