/** Which host (thread) runs each rack: rack r on host r mod hosts, so that hosts differ by one rack at most. */
export function dealRacks(racks: number, hosts: number): Int32Array {
  return Int32Array.from({ length: racks }, (_, rack) => rack % hosts);
}
