import type { RackFailure } from "./rack-failure.js";
import type { ReportTally, TallyDigest } from "./report-tally.js";

/** A rack that dies so often without the master getting on meanwhile would for ever. */
const MOST_DEATHS_THERE = 3;
/** A machine that does this to a run has other troubles. */
const MOST_RECOVERIES = 10;

/** A thread that died, and whose work another one has taken over. */
export interface Recovery {
  /** Names of the racks of the thread. */
  readonly racks: string;
  /** Virtual time at which it died, or of the master then, where the thread could not say. */
  readonly virtualUs: number;
  readonly cause: unknown;
  /** From when the master heard of the death until the new thread was as far. */
  readonly wallSeconds: number;
}

/** What recovery needs of whoever wants it. */
export interface RecoverParts {
  /** By host: what the master has had reported; see `MasterActorParts.tallies`. */
  readonly tallies: readonly ReportTally[];
  readonly onRecovery: (recovery: Recovery) => void;
}

interface HostDeaths {
  count: number;
  /** Those at about the same place, and where. */
  there: number;
  slice: number;
  /** Those whose work nobody has taken over yet: more than one if the next died while it replayed. */
  readonly pending: { readonly failure: RackFailure; readonly sinceMs: number }[];
}

/** Which hosts have died how often, and whether another thread is worth it. */
export class Recoveries {
  private readonly hosts = new Map<number, HostDeaths>();
  private begun = 0;

  constructor(
    private readonly parts: RecoverParts,
    private readonly slicesPerLookahead: number,
  ) {}

  /** How many threads of the host have died and been replaced. */
  of(host: number): number {
    return this.hosts.get(host)?.count ?? 0;
  }

  /** Whether one that died while the master was at the slice is to be replaced. */
  allows(host: number, slice: number): boolean {
    const deaths = this.hosts.get(host);
    const there = deaths !== undefined && this.isThere(deaths, slice) ? deaths.there : 0;
    return there + 1 < MOST_DEATHS_THERE && this.begun < MOST_RECOVERIES;
  }

  hasBegun(host: number, failure: RackFailure, slice: number): void {
    this.begun++;
    const deaths = this.hosts.get(host);
    const there = deaths !== undefined && this.isThere(deaths, slice) ? deaths.there : 0;
    const pending = [...(deaths?.pending ?? []), { failure, sinceMs: performance.now() }];
    this.hosts.set(host, { count: this.of(host) + 1, there: there + 1, slice, pending });
  }

  hasEnded(host: number): void {
    for (const { failure, sinceMs } of this.hosts.get(host)?.pending.splice(0) ?? []) {
      const { rack, virtualUs, cause } = failure;
      this.parts.onRecovery({ racks: rack, virtualUs, cause, wallSeconds: (performance.now() - sinceMs) / 1000 });
    }
  }

  reportedBy(host: number): TallyDigest {
    const { count, sum } = this.parts.tallies[host];
    return { count, sum };
  }

  /** A rack is at most about a lookahead ahead of the master: what kills it twice shows within one. */
  private isThere(deaths: HostDeaths, slice: number): boolean {
    return slice - deaths.slice <= this.slicesPerLookahead;
  }
}
