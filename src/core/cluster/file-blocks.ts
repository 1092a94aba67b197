/** Blocks are numbered through all files: block 0 of file f is element f, the last element is the number of blocks. */
export function fileStarts(fileBlocks: readonly number[]): Float64Array {
  const starts = new Float64Array(fileBlocks.length + 1);
  fileBlocks.forEach((blocks, f) => (starts[f + 1] = starts[f] + blocks));
  return starts;
}

/** The file that `block` belongs to. Logarithmic time. */
export function fileOfBlock(starts: Float64Array, block: number): number {
  let low = 0;
  let high = starts.length - 2;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle] <= block) low = middle;
    else high = middle - 1;
  }
  return low;
}
