import type { Job } from "bullmq";
import type { RunOutcome } from "../../../core/sweep/run-outcome.js";
import type { RunPlace } from "../run-place.js";
import { naming, packOutcome, unpackTask, type JobParcel } from "./job-parcel.js";
import { keyOf } from "./queue-keys.js";
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
    private readonly onRun: (run: RunDone) => void,
  ) {}

  /** @throws Error for what the run is not to blame for; it is tried again, maybe elsewhere. */
  async perform(sweep: string, job: Job<JobParcel, string>): Promise<string> {
    const key = keyOf(job.id ?? "");
    // A run whose lock was lost while Redis was away may come back to the very process that is still at it.
    const running = this.running.get(key) ?? this.begin(sweep, key, job.data);
    const run = await running;
    return packOutcome({ code: this.own.code, run });
  }

  private async begin(sweep: string, key: string, parcel: JobParcel): Promise<RunOutcome> {
    const running = this.simulate(sweep, parcel).finally(() => this.running.delete(key));
    this.running.set(key, running);
    void running.then(
      ({ outcome, cost }) => {
        this.done++;
        this.onRun({ sweep, key, outcome, wallSeconds: cost.wallSeconds });
      },
      () => undefined,
    );
    return running;
  }

  private async simulate(sweep: string, { code, plugins, file, task }: JobParcel): Promise<RunOutcome> {
    // The notice of the sweep said otherwise, or we would not have taken the job.
    if (code !== this.own.code) throw new Error("the run wants other code than its sweep said");
    const paths = plugins.map((digest) => {
      const path = this.own.plugins.get(digest);
      if (path === undefined) throw new Error("the run wants a plugin that its sweep did not name");
      return path;
    });
    const path = file === null ? null : await this.files.fetch(sweep, file.digest);
    const run = await this.place.run(unpackTask(task, path, paths));
    return file === null || path === null ? run : naming(run, path, file.shown);
  }
}
