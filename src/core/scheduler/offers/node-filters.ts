import type { Topology } from "../../cluster/topology.js";
import type { FrameworkSpec } from "../../scenario/offers-spec.js";

/** What a framework has told the master of slots that it never wants. */
export class NodeFilters {
  /** By framework: by node, 1 if it may be offered slots there; null: everywhere. */
  private readonly allowed: readonly (Uint8Array | null)[];

  constructor(
    private readonly frameworks: readonly FrameworkSpec[],
    topology: Pick<Topology, "nodes" | "rackOf" | "indexInRack">,
  ) {
    const { nodes, rackOf, indexInRack } = topology;
    this.allowed = frameworks.map(({ nodes: listed }) => {
      if (listed === null) return null;
      const isListed = (node: number): boolean =>
        listed.some((of) => of.rack === rackOf[node] && (of.node === null || of.node === indexInRack[node]));
      return Uint8Array.from({ length: nodes }, (_, node) => (isListed(node) ? 1 : 0));
    });
  }

  /** How many of the free map slots of the node the framework may be offered: all or none. */
  maps(framework: number, node: number, free: number): number {
    return this.isAllowed(framework, node) && free >= this.frameworks[framework].minFreeMaps ? free : 0;
  }

  reduces(framework: number, node: number, free: number): number {
    return this.isAllowed(framework, node) && free >= this.frameworks[framework].minFreeReduces ? free : 0;
  }

  private isAllowed(framework: number, node: number): boolean {
    const allowed = this.allowed[framework];
    return allowed === null || allowed[node] === 1;
  }
}
