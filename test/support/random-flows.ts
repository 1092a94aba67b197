import fc from "fast-check";

/** A step in the life of some transfers; `afterUs` since the step before. */
export interface FlowStep {
  readonly what: "start" | "stop" | "extend" | "capacity" | "reserve" | "lift";
  readonly afterUs: number;
  readonly flow: number;
  readonly bytes: number;
  readonly resources: readonly number[];
  readonly amount: number;
}

export interface FlowHistory {
  readonly capacity: readonly number[];
  readonly steps: readonly FlowStep[];
}

export const MOST_FLOWS = 12;

/** Few distinct numbers, so that shares tie; some that are no nice fractions; dead and endless resources. */
const capacities = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(1, 2, 3, 10, 100, 1e8) },
  { weight: 3, arbitrary: fc.double({ min: 0.1, max: 1e9, noNaN: true }) },
  { weight: 1, arbitrary: fc.constantFrom(0, Infinity) },
);

/** Histories of up to 12 transfers over up to 8 resources. */
export const flowHistories: fc.Arbitrary<FlowHistory> = fc
  .array(capacities, { minLength: 1, maxLength: 8 })
  .chain((capacity) =>
    fc.record({
      capacity: fc.constant(capacity),
      steps: fc.array(
        fc.record({
          what: fc.constantFrom("start", "start", "start", "start", "stop", "extend", "capacity", "reserve", "lift"),
          afterUs: fc.oneof(fc.constant(0), fc.nat(3_000_000)),
          flow: fc.nat(MOST_FLOWS - 1),
          bytes: fc.oneof(fc.constantFrom(0, 1, 10, 1000), fc.double({ min: 0, max: 1e9, noNaN: true })),
          resources: fc.uniqueArray(fc.nat(capacity.length - 1), { maxLength: 4 }),
          amount: capacities,
        }),
        { maxLength: 40 },
      ),
    }),
  );
