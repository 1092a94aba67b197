import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HeadTable } from "../../../dist/core/platforms/hadoop/index.js";
import { IntArena } from "../../../dist/core/kernel/index.js";

const steps = fc.array(
  fc.oneof(
    {
      weight: 1,
      arbitrary: fc.record({ what: fc.constant("open"), job: fc.nat(3), key: fc.nat(30), value: fc.constant(0) }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        what: fc.constant("release"),
        job: fc.nat(3),
        key: fc.constant(0),
        value: fc.constant(0),
      }),
    },
    {
      weight: 8,
      arbitrary: fc.record({ what: fc.constant("set"), job: fc.nat(3), key: fc.nat(999), value: fc.nat(99) }),
    },
  ),
  { maxLength: 200 },
);

describe("head tables", () => {
  it("never differ from a map per job, hashed or direct, however wrong the guess of their size", () => {
    fc.assert(
      fc.property(fc.constantFrom(3, 17, 64, 1000), steps, (keys, history) => {
        const arena = new IntArena(16);
        const table = new HeadTable(arena, keys);
        const naive = new Map<number, Map<number, number>>();
        for (const { what, job, key, value } of history) {
          const heads = naive.get(job);
          if (what === "open" && heads === undefined) {
            table.open(job, key);
            naive.set(job, new Map());
          } else if (what === "release" && heads !== undefined) {
            table.release(job);
            naive.delete(job);
          } else if (what === "set" && heads !== undefined) {
            const address = table.claim(job, key % keys);
            arena.words[address] = value;
            heads.set(key % keys, value);
          }
          for (const [other, entries] of naive) {
            for (const [k, head] of entries) expect(arena.words[table.find(other, k)]).toBe(head);
          }
        }
        for (const [job, entries] of naive) {
          const visited = new Set<number>();
          table.forEachKey(job, (key) => visited.add(key));
          for (const key of entries.keys()) expect(visited.has(key)).toBe(true);
          for (let key = 0; key < keys; key++) {
            const address = table.find(job, key);
            if (!entries.has(key)) expect(address < 0 ? -1 : arena.words[address]).toBe(-1);
          }
        }
      }),
      { numRuns: 150 },
    );
  });
});
