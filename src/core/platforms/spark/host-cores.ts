import { assert } from "../../kernel/index.js";
import { NOWHERE } from "./executors.js";

/** An executor that an application asks its cluster for. */
export interface CoresRequest {
  readonly cores: number;
  /**
   * Returns the host that it would go to now. @param hasRoom whether a host has its cores free. @returns NOWHERE: no
   * host that it may be on has room.
   */
  readonly choose: (hasRoom: (host: number) => boolean) => number;
  /** Its cores are taken on that host; called within `ask`, or when others give cores back. */
  readonly granted: (host: number) => void;
}

/**
 * Cores of hosts that the executors of several applications share, as where Spark runs by itself: requests are served
 * in the order in which they were made, and one that finds no room keeps none from those behind it
 * (`Master.startExecutorsOnWorkers`).
 */
export class HostCores {
  private readonly free: number[];
  private readonly waiting = new Set<CoresRequest>();

  /** @param cores by host; Infinity: as many as anybody wants. */
  constructor(private readonly cores: readonly number[]) {
    this.free = [...cores];
  }

  /** Takes the cores now, or as soon as there is room. */
  ask(request: CoresRequest): void {
    if (!this.serve(request)) this.waiting.add(request);
  }

  /** It is not wanted any more. @returns whether it was waiting. */
  cancel(request: CoresRequest): boolean {
    return this.waiting.delete(request);
  }

  /** Others may have them. */
  giveBack(host: number, cores: number): void {
    this.free[host] += cores;
    assert(this.free[host] <= this.cores[host], "a host gets more cores back than it has");
    for (const request of this.waiting) if (this.serve(request)) this.waiting.delete(request);
  }

  private serve(request: CoresRequest): boolean {
    const host = request.choose((candidate) => this.free[candidate] >= request.cores);
    if (host === NOWHERE) return false;
    this.free[host] -= request.cores;
    assert(this.free[host] >= 0, "a host gives more cores than it has");
    request.granted(host);
    return true;
  }
}
