import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { asked, figuresOf } from "../../support/spark-truth-figures.mjs";

/** A few of those that `node tools/what-if-truth.mjs` asks. */
const CASES = 5;

const scratch = mkdtempSync(join(tmpdir(), "bide-truth-"));

afterAll(() => {
  rmSync(scratch, { recursive: true });
});

it("bands of what-ifs hold a truth of which the import is told only the log", { timeout: 600_000 }, async () => {
  const answers = [];
  for (let number = 0; number < CASES; number++) {
    const answer = await asked("small", number, scratch);
    if (answer !== null) answers.push(answer);
  }
  expect(answers.length).toBeGreaterThanOrEqual(CASES - 1);
  const effect = figuresOf(answers, "effect");
  expect(effect.holds).toBeGreaterThanOrEqual(0.75 * answers.length);
  expect(effect.wrong).toBeLessThanOrEqual(1);
  // A band that says nothing would hold any truth.
  expect(effect.recognised).toBeGreaterThan(0);
  expect(effect.medianHalfWidth).toBeLessThan(0.25);
});
