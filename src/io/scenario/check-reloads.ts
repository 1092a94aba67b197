import { allocationPlaces, type AllocationsPlace } from "./allocation-places.js";
import { valueProblem } from "./check-cluster.js";
import { declaredPools } from "./declared-pools.js";
import type { Problem } from "./diagnose.js";
import type { Imports } from "./imports.js";
import type { SchedulerFile } from "./scheduler-schema.js";
import { quote, showPath } from "./show.js";
import { formatDuration } from "./units.js";

/** What is wrong with allocations as they follow each other: their times, and pools that would have to move. */
export function reloadProblems(file: SchedulerFile, imports: Imports): Problem[] {
  const places = allocationPlaces(file);
  return [...orderProblems(places), ...movedPools(places, imports)];
}

function orderProblems(places: readonly AllocationsPlace[]): Problem[] {
  return places.slice(1).flatMap(({ atUs }, i) => {
    const before = places[i].atUs;
    if (atUs > before) return [];
    const path = ["scheduler", "reloads", i, "at"];
    const found = `${formatDuration(atUs)} for ${showPath(path)}`;
    return [valueProblem(path, found, `later than the one before, ${formatDuration(before)}`)];
  });
}

/** Where a pool lies; what a reload cannot change. */
interface Seat {
  readonly name: string;
  readonly parent: string | null;
  readonly holdsPools: boolean;
  readonly path: readonly PropertyKey[];
  /** What declares it, for messages. */
  readonly source: string;
}

/** Pools are never dropped, so each is held against the first that declared it. */
function movedPools(places: readonly AllocationsPlace[], imports: Imports): Problem[] {
  const first = new Map<string, Seat>();
  const problems: Problem[] = [];
  for (const place of places) {
    for (const seat of seatsAt(place, imports)) {
      const before = first.get(seat.name);
      if (before === undefined) first.set(seat.name, seat);
      else if (before.source !== seat.source && !sameSeat(before, seat)) {
        const found = `the pool ${quote(seat.name)} ${inWords(seat)} in ${seat.source}`;
        problems.push(valueProblem(seat.path, found, `the place it has in ${before.source}, ${inWords(before)}`));
      }
    }
  }
  return problems;
}

function seatsAt({ path, given }: AllocationsPlace, imports: Imports): Seat[] {
  const source = showPath(path);
  if (typeof given !== "string") {
    const { pools } = declaredPools(given.pools, [...path, "pools"]);
    return pools.map(({ name, parent, holdsPools, path: at }) => ({ name, parent, holdsPools, path: at, source }));
  }
  const pools = imports.files.get(given)?.allocations.pools ?? [];
  const parents = new Set(pools.map(({ parent }) => parent));
  return pools.map(({ name, parent }) => ({ name, parent, holdsPools: parents.has(name), path, source }));
}

function sameSeat(a: Seat, b: Seat): boolean {
  return a.parent === b.parent && a.holdsPools === b.holdsPools;
}

function inWords({ parent, holdsPools }: Seat): string {
  const where = parent === null ? "at the top" : `inside ${quote(parent)}`;
  return `${where} ${holdsPools ? "with" : "without"} pools inside`;
}
