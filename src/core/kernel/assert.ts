/** A condition that only a fault of ours can break. What a user can cause is an error of its own kind. */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(`internal fault: ${message}`);
}
