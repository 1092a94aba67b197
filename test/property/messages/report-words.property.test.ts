import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LARGEST_OFFER } from "../../../dist/core/platforms/hadoop/index.js";
import { FrameCodec, FrameError, REPORTS, checkReports, ReportWriter } from "../../../dist/messages/index.js";

const BOUNDS = { nodes: 10, slots: 50, sliceUs: 1000, longestReportDelayUs: 3000 };
const MILLION = 1_000_000;
const LARGEST = 2 ** 31 - 1;

/** By kind: how many places a report may name, and the smallest and the largest value that it may say. */
const ALLOWED: readonly [places: number, least: number, most: number][] = [
  [100, 0, 2999], // finished
  [100, 1, 3000], // killed: by the reply to a heartbeat before
  [100, 0, 2999], // failed
  [100, 0, 2999], // sourceLost
  [50, 0, 2999], // commitPending
  [100, 0, MILLION], // progressed
  [1, 0, 0], // returned
  [1, 0, 65_535], // loaded
  [2, 0, LARGEST], // copied
  [2, 0, LARGEST], // notCopied
  [100, 0, LARGEST_OFFER], // proposes a rate
  [50, 0, 1], // atGate
  [50, 0, LARGEST], // sends a replica
  [50, 0, LARGEST], // has moved
];
const KINDS = ALLOWED.map((_, kind) => kind);

/** Five words that are right. */
const report = fc
  .constantFrom(...KINDS)
  .chain((kind) =>
    fc.tuple(
      fc.nat(9),
      fc.nat(999),
      fc.nat(ALLOWED[kind]![0] - 1),
      fc.integer({ min: ALLOWED[kind]![1], max: ALLOWED[kind]![2] }),
      fc.constant(kind),
    ),
  );

describe("words of reports", () => {
  it("never lose, reorder or change a report", () => {
    const codec = new FrameCodec();
    const starts = fc.oneof(fc.nat(10_000), fc.integer({ min: 2 ** 33, max: 2 ** 52 }));
    fc.assert(
      fc.property(fc.array(report, { maxLength: 100 }), starts, (reports, startUs) => {
        const writer = new ReportWriter();
        writer.open(startUs);
        for (const [node, intoUs, place, value, kind] of reports) {
          writer.report(kind, node, startUs + intoUs, place, value);
        }
        codec.decode(codec.encode(REPORTS, 3, writer.bytes()), REPORTS);
        checkReports(codec.words, codec.length, BOUNDS);
        expect([...codec.words.subarray(0, codec.length)]).toEqual(reports.flat());
      }),
    );
  });

  it("never pass a report beyond its bounds", () => {
    const isReport = ([node, intoUs, place, value, kind]: readonly number[]): boolean => {
      const allowed = ALLOWED[kind!];
      if (allowed === undefined) return false;
      return [node! < 10, intoUs! < 1000, place! < allowed[0], value! <= allowed[2]].every(Boolean);
    };
    const word = fc.oneof(fc.integer({ min: -1, max: 15 }), fc.constantFrom(50, 100, 1000, 3000, 3001), fc.integer());
    const changes = fc.array(fc.tuple(fc.nat(), word), { maxLength: 2 });
    const lists = fc.oneof(
      fc.array(fc.oneof(fc.nat(3), fc.integer()), { maxLength: 24 }),
      fc.tuple(fc.array(report, { maxLength: 4 }), changes).map(([reports, changed]) => {
        const words = reports.flat();
        for (const [at, value] of changed) if (words.length > 0) words[at % words.length] = value;
        return words;
      }),
    );
    let passed = 0;
    let refused = 0;
    fc.assert(
      fc.property(lists, (list) => {
        const words = Int32Array.from(list);
        const reports = Array.from({ length: Math.ceil(list.length / 5) }, (_, i) => list.slice(5 * i, 5 * i + 5));
        const valid = reports.every((of) => of.length === 5 && of.every((each) => each >= 0) && isReport(of));
        const check = (): void => checkReports(words, words.length, BOUNDS);
        if (valid) check();
        else expect(check).toThrow(FrameError);
        if (!valid) refused++;
        else if (list.length > 0) passed++;
      }),
      { numRuns: 3000 },
    );
    expect(Math.min(passed, refused)).toBeGreaterThan(100);
  });
});
