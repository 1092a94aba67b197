import fc from "fast-check";
import { expect } from "vitest";

/** Milliseconds that a test may take which searches as long as BIDE_RUNS says. */
export const SEARCH_TIMEOUT_MS = process.env["BIDE_RUNS"] === undefined ? 300_000 : 24 * 3_600_000;

/**
 * How many cases a search tries: as many as asked in `npm run test:searches`, a part of them in `npm test`, or what
 * BIDE_RUNS says.
 */
export function casesToTry(asked: number): number {
  const { BIDE_RUNS, BIDE_LONG } = process.env;
  if (BIDE_RUNS !== undefined) return Number(BIDE_RUNS);
  return BIDE_LONG === undefined ? Math.ceil(asked / 8) : asked;
}

/** How long a case that fails is made smaller. */
const SHRINKING_MS = 15_000;

/** Seed of the cases that every run of the tests tries; BIDE_SEED tries others. */
export const SEED_OF_CASES = Number(process.env["BIDE_SEED"] ?? 2);

/**
 * Looks for a case for which `problemOf` finds something, makes it small, and fails with the problem, the case and one
 * line that reproduces it. BIDE_RUNS sets the number of cases (by default `casesToTry(runs)`), BIDE_SEED and BIDE_PATH
 * which.
 */
export async function searchForProblem<T>(
  testFile: string,
  cases: fc.Arbitrary<T>,
  runs: number,
  problemOf: (example: T) => Promise<string | null> | string | null,
): Promise<void> {
  const { BIDE_PATH } = process.env;
  let shrinkUntilMs = Infinity;
  const property = fc.asyncProperty(cases, async (example) => {
    if (performance.now() > shrinkUntilMs) return;
    try {
      const problem = await problemOf(example);
      if (problem !== null) throw new Error(problem);
    } catch (cause) {
      shrinkUntilMs = Math.min(shrinkUntilMs, performance.now() + SHRINKING_MS);
      throw cause;
    }
  });
  const details = await fc.check(property, {
    numRuns: casesToTry(runs),
    seed: SEED_OF_CASES,
    ...(BIDE_PATH === undefined ? {} : { path: BIDE_PATH }),
  });
  if (!details.failed) return;
  const [first] = (details.counterexamplePath ?? "0").split(":");
  const title = (expect.getState().currentTestName ?? "").replaceAll(" > ", " ");
  const which = `BIDE_SEED=${details.seed} BIDE_PATH=${first}`;
  const reproduce = `${which} npx vitest run ${testFile} -t ${JSON.stringify(title)}`;
  const [example] = details.counterexample ?? [];
  throw new Error(`${String(details.errorInstance)}\nof the case ${fc.stringify(example)}\nreproduce: ${reproduce}`);
}
