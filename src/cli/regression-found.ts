/** Something is not as a baseline says; everything about it has been told. */
export class RegressionFound extends Error {
  override readonly name = "RegressionFound";
}
