import { rowOfNodes, type Topology } from "../cluster/topology.js";
import type { IntArena } from "../kernel/int-arena.js";
import { HeadTable } from "./head-table.js";

/** Which nodes lie together: the heads of their chains, by job and area, and the area of every node. */
export interface Areas {
  readonly heads: HeadTable;
  readonly of: Int32Array;
}

/** Where they stand in `buildAreas`. */
export const RACKS = 0;
export const ROWS = 1;

/** The racks, then the rows where there are any. */
export function buildAreas(arena: IntArena, topology: Topology): readonly Areas[] {
  const racks = { heads: new HeadTable(arena, topology.racks), of: topology.rackOf };
  const rowOf = rowOfNodes(topology);
  return rowOf === null ? [racks] : [racks, { heads: new HeadTable(arena, topology.rowNames.length), of: rowOf }];
}
