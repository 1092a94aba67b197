/** A run would never end; what it found until it was stopped has been told. */
export class RunStuck extends Error {
  override readonly name = "RunStuck";
}
