import { duplicate, valueProblem } from "./check-cluster.js";
import type { PoolSettingsFile, PoolsFile } from "./allocations-schema.js";
import type { Problem } from "./diagnose.js";
import { LIMITS } from "./limits.js";
import { asLabel, LABEL_ALLOWED } from "./values.js";
import { quote } from "./show.js";

/** A pool of a file, at its place. */
export interface DeclaredPool {
  /** Full: `outer.inner`. */
  readonly name: string;
  readonly parent: string | null;
  readonly holdsPools: boolean;
  readonly settings: PoolSettingsFile;
  readonly path: readonly PropertyKey[];
}

/** The pools in which others lie come first. Pools whose names cannot be used are left out, with all in them. */
export interface DeclaredPools {
  readonly pools: readonly DeclaredPool[];
  /** What is wrong with their names. */
  readonly problems: readonly Problem[];
}

/** All pools of a file, whichever way they are written and however deep they lie. `path` is where they stand. */
export function declaredPools(file: PoolsFile | undefined, path: readonly PropertyKey[]): DeclaredPools {
  const walk = new PoolWalk();
  if (file !== undefined) walk.enter(file, path, null, 1);
  return walk;
}

class PoolWalk {
  readonly pools: DeclaredPool[] = [];
  readonly problems: Problem[] = [];
  private readonly names = new Set<string>();

  enter(file: PoolsFile, path: readonly PropertyKey[], parent: string | null, level: number): void {
    for (const [key, own, settings] of entries(file)) {
      const at = [...path, key];
      const name = this.fullName(own, parent, level, at);
      if (name === undefined) continue;
      const inside = settings.pools;
      const holdsPools = inside !== undefined && entries(inside).length > 0;
      this.pools.push({ name, parent, holdsPools, settings, path: at });
      if (inside !== undefined) this.enter(inside, [...at, "pools"], name, level + 1);
    }
  }

  /** Undefined with a problem. Names are checked before they are joined: joined ones of a hostile file could be huge. */
  private fullName(
    own: string,
    parent: string | null,
    level: number,
    path: readonly PropertyKey[],
  ): string | undefined {
    if (asLabel(own) === undefined) {
      this.problems.push(badName(path, "pool", own));
      return undefined;
    }
    if (level > LIMITS.poolLevels) {
      const allowed = `at most ${String(LIMITS.poolLevels)} levels`;
      this.problems.push(valueProblem(path, `pools inside pools on ${String(level)} levels`, allowed));
      return undefined;
    }
    const name = parent === null ? own : `${parent}.${own}`;
    if (name.length > LIMITS.nameLength) {
      const found = `a full pool name of ${String(name.length)} characters, ${quote(name)}`;
      this.problems.push(valueProblem(path, found, `at most ${String(LIMITS.nameLength)}`));
      return undefined;
    }
    if (this.names.has(name)) this.problems.push(duplicate([...path, "name"], "pool", name));
    this.names.add(name);
    return name;
  }
}

function entries(file: PoolsFile): (readonly [key: PropertyKey, name: string, settings: PoolSettingsFile])[] {
  if (isList(file)) return file.map((pool, i) => [i, pool.name, pool]);
  return Object.entries(file).map(([name, settings]) => [name, name, settings]);
}

// `Array.isArray` does not narrow readonly arrays away.
function isList(file: PoolsFile): file is Extract<PoolsFile, readonly unknown[]> {
  return Array.isArray(file);
}

/** Of a name that stands as a key. */
export function badName(path: readonly PropertyKey[], what: string, name: string): Problem {
  return { path, atKey: true, message: `found the ${what} name ${quote(name)}, allowed ${LABEL_ALLOWED}` };
}
