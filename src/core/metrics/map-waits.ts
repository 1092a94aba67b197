import type { WaitUnit } from "../scheduler/locality-wait.js";

/**
 * What maps waited before they were launched, per job: the *locality wait*, virtual time from the first opportunity that the job
 * passed up since it launched a map last; the *wait clock*, what the scheduler counted of it; and the time from being pending on,
 * whatever the reason. The last means the same under every scheduler, the others are known only where a scheduler has such a clock.
 */
export class MapWaits {
  /** By job: what its scheduler counts; null: nothing, or the job never turned ready. */
  readonly clockOf: (WaitUnit | null)[];
  /** By job: locality wait at each launch of a map, summed, and the longest. */
  readonly localityUs: Float64Array;
  readonly longestLocalityUs: Float64Array;
  /** By job: wait clock at each launch of a map, summed, in what `clockOf` says. */
  readonly clock: Float64Array;
  /** By job: time from being pending to launch, summed over its maps. A map that is never launched waits to the end. */
  readonly pendingUs: Float64Array;
  /** Maps of a job that are pending. */
  private readonly pending: Int32Array;

  /** @param submitAtUs by job; no map is pending earlier. */
  constructor(private readonly submitAtUs: Float64Array) {
    this.clockOf = new Array<WaitUnit | null>(submitAtUs.length).fill(null);
    this.localityUs = new Float64Array(submitAtUs.length);
    this.longestLocalityUs = new Float64Array(submitAtUs.length);
    this.clock = new Float64Array(submitAtUs.length);
    this.pendingUs = new Float64Array(submitAtUs.length);
    this.pending = new Int32Array(submitAtUs.length);
  }

  /** So many maps of the job are pending from now on. */
  began(job: number, maps: number, nowUs: number): void {
    this.pending[job] += maps;
    this.pendingUs[job] -= maps * this.sinceSubmission(job, nowUs);
  }

  /**
   * A map of the job was launched, at so much on the wait clock. `passedUpUs`: when the job first passed up an opportunity since its
   * last launch, -1 if it has not. `wasPending`: the map is no second attempt.
   */
  launched(job: number, clock: number, passedUpUs: number, wasPending: boolean, nowUs: number): void {
    this.clock[job] += clock;
    if (passedUpUs >= 0) {
      const waitUs = nowUs - passedUpUs;
      this.localityUs[job] += waitUs;
      if (waitUs > this.longestLocalityUs[job]) this.longestLocalityUs[job] = waitUs;
    }
    if (!wasPending) return;
    this.pending[job]--;
    this.pendingUs[job] += this.sinceSubmission(job, nowUs);
  }

  /** Maps of the job that are still pending wait no longer: it has failed, or the run is over. */
  ended(job: number, nowUs: number): void {
    this.pendingUs[job] += this.pending[job] * this.sinceSubmission(job, nowUs);
    this.pending[job] = 0;
  }

  /** The run is over. */
  close(nowUs: number): void {
    for (let job = 0; job < this.pending.length; job++) this.ended(job, nowUs);
  }

  /** Small numbers keep sums exact. */
  private sinceSubmission(job: number, nowUs: number): number {
    return nowUs - this.submitAtUs[job];
  }
}
