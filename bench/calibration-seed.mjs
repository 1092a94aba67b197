/**
 * Child of calibration.mjs: simulates the seeds of its arguments inline, one after the other, and sends each one's
 * figures: of the day as the file has it, and of small jobs where nobody waits.
 */
import { fileURLToPath } from "node:url";
import { loadScenario } from "../dist/io/index.js";
import { runScenario } from "../dist/lab/index.js";
import {
  FIGURES,
  localityOfSmallJobs,
  predictionsForSmallJobs,
  SYSTEMS_THAT_DO_NOT_WAIT,
} from "./calibration-figures.mjs";

const file = fileURLToPath(new URL("../scenarios/facebook-day.yaml", import.meta.url));

async function simulate(seed, set) {
  const { scenario, directory } = loadScenario(file, { set, seed });
  return runScenario(scenario, directory, { placement: 0, recordTasks: false });
}

for (const seed of process.argv.slice(2)) {
  const day = await simulate(seed, []);
  const smallJobs = [];
  for (const { name, set } of SYSTEMS_THAT_DO_NOT_WAIT) {
    smallJobs.push({ name, ...localityOfSmallJobs(await simulate(seed, set)) });
  }
  smallJobs.push(...predictionsForSmallJobs(day));
  process.send({ seed, figures: FIGURES.map(({ of }) => of(day)), smallJobs });
}
process.disconnect();
