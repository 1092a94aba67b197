import { fileURLToPath } from "node:url";
import { type LoadedSweep, parseSweep, type SweepOptions } from "../../../dist/io/index.js";
import { refusalOf } from "../scenario/refused.js";

/** Where the texts would stand; `scenario: ../tiny.yaml` is the shipped one. */
export const SWEEPS = fileURLToPath(new URL("../../../scenarios/sweeps/", import.meta.url));

/** A sweep of tiny.yaml. */
export function sweepOf(text: string, options: SweepOptions = {}): LoadedSweep {
  return parseSweep(`scenario: ../tiny.yaml\n${text}`, `${SWEEPS}x.yaml`, options);
}

/** The message with which it is refused, without the folder. */
export function refusedSweep(text: string, options: SweepOptions = {}): string {
  return refusalOf(() => sweepOf(text, options)).replaceAll(SWEEPS, "");
}
