/** Child of calibration.mjs: simulates the seeds of its arguments inline, one after the other, and sends each one's figures. */
import { fileURLToPath } from "node:url";
import { loadScenario } from "../dist/io/scenario/load.js";
import { runScenario } from "../dist/lab/run-scenario.js";
import { FIGURES } from "./calibration-figures.mjs";

const file = fileURLToPath(new URL("../scenarios/facebook-day.yaml", import.meta.url));

for (const seed of process.argv.slice(2)) {
  const { scenario, directory } = loadScenario(file, { set: [], seed });
  const result = await runScenario(scenario, directory, { placement: 0, recordTasks: false });
  process.send({ seed, figures: FIGURES.map(({ of }) => of(result)) });
}
process.disconnect();
