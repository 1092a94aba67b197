/** No host, executor or rack. */
export const NOWHERE = -1;

/**
 * The executors of an application, with their hosts and racks. Executors, hosts and racks are numbers from 0 on. A
 * decommissioned executor still runs tasks; the release decides whether it counts for the locality levels.
 */
export class Executors {
  private readonly hosts: number[] = [];
  private readonly alive = new Set<number>();
  /** The time of its order to go; Infinity: it has none. */
  private readonly leavesAt: number[] = [];
  /** Some executor has an order to go. */
  anyLeaves = false;
  private readonly leavingHosts = new Set<number>();
  private readonly onHost: number[][] = [];
  private readonly hostsOnRack: number[][] = [];

  /** @param rackOf rack of a host, or NOWHERE: only some cluster managers know racks. */
  constructor(
    private readonly rackOf: (host: number) => number,
    private readonly knowsDecommissioning: boolean,
  ) {}

  isKnown(executor: number): boolean {
    return this.alive.has(executor);
  }

  add(executor: number, host: number): void {
    if (this.isKnown(executor)) return;
    this.hosts[executor] = host;
    this.alive.add(executor);
    this.leavesAt[executor] = Infinity;
    const siblings = (this.onHost[host] ??= []);
    siblings.push(executor);
    const rack = this.rackOf(host);
    if (rack !== NOWHERE && siblings.length === 1) (this.hostsOnRack[rack] ??= []).push(host);
  }

  remove(executor: number): void {
    if (!this.isKnown(executor)) return;
    this.alive.delete(executor);
    const host = this.hosts[executor];
    const siblings = this.onHost[host];
    siblings.splice(siblings.indexOf(executor), 1);
    if (siblings.length > 0) return;
    this.leavingHosts.delete(host);
    const rack = this.rackOf(host);
    if (rack !== NOWHERE) this.hostsOnRack[rack].splice(this.hostsOnRack[rack].indexOf(host), 1);
  }

  /** Orders it to go. @param host of which all executors go; NOWHERE: it goes alone. */
  decommission(executor: number, nowUs: number, host = NOWHERE): void {
    if (!this.isKnown(executor)) return;
    this.anyLeaves = true;
    if (this.leavesAt[executor] === Infinity) this.leavesAt[executor] = nowUs;
    if (host !== NOWHERE) this.leavingHosts.add(host);
  }

  /** Returns the time of its order to go; Infinity: it has none. */
  leavesAtUs(executor: number): number {
    return this.leavesAt[executor] ?? Infinity;
  }

  hostOf(executor: number): number {
    return this.hosts[executor] ?? NOWHERE;
  }

  rackOfHost(host: number): number {
    return this.rackOf(host);
  }

  /** In the order in which they came. */
  aliveOn(host: number): readonly number[] {
    return this.onHost[host] ?? [];
  }

  everyAlive(holds: (executor: number, host: number) => boolean): boolean {
    for (const executor of this.alive) if (!holds(executor, this.hosts[executor])) return false;
    return true;
  }

  countsExecutor(executor: number): boolean {
    return this.isKnown(executor) && !(this.knowsDecommissioning && this.leavesAt[executor] < Infinity);
  }

  countsHost(host: number): boolean {
    if (this.knowsDecommissioning && this.leavingHosts.has(host)) return false;
    return this.aliveOn(host).some((executor) => this.countsExecutor(executor));
  }

  countsRack(rack: number): boolean {
    return (this.hostsOnRack[rack] ?? []).some((host) => !(this.knowsDecommissioning && this.leavingHosts.has(host)));
  }
}
