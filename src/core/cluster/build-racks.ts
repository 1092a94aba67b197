import { DetailedRack } from "./detailed/detailed-rack.js";
import { LightRacks } from "./light-racks.js";
import { needsStages, type RackParts } from "./rack-model.js";
import type { Rack } from "./rack.js";

/** The racks of one host, in the model that the scenario needs: the light one wherever that does the same. */
export function buildRacks(parts: Omit<RackParts, "rack">, racks: readonly number[]): Rack[] {
  if (needsStages(parts)) return racks.map((rack) => new DetailedRack({ ...parts, rack }));
  return [new LightRacks(parts.topology, racks, parts.runtime)];
}
