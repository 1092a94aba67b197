/**
 * A bit for every (node, job): the job may have a pending map with a replica on the node. Set when that becomes true,
 * cleared when a search found it false. Rows are node-major, so that one heartbeat reads one or two cache lines.
 */
export class LocalBits {
  private rows: Int32Array;
  /** A bit for every node: some bit of its row may be set. */
  readonly any: Int32Array;
  private rowWords: number;
  /** A bit for every word of a node's row: it may be other than 0. So a row is found empty without being read as a whole. */
  private parts: Int32Array;
  private partWords: number;

  constructor(
    private readonly nodes: number,
    jobs: number,
  ) {
    this.rowWords = (jobs + 31) >> 5;
    this.rows = new Int32Array(nodes * this.rowWords);
    this.partWords = (this.rowWords + 31) >> 5;
    this.parts = new Int32Array(nodes * this.partWords);
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
    this.parts[node * this.partWords + (job >> 10)] |= 1 << ((job >> 5) & 31);
    this.any[node >> 5] |= 1 << (node & 31);
  }

  clear(node: number, job: number): void {
    this.rows[node * this.rowWords + (job >> 5)] &= ~(1 << (job & 31));
  }

  /** Sets the job's bit of every node n with `words[from + n]` not negative. */
  setWhere(job: number, words: Int32Array, from: number): void {
    const { rows, rowWords, parts, partWords, any, nodes } = this;
    const bit = 1 << (job & 31);
    const part = 1 << ((job >> 5) & 31);
    const row = job >> 5;
    const inParts = job >> 10;
    for (let node = 0; node < nodes; node++) {
      if (words[from + node] < 0) continue;
      rows[node * rowWords + row] |= bit;
      parts[node * partWords + inParts] |= part;
      any[node >> 5] |= 1 << (node & 31);
    }
  }

  /** Clears the job's bit of every node n with `words[from + n]` not negative. */
  clearWhere(job: number, words: Int32Array, from: number): void {
    const { rows, rowWords, nodes } = this;
    const others = ~(1 << (job & 31));
    let at = job >> 5;
    for (let node = 0; node < nodes; node++, at += rowWords) if (words[from + node] >= 0) rows[at] &= others;
  }

  /** Recomputes the node's summary bit; call after a search that found nothing local. */
  summarise(node: number): void {
    if (!this.hasAny(node)) return;
    const { rows, parts, partWords } = this;
    const row = node * this.rowWords;
    const first = node * partWords;
    for (let i = 0; i < partWords; i++) {
      for (let left = parts[first + i]; left !== 0; left &= left - 1) {
        const word = 31 - Math.clz32(left & -left);
        if (rows[row + 32 * i + word] !== 0) return;
        parts[first + i] &= ~(1 << word);
      }
    }
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
    const partWords = (wider + 31) >> 5;
    const parts = new Int32Array(this.nodes * partWords);
    for (let node = 0; node < this.nodes; node++) {
      const from = node * this.partWords;
      parts.set(this.parts.subarray(from, from + this.partWords), node * partWords);
    }
    this.rows = rows;
    this.rowWords = wider;
    this.parts = parts;
    this.partWords = partWords;
  }
}
