import fc from "fast-check";
import { describe, it } from "vitest";
import { PendingMapsPair, type PendingMapsHistory, type PendingMapsStep } from "../support/pending-maps-pair.js";
import { SEARCH_TIMEOUT_MS, searchForProblem } from "../support/search.js";

const FILE = "test/property/pending-maps.test.ts";

const any = fc.nat(10_000);
/** A small number, so that steps meet the same few jobs, nodes and blocks. */
const few = fc.nat(5);
const node = fc.oneof(few, any);

function steps(maxMaps: number, entries: number): fc.Arbitrary<PendingMapsStep> {
  const maps = fc.integer({ min: 0, max: maxMaps });
  return fc.oneof(
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
}

/** `entries`: how often a job enters, by weight. */
function histories(maxSteps: number, maxMaps: number, entries: number): fc.Arbitrary<PendingMapsHistory> {
  return fc.record({
    racks: fc.array(fc.integer({ min: 1, max: 15 }), { minLength: 1, maxLength: 5 }),
    rows: fc.constantFrom(0, 0, 1, 2, 3),
    files: fc.array(fc.integer({ min: 1, max: maxMaps }), { maxLength: 4 }),
    replication: fc.integer({ min: 1, max: 4 }),
    requeuedIgnoreLocality: fc.boolean(),
    steps: fc.array(steps(maxMaps, entries), { maxLength: maxSteps, size: "max" }),
  });
}

/** As many jobs with input as tables first have room for, more or less, and then some without. */
const crowds: fc.Arbitrary<PendingMapsHistory> = fc
  .tuple(histories(60, 6, 1), fc.integer({ min: 60, max: 68 }), fc.integer({ min: 1, max: 8 }))
  .map(([history, readers, others]) => {
    const enter = (file: number) => ({ do: "enter", file, firstBlock: 0, maps: 2 }) as const;
    const first = [...Array<number>(readers).fill(0), ...Array<number>(others).fill(-1)].map(enter);
    return { ...history, files: [4, ...history.files], steps: [...first, ...history.steps] };
  });

describe("the index of pending maps and its naive twin", () => {
  it(
    "never find different maps, while jobs come and go, maps are taken and put back, and replicas appear and vanish",
    () => searchForProblem(FILE, histories(150, 8, 3), 300, (history) => new PendingMapsPair(history).firstProblem()),
    SEARCH_TIMEOUT_MS,
  );

  it(
    "never find different maps with more jobs, blocks and nodes than the index first made room for",
    async () => {
      await searchForProblem(FILE, histories(500, 30, 20), 40, (history) =>
        new PendingMapsPair(history).firstProblem(),
      );
      await searchForProblem(FILE, crowds, 40, (history) => new PendingMapsPair(history).firstProblem());
    },
    SEARCH_TIMEOUT_MS,
  );
});
