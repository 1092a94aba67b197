import { loadScenario } from "../../io/scenario/load.js";
import { runScenario } from "../run-scenario.js";

/** A simulation of a sweep. */
export interface SweepTask {
  readonly file: string;
  readonly set: readonly string[];
  readonly seed: string;
}

/** What comes back from the thread. */
export interface SweepResult {
  readonly fingerprint: string;
  readonly tasks: number;
}

/** A piscina task: one simulation, inline. */
export default async function simulateOne({ file, set, seed }: SweepTask): Promise<SweepResult> {
  const { scenario, directory } = loadScenario(file, { set, seed });
  const { summary } = await runScenario(scenario, directory, { placement: 0, recordTasks: false });
  const { fingerprint, tasks } = summary;
  return { fingerprint, tasks: tasks.maps.ended + tasks.reduces.ended };
}
