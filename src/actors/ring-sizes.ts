import { needsStages, rackModelOf } from "../core/cluster/rack-model.js";
import type { Topology } from "../core/cluster/topology.js";
import type { SliceGrid } from "../core/kernel/slices.js";
import type { Scenario } from "../core/scenario/scenario.js";
import { MAX_COMMAND_BYTES } from "../messages/command-words.js";
import { REPORT_WORDS } from "../messages/report-words.js";
import { MOST_WAITING } from "./thread-link.js";
import { Ring } from "./thread-ring.js";

const REPORT_BYTES = 4 * REPORT_WORDS;

export interface RingSizeParts {
  readonly scenario: Scenario;
  readonly topology: Topology;
  readonly grid: SliceGrid;
  readonly hostOfRack: Int32Array;
}

/**
 * The rings of a host, for reports and for commands, with
 * room for every slot of the host's racks to be reported, or commanded, in every slice of a lookahead: so the master,
 * which is never further ahead of a host, never waits for room. Attempts in stages have more to say: their ends and how
 * far they are, also while they commit, and the rates of reads between racks, on every tick from both ends. Of light
 * ones a host may miss more slices, but no slot is launched, told of its maps and killed more than once before it reports.
 */
export function allocateRings({ scenario, topology, grid, hostOfRack }: RingSizeParts, host: number): [Ring, Ring] {
  const { rackSlotStart } = topology;
  let slots = 0;
  hostOfRack.forEach((of, rack) => {
    if (of === host) slots += rackSlotStart[rack + 1] - rackSlotStart[rack];
  });
  const { perLookahead } = grid;
  if (!needsStages(rackModelOf(scenario))) {
    const frames = MOST_WAITING + perLookahead;
    const commands = Ring.allocate(frames, Math.ceil((3 * slots * MAX_COMMAND_BYTES) / MOST_WAITING));
    return [Ring.allocate(frames, Math.ceil((3 * slots * REPORT_BYTES) / MOST_WAITING)), commands];
  }
  const rates = 2 * (Math.ceil(grid.lookaheadUs / scenario.cluster.network.settleUs) + 1);
  return [
    Ring.allocate(perLookahead, slots * REPORT_BYTES * (4 + rates)),
    Ring.allocate(perLookahead, slots * MAX_COMMAND_BYTES * (2 + rates)),
  ];
}
