/**
 * What maps waited before they were launched, per job: for locality, as the scheduler counts it, and from being pending on,
 * whatever the reason, which means the same under every scheduler.
 */
export class MapWaits {
  /** By job: what the job had waited for locality at each launch of a map, summed, in the terms of the scheduler's wait. */
  readonly locality: Float64Array;
  /** By job: time from being pending to launch, summed over its maps. A map that is never launched waits to the end. */
  readonly pendingUs: Float64Array;
  /** Maps of a job that are pending. */
  private readonly pending: Int32Array;

  /** @param submitAtUs by job; no map is pending earlier. */
  constructor(private readonly submitAtUs: Float64Array) {
    this.locality = new Float64Array(submitAtUs.length);
    this.pendingUs = new Float64Array(submitAtUs.length);
    this.pending = new Int32Array(submitAtUs.length);
  }

  /** So many maps of the job are pending from now on. */
  began(job: number, maps: number, nowUs: number): void {
    this.pending[job] += maps;
    this.pendingUs[job] -= maps * this.sinceSubmission(job, nowUs);
  }

  /** A map of the job was launched, after it had waited so much for locality. `wasPending`: it is no second attempt. */
  launched(job: number, waited: number, wasPending: boolean, nowUs: number): void {
    this.locality[job] += waited;
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
