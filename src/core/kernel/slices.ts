/**
 * Execution slices: equal parts of the lookahead, into which a run is cut for exchange between actors. Slice q covers
 * [startUs(q), startUs(q + 1)). They decide when work is computed, never what comes out.
 *
 * Rule R: what a reply in slice c causes shows in slice c + perLookahead at the earliest, so an actor may compute slice
 * q once it has the replies of all slices up to q - perLookahead.
 */
export class SliceGrid {
  constructor(
    readonly lookaheadUs: number,
    readonly perLookahead: number,
  ) {}

  startUs(slice: number): number {
    const round = Math.floor(slice / this.perLookahead);
    const part = slice - round * this.perLookahead;
    return round * this.lookaheadUs + this.partStartUs(part);
  }

  /** The slice that holds an instant; Infinity for Infinity. */
  sliceAt(us: number): number {
    if (us === Infinity) return Infinity;
    const round = Math.floor(us / this.lookaheadUs);
    const within = us - round * this.lookaheadUs;
    let part = Math.floor((within * this.perLookahead) / this.lookaheadUs);
    while (part + 1 < this.perLookahead && this.partStartUs(part + 1) <= within) part++;
    while (this.partStartUs(part) > within) part--;
    return round * this.perLookahead + part;
  }

  private partStartUs(part: number): number {
    return Math.floor((part * this.lookaheadUs) / this.perLookahead);
  }
}
