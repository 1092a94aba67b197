import fc from "fast-check";
import type {
  AllocationsSpec,
  PlacementRuleName,
  PlacementRuleSpec,
  PoolSpec,
  UserGroupsSpec,
} from "../../dist/core/scenario/index.js";
import { USERS } from "./random-workloads.js";

/** Where a pool lies; what is said of it may change, its place may not. */
export interface PlaceInTree {
  readonly name: string;
  readonly parent: string | null;
}

/** Names in no order of theirs. */
const NAMES = ["beta", "alpha", "Beta", "10", "9", "b"];

const MAX_DEPTH = 3;

/** Three to six pools, each at the top or in one before it. */
export const trees: fc.Arbitrary<PlaceInTree[]> = fc
  .array(fc.nat(1000), { minLength: 3, maxLength: NAMES.length, size: "max" })
  .map((draws) => {
    const tree: PlaceInTree[] = [];
    draws.forEach((draw, i) => {
      const around = tree.at(draw % (i + 2));
      const isDeep = around !== undefined && around.name.split(".").length >= MAX_DEPTH;
      if (around === undefined || isDeep) tree.push({ name: NAMES[i], parent: null });
      else tree.push({ name: `${around.name}.${NAMES[i]}`, parent: around.name });
    });
    return tree;
  });

/** No pools in pools. */
export const flatTrees: fc.Arbitrary<PlaceInTree[]> = fc
  .constantFrom(0, 1, 2, 2, 3, 3, 4)
  .map((count) => NAMES.slice(0, count).map((name) => ({ name, parent: null })));

/** Pools that jobs name: those without pools inside, one that nobody declares, `default`, and one with pools inside. */
export function jobPoolsOf(tree: readonly PlaceInTree[]): string[] {
  const isInner = ({ name }: PlaceInTree): boolean => tree.some(({ parent }) => parent === name);
  const leaves = tree.filter((place) => !isInner(place));
  const inner = tree.filter(isInner).slice(0, 1);
  return [...leaves.map(({ name }) => name), "stray", "default", ...inner.map(({ name }) => name)];
}

/** Rarely 0, for most cases should end by themselves. */
const maxSlots = fc.oneof(
  { weight: 14, arbitrary: fc.constant(Infinity) },
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 6 }) },
  { weight: 1, arbitrary: fc.constantFrom(0, 1) },
);

const maxJobs = fc.oneof(
  { weight: 12, arbitrary: fc.constant(Infinity) },
  { weight: 5, arbitrary: fc.integer({ min: 1, max: 4 }) },
  { weight: 1, arbitrary: fc.constantFrom(0, 1) },
);

const mode = fc.constantFrom("fair" as const, "fifo" as const);

function timeoutUs(beatUs: number): fc.Arbitrary<number> {
  const some = fc.integer({ min: 0, max: 20 }).map((quarters) => Math.floor((quarters * beatUs) / 4));
  return fc.oneof({ weight: 1, arbitrary: fc.constant(Infinity) }, { weight: 4, arbitrary: some });
}

function poolSettings(beatUs: number): fc.Arbitrary<Omit<PoolSpec, "name" | "parent">> {
  return fc.record({
    weight: fc.constantFrom(1, 1, 2, 0.5, 3, 0.001, 1.1),
    minMaps: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 8 })),
    minReduces: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 4 })),
    maxMaps: maxSlots,
    maxReduces: maxSlots,
    maxJobs: fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: maxJobs }),
    minShareTimeoutUs: fc.oneof(fc.constant(null), timeoutUs(beatUs)),
    fairShareTimeoutUs: fc.oneof(fc.constant(null), timeoutUs(beatUs)),
    mode: fc.option(mode, { nil: null }),
  });
}

/** Every rule but the last may pass a job on; the last one never does (semantics section 2.4). */
const placements: fc.Arbitrary<readonly PlacementRuleSpec[]> = fc
  .record({
    passing: fc.array(
      fc.oneof(
        fc.boolean().map((create): PlacementRuleSpec => ({ rule: "specified", create })),
        fc
          .constantFrom<PlacementRuleName[]>("user", "primaryGroup", "secondaryGroupExistingPool", "default")
          .map((rule): PlacementRuleSpec => ({ rule, create: false })),
      ),
      { maxLength: 3 },
    ),
    last: fc.constantFrom<PlacementRuleName[]>("user", "primaryGroup", "default", "default", "reject"),
  })
  .map(({ passing, last }) => [...passing, { rule: last, create: true }]);

/** The primary group of a user and some others, among them names of pools. */
export function groupsOf(tree: readonly PlaceInTree[]): fc.Arbitrary<UserGroupsSpec[]> {
  const names = fc.constantFrom("staff", "guests", ...jobPoolsOf(tree));
  const groups = fc.uniqueArray(names, { minLength: 1, maxLength: 3 });
  return fc.tuple(...USERS.map((user) => groups.map((list): UserGroupsSpec => ({ user, groups: list }))));
}

/**
 * Allocations of that tree. A pool at the top is sometimes left out, with all in it; from the start, only one that has
 * none in it.
 */
export function allocationsOf(
  tree: readonly PlaceInTree[],
  beatUs: number,
  places: boolean,
  isReload: boolean,
): fc.Arbitrary<AllocationsSpec> {
  const mayBeLeftOut = ({ name, parent }: PlaceInTree): boolean =>
    parent === null && (isReload || tree.every((place) => place.parent !== name));
  const leftOut = (pools: readonly { readonly place: PlaceInTree; readonly listed: boolean }[]): string[] =>
    pools.filter(({ place, listed }) => !listed && mayBeLeftOut(place)).map(({ place }) => place.name);
  const listed = fc.constantFrom(true, true, true, false);
  return fc
    .record({
      pools: fc.tuple(
        ...tree.map((place) =>
          fc.record({ listed, settings: poolSettings(beatUs) }).map((drawn) => ({ ...drawn, place })),
        ),
      ),
      users: fc.option(maxJobs, { nil: null }),
      poolMaxJobs: maxJobs,
      userMaxJobs: maxJobs,
      minShareTimeoutUs: timeoutUs(beatUs),
      fairShareTimeoutUs: timeoutUs(beatUs),
      defaultMode: mode,
      placement: places ? fc.option(placements, { nil: null }) : fc.constant(null),
    })
    .map(({ pools, users, ...rest }) => ({
      ...rest,
      users: users === null ? [] : [{ name: USERS[0], maxJobs: users }],
      pools: pools
        .filter(({ place }) => !leftOut(pools).some((root) => `${place.name}.`.startsWith(`${root}.`)))
        .map(({ place, settings }): PoolSpec => ({ ...place, ...settings })),
    }));
}
