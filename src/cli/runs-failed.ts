/** A sweep has come to its end, but some of its runs failed. All others are kept. */
export class RunsFailed extends Error {
  override readonly name = "RunsFailed";
}
