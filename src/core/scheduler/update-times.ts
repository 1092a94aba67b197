/** When updates are due: at multiples of their interval, where something has changed since the last one. */
export class UpdateTimes {
  /** Virtual time of the next update; Infinity for none. */
  dueUs = Infinity;

  /** @param intervalUs 0 or Infinity: updates are never due. */
  constructor(private readonly intervalUs: number) {}

  /** Something changed that the next update should see. */
  want(nowUs: number): void {
    const { intervalUs } = this;
    // One is due at the next multiple already, most of the time.
    if (this.dueUs - nowUs <= intervalUs || intervalUs === 0 || intervalUs === Infinity) return;
    const dueUs = (Math.floor(nowUs / intervalUs) + 1) * intervalUs;
    if (dueUs < this.dueUs) this.dueUs = dueUs;
  }
}
