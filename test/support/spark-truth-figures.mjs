import { rmSync } from "node:fs";
import { join } from "node:path";
import { drawnCase, KINDS, logText, predicted, ran } from "./spark-truth.mjs";

/** A true difference beyond this share of the duration is to be recognised. */
const LARGE = 0.1;

/**
 * Asks a case. Differences are seconds that the other setting takes more than the recorded one; `truth` of a run of its own, `sameNoise` of one
 * whose noise, failures and offers are those of the recorded run. Null: a job of it failed. @param scratch a folder.
 */
export async function asked(series, number, scratch) {
  const one = drawnCase(series, number);
  const recorded = ran(one, one.recorded, "recorded");
  const other = ran(one, one.other, "other");
  const same = ran(one, one.other, "recorded");
  if (recorded.seconds === null || other.seconds === null || same.seconds === null) return null;
  const folder = join(scratch, one.name);
  const { mean, low, high, comparison, spark } = await predicted(one, logText(one, one.recorded, recorded), folder);
  rmSync(folder, { recursive: true });
  const { seconds } = recorded;
  return {
    ...{ name: one.name, kind: one.kind, recorded: one.recorded, other: one.other, seconds, mean, low, high },
    ...{ truth: other.seconds - seconds, sameNoise: same.seconds - seconds },
    ...{ replayed: comparison.systems[0].measures.makespanSeconds.mean, modelError: comparison.modelError },
    away: spark.report.away.map(({ reads, level, factor, low: least, high: most, unidentified }) => {
      return { reads, level, factor, least, most, unidentified };
    }),
    real: one.away,
  };
}

/** The figures of answers, by the truth of which they are held. */
export function figuresOf(answers, truth = "truth") {
  const holds = answers.filter((one) => one.low <= one[truth] && one[truth] <= one.high).length;
  const differing = answers.filter(({ low, high }) => low > 0 || high < 0);
  const wrong = differing.filter((one) => Math.sign(one.mean) !== Math.sign(one[truth])).length;
  const widths = answers.map(({ low, high, seconds }) => (high - low) / 2 / seconds).sort((a, b) => a - b);
  const large = answers.filter((one) => Math.abs(one[truth]) > LARGE * one.seconds);
  const recognised = large.filter((one) => (one[truth] > 0 ? one.low > 0 : one.high < 0)).length;
  return {
    ...{ cases: answers.length, holds, differing: differing.length, wrong, large: large.length, recognised },
    medianHalfWidth: widths.length === 0 ? null : (widths[(widths.length - 1) >> 1] + widths[widths.length >> 1]) / 2,
  };
}

export function truthTable(answers) {
  const rows = [
    ["all", answers, "truth"],
    ...KINDS.map((kind) => [kind, answers.filter((one) => one.kind === kind), "truth"]),
    ["all, same noise", answers, "sameNoise"],
  ].map(([name, own, truth]) => {
    const { cases, holds, differing, wrong, large, recognised, medianHalfWidth } = figuresOf(own, truth);
    const half = medianHalfWidth === null ? "-" : (100 * medianHalfWidth).toFixed(1);
    return [name, cases, `${holds} (${percent(holds, cases)})`, half, `${wrong} of ${differing} (${percent(wrong, differing)})`, `${recognised} of ${large} (${percent(recognised, large)})`];
  });
  const head = ["", "cases", "bands that hold the truth", "median half-width, % of the duration", "wrong sign, of bands without 0", "recognised, of differences > 10 %"];
  return [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");
}

function percent(part, whole) {
  return whole === 0 ? "-" : `${((100 * part) / whole).toFixed(1)} %`;
}
