import type { ComparedSystem, Comparison } from "../../dist/experiments/index.js";
import { compareSystems, planComparison, measureHere, runScenario } from "../../dist/lab/index.js";

/** What `bide compare scenarios/FILE` finds, with so many seeds. */
export async function compared(
  file: string,
  seeds: number,
  choice: { readonly systems?: readonly string[]; readonly set?: readonly string[] } = {},
): Promise<Comparison> {
  const options = { seed: undefined, kinds: undefined, systems: choice.systems, set: choice.set ?? [], lenient: false };
  const planned = planComparison({ file: `scenarios/${file}`, seeds, ...options });
  return compareSystems(planned, measureHere(runScenario, 0), {});
}

/** The mean of a measure of a system, by its name. */
export function meanOf(comparison: Comparison, name: string, key: string): number {
  const mean = systemOf(comparison, name).measures[key]?.mean;
  if (typeof mean !== "number") throw new Error(`no ${key} of ${name}`);
  return mean;
}

export function systemOf({ systems }: Comparison, name: string): ComparedSystem {
  const system = systems.find((one) => one.name === name);
  if (system === undefined) throw new Error(`no system ${name}`);
  return system;
}
