import type { RackParts } from "../core/cluster/rack-model.js";
import type { Rack } from "../core/cluster/rack.js";

/**
 * The racks of one host: `isStaged`, in the detailed model, which is loaded only where the scenario needs it; else in the light
 * one, which does the same.
 */
export async function buildRacks(
  isStaged: boolean,
  parts: Omit<RackParts, "rack">,
  racks: readonly number[],
): Promise<Rack[]> {
  if (isStaged) {
    const { DetailedRack } = await import("../core/cluster/detailed/detailed-rack.js");
    return racks.map((rack) => new DetailedRack({ ...parts, rack }));
  }
  const { LightRacks } = await import("../core/cluster/light-racks.js");
  return [new LightRacks(parts.topology, racks, parts.runtime)];
}
