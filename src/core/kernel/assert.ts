/**
 * Checks a condition that only a bug of Bide can break; errors that a user can cause have kinds of their own. The
 * message must be a constant: building a text on every call of the hot path costs more than the work it guards.
 */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(`internal fault: ${message}`);
}
