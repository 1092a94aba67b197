/**
 * How long a job waits for a node-local, then a rack-local slot, and then, where the cluster has rows, for one in its row
 * (left out: as long as for one in its rack). `time`: the paper's Algorithm 3, W1 and W2, and W3 for the row. `auto`: each
 * is 1.5 heartbeat intervals, at most 15 s, as Hadoop chooses them. `skips`: Algorithm 2, D1, D2 and D3 scheduling
 * opportunities. `fraction`: as many opportunities as that share of the nodes.
 */
export type WaitSpec =
  | { readonly kind: "none" }
  | { readonly kind: "time"; readonly nodeUs: number; readonly rackUs: number; readonly rowUs?: number }
  | { readonly kind: "auto" }
  | { readonly kind: "skips"; readonly node: number; readonly rack: number; readonly row?: number }
  | { readonly kind: "fraction"; readonly node: number; readonly rack: number; readonly row?: number };
