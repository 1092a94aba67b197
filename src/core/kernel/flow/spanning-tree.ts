import { ROOT } from "./flow-network.js";
import { widened } from "../widened.js";

const NONE = -1;

/** The tree of arcs whose flow is not at a bound by decree: every node but node 0 hangs on its parent by one arc. */
export class SpanningTree {
  parent = new Int32Array(64).fill(NONE);
  /** The arc between the node and its parent, in whichever direction. */
  arcUp = new Int32Array(64).fill(NONE);
  depth = new Int32Array(64);
  firstChild = new Int32Array(64).fill(NONE);
  nextSibling = new Int32Array(64).fill(NONE);
  previousSibling = new Int32Array(64).fill(NONE);
  /** The nodes of the tree, parents before children, as `list` found them. */
  order = new Int32Array(64);
  listed = 0;

  makeRoom(nodes: number): void {
    while (this.parent.length < nodes) {
      this.parent = widened(this.parent);
      this.arcUp = widened(this.arcUp);
      this.depth = widened(this.depth);
      this.firstChild = widened(this.firstChild);
      this.nextSibling = widened(this.nextSibling);
      this.previousSibling = widened(this.previousSibling);
      this.order = widened(this.order);
    }
  }

  /** A node that is in no tree, and has no children. */
  clear(node: number): void {
    this.parent[node] = NONE;
    this.arcUp[node] = NONE;
    this.firstChild[node] = NONE;
  }

  link(node: number, parent: number, arc: number): void {
    this.parent[node] = parent;
    this.arcUp[node] = arc;
    const first = this.firstChild[parent];
    this.nextSibling[node] = first;
    this.previousSibling[node] = NONE;
    if (first >= 0) this.previousSibling[first] = node;
    this.firstChild[parent] = node;
  }

  unlink(node: number): void {
    const before = this.previousSibling[node];
    const after = this.nextSibling[node];
    if (before >= 0) this.nextSibling[before] = after;
    else this.firstChild[this.parent[node]] = after;
    if (after >= 0) this.previousSibling[after] = before;
  }

  /** Lists the nodes, and tells how deep each of them is. */
  list(): void {
    const { order, firstChild, nextSibling, depth } = this;
    order[0] = ROOT;
    depth[ROOT] = 0;
    let listed = 1;
    for (let i = 0; i < listed; i++) {
      const deeper = depth[order[i]] + 1;
      for (let child = firstChild[order[i]]; child >= 0; child = nextSibling[child]) {
        depth[child] = deeper;
        order[listed++] = child;
      }
    }
    this.listed = listed;
  }

  /**
   * Cuts the tree above `top` and hangs that part, by its node `node`, on `parent` by `arc`: the way from `node` up to `top`
   * is turned round. Depths are left as they were.
   */
  rehang(node: number, top: number, parent: number, arc: number): void {
    let moved = node;
    let newParent = parent;
    let newArc = arc;
    for (;;) {
      const oldParent = this.parent[moved];
      const oldArc = this.arcUp[moved];
      this.unlink(moved);
      this.link(moved, newParent, newArc);
      if (moved === top) return;
      newParent = moved;
      newArc = oldArc;
      moved = oldParent;
    }
  }
}
