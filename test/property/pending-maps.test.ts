import fc from "fast-check";
import { describe, it } from "vitest";
import { PendingMapsPair, type PendingMapsHistory, type PendingMapsStep } from "../support/pending-maps-pair.js";
import { SEARCH_TIMEOUT_MS, searchForProblem } from "../support/search.js";

const FILE = "test/property/pending-maps.test.ts";

const any = fc.nat(10_000);
/** A small number, so that steps meet the same few jobs, nodes and blocks. */
const few = fc.nat(5);
const node = fc.oneof(few, any);

/** `entries`: how often a job enters, by weight. */
function mixed(maxSteps: number, maxMaps: number, entries: number): fc.Arbitrary<PendingMapsHistory> {
  const maps = fc.integer({ min: 0, max: maxMaps });
  const step: fc.Arbitrary<PendingMapsStep> = fc.oneof(
    {
      weight: entries,
      arbitrary: fc.record({
        do: fc.constant("enter" as const),
        file: fc.integer({ min: -1, max: 3 }),
        firstBlock: few,
        maps,
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("end" as const), job: any }) },
    {
      weight: 6,
      arbitrary: fc.record({
        do: fc.constant("take" as const),
        job: few,
        node,
        allowed: fc.constantFrom(0, 1, 2, 4),
      }),
    },
    { weight: 4, arbitrary: fc.record({ do: fc.constant("putBack" as const), job: few, task: node }) },
    {
      weight: 6,
      arbitrary: fc.record({ do: fc.constantFrom("addReplica" as const, "removeReplica" as const), block: node, node }),
    },
    { weight: 3, arbitrary: fc.record({ do: fc.constant("search" as const), node }) },
  );
  return histories(fc.array(step, { maxLength: maxSteps, size: "max" }), maxMaps);
}

/** A few jobs of which no map is looked for before the end. */
const unasked: fc.Arbitrary<PendingMapsHistory> = histories(
  fc.array(
    fc.oneof(
      {
        weight: 1,
        arbitrary: fc.record({ do: fc.constant("enter" as const), file: few, firstBlock: few, maps: fc.constant(9) }),
      },
      {
        weight: 9,
        arbitrary: fc.record({ do: fc.constantFrom("launch" as const, "putBack" as const), job: fc.nat(1), task: few }),
      },
      {
        weight: 2,
        arbitrary: fc.record({
          do: fc.constantFrom("addReplica" as const, "removeReplica" as const),
          block: few,
          node,
        }),
      },
    ),
    { maxLength: 60, size: "max" },
  ),
  9,
);

function histories(steps: fc.Arbitrary<PendingMapsStep[]>, maxMaps: number): fc.Arbitrary<PendingMapsHistory> {
  return fc.record({
    racks: fc.array(fc.integer({ min: 1, max: 15 }), { minLength: 1, maxLength: 5 }),
    rows: fc.constantFrom(0, 0, 1, 2, 3),
    files: fc.array(fc.integer({ min: 1, max: maxMaps }), { maxLength: 4 }),
    replication: fc.integer({ min: 1, max: 4 }),
    requeuedIgnoreLocality: fc.boolean(),
    rackByRack: fc.boolean(),
    steps,
  });
}

/** As many jobs with input as tables first have room for, more or less, and then some without. */
const crowds: fc.Arbitrary<PendingMapsHistory> = fc
  .tuple(mixed(60, 6, 1), fc.integer({ min: 60, max: 68 }), fc.integer({ min: 1, max: 8 }))
  .map(([history, readers, others]) => {
    const enter = (file: number) => ({ do: "enter", file, firstBlock: 0, maps: 2 }) as const;
    const first = [...Array<number>(readers).fill(0), ...Array<number>(others).fill(-1)].map(enter);
    return { ...history, files: [4, ...history.files], steps: [...first, ...history.steps] };
  });

describe("the index of pending maps and its naive twin", () => {
  it(
    "never find different maps, while jobs come and go, maps are taken and put back, and replicas appear and vanish",
    () => searchForProblem(FILE, mixed(150, 8, 3), 300, (history) => new PendingMapsPair(history).firstProblem()),
    SEARCH_TIMEOUT_MS,
  );

  it(
    "never find different maps of jobs of which none was looked for while maps were launched and put back",
    () => searchForProblem(FILE, unasked, 300, (history) => new PendingMapsPair(history).firstProblem()),
    SEARCH_TIMEOUT_MS,
  );

  it(
    "never find different maps with more jobs, blocks and nodes than the index first made room for",
    async () => {
      await searchForProblem(FILE, mixed(300, 30, 20), 40, (history) => new PendingMapsPair(history).firstProblem());
      await searchForProblem(FILE, crowds, 40, (history) => new PendingMapsPair(history).firstProblem());
    },
    SEARCH_TIMEOUT_MS,
  );
});
