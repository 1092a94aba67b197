import fc from "fast-check";
import { expect, it } from "vitest";
import { type CoreHolder, coreEndsMs, FreeCores, turnaroundsMs } from "../../../dist/io/index.js";

// What a log proves of cores, for random launches: by counting cores in each millisecond.

const EXECUTORS = 3;
const LAST_MS = 60;

type Columns = Parameters<typeof coreEndsMs>[0];

interface Launch {
  readonly executor: number;
  readonly stage: number;
  readonly launch: number;
  readonly run: number;
  readonly afterRun: number;
  readonly isFetched: boolean;
}

const launch: fc.Arbitrary<Launch> = fc.record({
  executor: fc.nat(EXECUTORS - 1),
  stage: fc.nat(2),
  launch: fc.nat(LAST_MS),
  run: fc.constantFrom(-1, 1, 2, 3, 5, 9),
  afterRun: fc.constantFrom(0, 0, 1, 5, 20),
  isFetched: fc.boolean(),
});

const holder: fc.Arbitrary<CoreHolder> = fc.record({
  cores: fc.integer({ min: 1, max: 4 }),
  profile: fc.nat(1),
  fromMs: fc.nat(20),
  untilMs: fc.oneof(fc.constant(Infinity), fc.integer({ min: 21, max: LAST_MS + 20 })),
});

const cluster = fc.record({
  executors: fc.tuple(holder, holder, holder),
  launches: fc.array(launch, { maxLength: 25 }),
  coresOfStage: fc.tuple(fc.constantFrom(1, 2), fc.constant(1), fc.constant(1)),
});

function columnsOf(launches: readonly Launch[]): Columns {
  const column = (of: (one: Launch) => number): Float64Array => Float64Array.from(launches, of);
  const finish = (one: Launch): number => one.launch + Math.max(1, one.run) + one.afterRun;
  return {
    executor: column((one) => one.executor),
    stage: column((one) => one.stage),
    launch: column((one) => one.launch),
    run: column((one) => one.run),
    finish: column(finish),
    result: column((one) => (one.isFetched ? one.launch + Math.max(1, one.run) : 0)),
  } as Columns;
}

/** Cores that attempts of an executor hold at an instant. */
function heldAt(columns: Columns, ends: Float64Array, coresOf: (row: number) => number, at: [number, number]): number {
  const [executor, ms] = at;
  let held = 0;
  ends.forEach((end, row) => {
    const holds = columns.executor[row] === executor && columns.launch[row]! <= ms && ms < end;
    if (holds) held += coresOf(row);
  });
  return held;
}

it("A core counts as held until the result is fetched or the attempt has finished, and no longer than launches prove", () => {
  fc.assert(
    fc.property(cluster, ({ executors, launches, coresOfStage }) => {
      const columns = columnsOf(launches);
      const { launch: at, run, finish, result } = columns;
      const coresOf = (row: number): number => coresOfStage[columns.stage[row]!]!;
      const ends = coreEndsMs(columns, executors, coresOf);
      const usualEnd = (row: number): number =>
        result[row]! > at[row]! && result[row]! <= finish[row]! ? result[row]! : finish[row]!;
      launches.forEach((one, row) => {
        const end = ends[row]!;
        expect(end).toBeLessThanOrEqual(usualEnd(row));
        if (end === usualEnd(row)) return;
        // It was free earlier, as something was launched then that else would have had no core.
        expect(end).toBeGreaterThanOrEqual(at[row]! + run[row]!);
        const others = ends.map((other, of) => (of === row ? usualEnd(row) : other));
        expect(launches.some((other) => other.executor === one.executor && other.launch === end)).toBe(true);
        expect(heldAt(columns, others, coresOf, [one.executor, end])).toBeGreaterThan(executors[one.executor]!.cores);
      });
      // A launch without a free core leaves none held by an attempt whose run was over.
      launches.forEach((one, row) => {
        const holding = launches.flatMap((other, of) => {
          const isBefore = other.launch < one.launch || (other.launch === one.launch && of < row);
          return isBefore && other.executor === one.executor && ends[of]! > one.launch ? [of] : [];
        });
        const held = holding.reduce((sum, of) => sum + coresOf(of), coresOf(row));
        if (held <= executors[one.executor]!.cores) return;
        expect(holding.filter((of) => run[of]! >= 0 && at[of]! + run[of]! <= one.launch)).toEqual([]);
      });
    }),
    { numRuns: 300 },
  );
});

it("The driver's time before a stage is counted while some executor of its profile has a core free for it", () => {
  const question = fc.record({
    submittedMs: fc.nat(LAST_MS),
    spanMs: fc.nat(40),
    cores: fc.constantFrom(1, 2),
    profile: fc.nat(1),
    local: fc.subarray([0, 1, 2]),
  });
  fc.assert(
    fc.property(
      cluster,
      question,
      ({ executors, launches, coresOfStage }, { submittedMs, spanMs, local, ...stage }) => {
        const columns = columnsOf(launches);
        const coresOf = (row: number): number => coresOfStage[columns.stage[row]!]!;
        const ends = coreEndsMs(columns, executors, coresOf);
        const firstMs = submittedMs + spanMs;
        const isLocal = (executor: number): boolean => local.includes(executor);
        const counted = { localMs: 0, anyMs: 0 };
        for (let ms = submittedMs; ms < firstMs; ms++) {
          const free = executors.flatMap((one, executor) => {
            const isThere = one.profile === stage.profile && one.fromMs <= ms && ms < one.untilMs;
            const hasRoom = heldAt(columns, ends, coresOf, [executor, ms]) + stage.cores <= one.cores;
            return isThere && hasRoom ? [executor] : [];
          });
          if (free.length > 0) counted.anyMs++;
          if (free.some(isLocal)) counted.localMs++;
        }
        const cores = new FreeCores(columns, ends, executors, coresOf);
        expect(cores.before({ ...stage, submittedMs, firstMs, isLocal })).toEqual(counted);
      },
    ),
    { numRuns: 300 },
  );
});

it("The driver's turn after an attempt lasts until a launch of its stage on its executor that may have waited, each at most once", () => {
  fc.assert(
    fc.property(cluster, fc.array(fc.boolean(), { minLength: 25, maxLength: 25 }), (drawn, mayWait) => {
      const { executors, launches, coresOfStage } = drawn;
      const columns = columnsOf(launches);
      const ends = coreEndsMs(columns, executors, (row) => coresOfStage[columns.stage[row]!]!);
      const turns = turnaroundsMs(columns, ends, executors, (row) => mayWait[row]!);
      const taken: string[] = [];
      launches.forEach(({ executor, stage }, row) => {
        const turn = turns[row]!;
        expect(turn).toBeGreaterThanOrEqual(0);
        if (turn === 0) return;
        const next = { executor, stage, launch: ends[row]! + turn };
        const those = launches.filter((one, of) => mayWait[of]! && isLike(one, next));
        expect(those.length).toBeGreaterThan(0);
        const name = JSON.stringify(next);
        taken.push(name);
        expect(taken.filter((one) => one === name).length).toBeLessThanOrEqual(those.length);
      });
    }),
    { numRuns: 300 },
  );
});

function isLike(one: Launch, next: Pick<Launch, "executor" | "stage" | "launch">): boolean {
  return one.executor === next.executor && one.stage === next.stage && one.launch === next.launch;
}
