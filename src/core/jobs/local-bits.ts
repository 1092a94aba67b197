/**
 * A bit for every (node, job): the job may have a pending map with a replica on the node. Set when that becomes true,
 * cleared when a search found it false. Rows are node-major, so that one heartbeat reads one or two cache lines.
 */
export class LocalBits {
  private rows: Int32Array;
  /** A bit for every node: some bit of its row may be set. */
  readonly any: Int32Array;
  private rowWords: number;

  constructor(
    private readonly nodes: number,
    jobs: number,
  ) {
    this.rowWords = (jobs + 31) >> 5;
    this.rows = new Int32Array(nodes * this.rowWords);
    this.any = new Int32Array((nodes + 31) >> 5);
  }

  has(node: number, job: number): boolean {
    return ((this.rows[node * this.rowWords + (job >> 5)] >>> (job & 31)) & 1) !== 0;
  }

  /** Some job may have a pending map on the node. */
  hasAny(node: number): boolean {
    return ((this.any[node >> 5] >>> (node & 31)) & 1) !== 0;
  }

  set(node: number, job: number): void {
    this.rows[node * this.rowWords + (job >> 5)] |= 1 << (job & 31);
    this.any[node >> 5] |= 1 << (node & 31);
  }

  clear(node: number, job: number): void {
    this.rows[node * this.rowWords + (job >> 5)] &= ~(1 << (job & 31));
  }

  /** Recomputes the node's summary bit; call after a search that found nothing local. */
  summarise(node: number): void {
    if (!this.hasAny(node)) return;
    const start = node * this.rowWords;
    for (let i = start; i < start + this.rowWords; i++) if (this.rows[i] !== 0) return;
    this.any[node >> 5] &= ~(1 << (node & 31));
  }

  /** Makes sure that there is a column for the job. */
  makeRoom(job: number): void {
    if (job < this.rowWords * 32) return;
    let wider = this.rowWords;
    while (job >= wider * 32) wider *= 2;
    const rows = new Int32Array(this.nodes * wider);
    for (let node = 0; node < this.nodes; node++) {
      const from = node * this.rowWords;
      rows.set(this.rows.subarray(from, from + this.rowWords), node * wider);
    }
    this.rows = rows;
    this.rowWords = wider;
  }
}
