/** A symmetric positive definite matrix as L times its transpose; rows of the lower triangle L, in place. */
export interface LowerTriangle {
  readonly size: number;
  /** size * size, row by row; above the diagonal it means nothing. */
  readonly cells: Float64Array;
}

/** Factors a matrix in place, by its lower triangle. False if it is not positive definite as far as doubles can tell. */
export function factor({ size, cells }: LowerTriangle): boolean {
  for (let i = 0; i < size; i++) {
    const rowI = i * size;
    for (let j = 0; j <= i; j++) {
      const rowJ = j * size;
      let sum = cells[rowI + j];
      for (let k = 0; k < j; k++) sum -= cells[rowI + k] * cells[rowJ + k];
      if (j < i) cells[rowI + j] = sum / cells[rowJ + j];
      else if (sum > 0) cells[rowI + i] = Math.sqrt(sum);
      else return false;
    }
  }
  return true;
}

/** Solves L x = b in place. */
export function solveLower({ size, cells }: LowerTriangle, b: Float64Array): void {
  for (let i = 0; i < size; i++) {
    const row = i * size;
    let sum = b[i];
    for (let k = 0; k < i; k++) sum -= cells[row + k] * b[k];
    b[i] = sum / cells[row + i];
  }
}

/** L z, for as many entries of z as there are rows. */
export function timesLower({ size, cells }: LowerTriangle, z: Float64Array): Float64Array {
  const product = new Float64Array(size);
  for (let i = 0; i < size; i++) {
    const row = i * size;
    let sum = 0;
    for (let k = 0; k <= i; k++) sum += cells[row + k] * z[k];
    product[i] = sum;
  }
  return product;
}
