/** What a replication rule may ask for. Orders are carried out on heartbeats; counts are at once what they will lead to. */
export interface ReplicaOrders {
  /** Replicas that the block has or is to have, whichever is more. */
  count(block: number): number;
  /** The node lives, neither holds the block nor is to get it, and has room for it. */
  mayAdd(block: number, node: number): boolean;
  /** One more replica, on a node that may have it. */
  add(block: number, node: number): void;
  /** One replica fewer, of those that are not there yet. False, changing nothing, when all are. */
  withdraw(block: number): boolean;
  /** One replica fewer: the one on that node. */
  remove(block: number, node: number): void;
}

/** Decides which blocks get more replicas, and which fewer. */
export interface ReplicationRule {
  /** Looks at the blocks, and orders what is to be ordered. */
  look(nowUs: number): void;
}

/** Told of every map that is launched, and of what its job has waited for locality, in the terms of the scheduler's wait. */
export interface MapLaunchWatcher {
  mapLaunched(job: number, task: number, waited: number): void;
}
