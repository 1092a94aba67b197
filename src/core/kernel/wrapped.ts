type Call = (...values: unknown[]) => unknown;

/**
 * Returns an object that behaves like `inner`, except for the members in `overrides`. With it, watches and meters of a
 * run stand between two parts. Fields are read from `inner`, and methods run on `inner` itself. It is not for the hot
 * path of unwatched runs, because each call costs an additional one.
 * @param around executes each call of other members. It gets the name of the method, the call and its arguments.
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
