import { NOWHERE } from "../../core/platforms/spark/index.js";

/** Hosts and their racks by name; Spark's engine has numbers, in the order of first mention. */
export class SparkHosts {
  /** By host. */
  readonly names: string[] = [];
  /** By host; NOWHERE: no rack is known. */
  readonly racks: number[] = [];
  /** By rack. */
  readonly rackNames: string[] = [];
  private readonly numbers = new Map<string, number>();

  /** The number of a host that is there; undefined: there is none of that name. */
  numberOf(name: string): number | undefined {
    return this.numbers.get(name);
  }

  /** The number of a host, which is made on first mention. @param rack of a new host; empty: none is known. */
  add(name: string, rack = ""): number {
    const known = this.numbers.get(name);
    if (known !== undefined) return known;
    const host = this.names.push(name) - 1;
    this.numbers.set(name, host);
    this.racks.push(rack === "" ? NOWHERE : this.rackNumber(rack));
    return host;
  }

  /** Empty: none is known. */
  rackOf(host: number): string {
    return this.rackNames[this.racks[host]] ?? "";
  }

  private rackNumber(rack: string): number {
    const known = this.rackNames.indexOf(rack);
    return known >= 0 ? known : this.rackNames.push(rack) - 1;
  }
}
