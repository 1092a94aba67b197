import { describe, expect, it } from "vitest";
import { Flows } from "../../dist/core/cluster/index.js";
import { meanReadSeconds, readSecondsOf, sharedReadEndSeconds } from "./closed-forms.js";
import { type Draws, estimate, expectAgreement } from "./monte-carlo.js";

const DISK = 1e8;
const READ_SECONDS = 0.5;
const MOST_AT_ONCE = 500;

interface Read {
  readonly aloneSeconds: number;
  readonly seconds: number;
}

/** Poisson reads of one disk, the first tenth left out; sizes as they would take alone. */
function readsOfDisk(draws: Draws, load: number, reads: number, size: (draws: Draws) => number): Read[] {
  const flows = new Flows(Float64Array.of(DISK), MOST_AT_ONCE);
  const free = Array.from({ length: MOST_AT_ONCE }, (_, i) => i);
  const startedUs = new Float64Array(MOST_AT_ONCE);
  const aloneSeconds = new Float64Array(MOST_AT_ONCE);
  const done: Read[] = [];
  let atUs = 0;
  for (let i = 0; i < reads; i++) {
    atUs += Math.round(draws.exponential((READ_SECONDS * 1e6) / load));
    while (flows.nextDoneUs() <= atUs) {
      const endUs = flows.nextDoneUs();
      const f = flows.popDone();
      done.push({ aloneSeconds: aloneSeconds[f], seconds: (endUs - startedUs[f]) / 1e6 });
      free.push(f);
    }
    const f = free.pop()!;
    aloneSeconds[f] = size(draws);
    startedUs[f] = atUs;
    flows.start(f, atUs, aloneSeconds[f] * DISK, 0);
  }
  return done.slice(reads / 10);
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Nine of ten a fifth, one in ten 8.2 times as long as the mean: the square of the coefficient of variation is 5.8. */
const fewLong = (draws: Draws): number => READ_SECONDS * (draws.fraction() < 0.9 ? 0.2 : 8.2);

describe("a disk shared by Poisson reads", () => {
  it.each([
    ["equal", (): number => READ_SECONDS],
    ["exponential", (draws: Draws): number => draws.exponential(READ_SECONDS)],
    ["mostly small", fewLong],
  ])("takes the mean time of M/G/1-PS, whatever the sizes: %s", (name, size) => {
    const closed = meanReadSeconds({ readsPerSecond: 0.7 / READ_SECONDS, readSeconds: READ_SECONDS });
    const simulated = estimate(81, 20, (draws) =>
      mean(readsOfDisk(draws, 0.7, 20_000, size).map(({ seconds }) => seconds)),
    );
    expectAgreement(`M/G/1-PS at load 0.7, ${name} sizes`, closed, simulated, { resolution: 0.02 * closed });
  });

  it.each([0.2, 8.2])("slows reads of %s times the mean down as much as all others", (times) => {
    const disk = { readsPerSecond: 0.7 / READ_SECONDS, readSeconds: READ_SECONDS };
    const closed = readSecondsOf(disk, times * READ_SECONDS);
    const simulated = estimate(82, 20, (draws) =>
      mean(
        readsOfDisk(draws, 0.7, 20_000, fewLong)
          .filter(({ aloneSeconds }) => aloneSeconds === READ_SECONDS * times)
          .map(({ seconds }) => seconds),
      ),
    );
    expectAgreement(`  reads of ${times} times the mean`, closed, simulated, { resolution: 0.02 * closed });
  });

  it("ends reads that start together where the sizes say: 1, 2 and 4 seconds' worth after 3, 5 and 7 s", () => {
    expect(sharedReadEndSeconds([400, 100, 200], 100)).toEqual([7, 3, 5]);
    const flows = new Flows(Float64Array.of(100), 3);
    [400, 100, 200].forEach((bytes, f) => flows.start(f, 0, bytes, 0));
    const ends = [1, 2, 0].map((f) => [f, flows.nextDoneUs() / 1e6, flows.popDone()]);
    expect(ends).toEqual([
      [1, 3, 1],
      [2, 5, 2],
      [0, 7, 0],
    ]);
  });

  it("refuses more reads than the disk can bear", () => {
    expect(() => meanReadSeconds({ readsPerSecond: 4, readSeconds: 0.25 })).toThrow(
      "readsPerSecond * readSeconds is 1, expected a number less than 1",
    );
    expect(meanReadSeconds({ readsPerSecond: 0, readSeconds: 3 })).toBe(3);
  });
});
