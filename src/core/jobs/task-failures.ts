import type { SlotType } from "./job-table.js";

/** On which nodes the attempts of a job have failed. */
interface JobFailures {
  /** By task, in order of time; a node may be there twice. */
  readonly ofTask: Map<number, number[]>;
  /** By node: how many attempts of the job. */
  readonly onNode: Map<number, number>;
  /** Nodes that have reached the limit. */
  flaky: number;
}

/** From this share of the living nodes on, a job has too many flaky ones to avoid them. */
const MOST_FLAKY = 0.25;

/**
 * Where attempts of the present jobs have failed, and which nodes a job avoids for it (semantics section 10, steps 0 and 5):
 * a retried task does not go where it failed before, unless it has failed on as many nodes as there are for its job; and a node on which
 * `maxPerNode` attempts of a job have failed gets none of its tasks, unless a quarter of those are like that.
 */
export class TaskFailures {
  private readonly ofJob = new Map<number, JobFailures>();

  /** @param livingNodes how many nodes there are now for a job. */
  constructor(
    private readonly maxPerNode: number,
    private readonly livingNodes: (job: number) => number,
  ) {}

  /** An attempt failed; returns how many of its task have. */
  add(job: number, type: SlotType, task: number, node: number): number {
    let failures = this.ofJob.get(job);
    if (failures === undefined) {
      failures = { ofTask: new Map(), onNode: new Map(), flaky: 0 };
      this.ofJob.set(job, failures);
    }
    const onNode = (failures.onNode.get(node) ?? 0) + 1;
    failures.onNode.set(node, onNode);
    if (onNode === this.maxPerNode) failures.flaky++;
    const nodes = failures.ofTask.get(keyOf(type, task)) ?? [];
    failures.ofTask.set(keyOf(type, task), nodes);
    return nodes.push(node);
  }

  /** How many attempts of the task have failed. */
  of(job: number, type: SlotType, task: number): number {
    return this.nodesOf(job, type, task)?.length ?? 0;
  }

  /** The task should not be tried on the node again. */
  refuses(job: number, type: SlotType, task: number, node: number): boolean {
    const nodes = this.nodesOf(job, type, task);
    return nodes?.includes(node) === true && new Set(nodes).size < this.livingNodes(job);
  }

  /** Which tasks of the type should not be tried on the node again. */
  refusal(job: number, type: SlotType, node: number): (task: number) => boolean {
    return (task) => this.refuses(job, type, task, node);
  }

  /** The node gets no task of the job. */
  avoids(job: number, node: number): boolean {
    const failures = this.ofJob.get(job);
    if (failures === undefined || failures.flaky === 0) return false;
    const isFlaky = (failures.onNode.get(node) ?? 0) >= this.maxPerNode;
    return isFlaky && failures.flaky < MOST_FLAKY * this.livingNodes(job);
  }

  /** The job has gone. */
  forget(job: number): void {
    this.ofJob.delete(job);
  }

  private nodesOf(job: number, type: SlotType, task: number): readonly number[] | undefined {
    return this.ofJob.size === 0 ? undefined : this.ofJob.get(job)?.ofTask.get(keyOf(type, task));
  }
}

function keyOf(type: SlotType, task: number): number {
  return 2 * task + type;
}
