/**
 * A condition that only a fault of ours can break; what a user can cause is an error of its own kind. The message must
 * be a constant: building a text on every call of the hot path costs more than the work it guards.
 */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(`internal fault: ${message}`);
}
