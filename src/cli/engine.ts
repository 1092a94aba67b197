import type { RunScenario } from "../lab/run.js";

/** Loads what runs scenarios; only the commands that run one call it. */
export type Engine = () => Promise<RunScenario>;
