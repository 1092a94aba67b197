import { DetailedRack } from "./detailed/detailed-rack.js";
import { LightRack } from "./light-rack.js";
import { needsStages, type RackParts } from "./rack-model.js";
import type { Rack } from "./rack.js";

/** The rack model that the scenario needs: the light one wherever that does the same. */
export function buildRack(parts: RackParts): Rack {
  return needsStages(parts) ? new DetailedRack(parts) : new LightRack(parts.topology, parts.rack, parts.runtime);
}
