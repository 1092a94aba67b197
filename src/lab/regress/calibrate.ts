import { inOwnProcess } from "../bench/own-process.js";
import type { CalibrationFigures } from "./calibration-process.js";

/** CPU time of the calibration loop in a process of its own. */
export async function calibrate(signal?: AbortSignal): Promise<number> {
  const program = new URL("./calibration-process.js", import.meta.url);
  const { cpuSeconds } = (await inOwnProcess(program, {}, signal)) as CalibrationFigures;
  return cpuSeconds;
}
