import { answerTask } from "../bench/own-process.js";
import { calibrationLoop, cpuSecondsSince } from "./calibration-loop.js";

/** The process of one calibration. */

export interface CalibrationFigures {
  readonly cpuSeconds: number;
  /** The checksum of the loop. */
  readonly sum: number;
}

// eslint-disable-next-line @typescript-eslint/require-await -- what answers may take its time; this does not
async function calibrated(): Promise<CalibrationFigures> {
  const before = process.cpuUsage();
  const sum = calibrationLoop();
  return { cpuSeconds: cpuSecondsSince(before), sum };
}

answerTask(calibrated);
