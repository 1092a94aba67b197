const BY_IMPORT = "--no-experimental-require-module";

/**
 * The environment of a thread whose modules are imported and not required: Node aborts the whole process when a thread
 * is ended while `require` instantiates an ES module, which piscina tries first. A thread that imports may be ended at
 * any time. As an option of the environment it leaves the thread all options that the process has.
 */
export function threadEnv(): Readonly<Record<string, string | undefined>> {
  if (!process.allowedNodeEnvironmentFlags.has(BY_IMPORT)) return process.env;
  return { ...process.env, NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ""} ${BY_IMPORT}`.trimStart() };
}
