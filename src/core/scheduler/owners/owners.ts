import type { OwnedBy } from "../../scenario/inner-scheduler-spec.js";
import type { Workload } from "../../workload/job.js";

/** Those whose jobs will come, in order of name: known before the run, for what they get may not depend on who comes first. */
export class Owners {
  readonly names: readonly string[];
  private readonly indexes: ReadonlyMap<string, number>;

  constructor(
    { jobs }: Pick<Workload, "jobs">,
    private readonly by: OwnedBy,
  ) {
    const names = new Set(jobs.map((job) => job[by]));
    // By code units: the same on every machine.
    this.names = [...names].sort((a, b) => (a < b ? -1 : 1));
    this.indexes = new Map(this.names.map((name, owner) => [name, owner]));
  }

  /** The owner of a job of that pool and user, of those that will come; -1: it is none of them. */
  ownerOf(pool: string, user: string): number {
    return this.indexes.get(this.by === "pool" ? pool : user) ?? -1;
  }
}
