import { assert } from "../../kernel/index.js";
import { NOWHERE } from "./executors.js";

/** A request of an application for an executor. */
export interface CoresRequest {
  readonly cores: number;
  /**
   * Returns the host for the executor, or NOWHERE if no allowed host has room.
   * @param hasRoom whether a host has enough free cores.
   */
  readonly choose: (hasRoom: (host: number) => boolean) => number;
  /** Called when the cores have been taken on a host: within `ask`, or later, when other executors return cores. */
  readonly granted: (host: number) => void;
}

/**
 * Cores of hosts that the executors of several applications share, as in Spark's standalone mode. Requests are served
 * in the order of their arrival; a request that does not fit blocks none behind it (`Master.startExecutorsOnWorkers`).
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

  /** Withdraws a request. @returns whether it was waiting. */
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
