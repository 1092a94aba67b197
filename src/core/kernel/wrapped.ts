type Call = (...values: unknown[]) => unknown;

/**
 * Returns an object that does as `inner` does, but for the members in `overrides`: watches and meters of a run stand
 * between two parts in this way. Fields are read through, methods run on `inner` itself. Not for the hot path of
 * unwatched runs: each call costs one more.
 * @param around every other call goes through it: the name of the method, the call, and with what.
 */
export function wrapped<T extends object>(
  inner: T,
  overrides: Partial<T>,
  around: (name: string, call: Call, values: unknown[]) => unknown = (_, call, values) => call(...values),
): T {
  const outer = { ...overrides } as T;
  const source = inner as Readonly<Record<string, unknown>>;
  for (
    let level: object | null = inner;
    level !== null && level !== Object.prototype;
    level = Reflect.getPrototypeOf(level)
  ) {
    for (const name of Object.getOwnPropertyNames(level)) {
      if (name in outer) continue;
      const member = source[name];
      const isMethod = typeof member === "function";
      const call: Call = (...values) => (member as Call).apply(inner, values);
      const outerCall: Call = (...values) => around(name, call, values);
      const read = isMethod ? { value: outerCall } : { get: () => source[name] };
      // Configurable, so that others can stand before it as a proxy.
      Object.defineProperty(outer, name, { ...read, configurable: true });
    }
  }
  return outer;
}
