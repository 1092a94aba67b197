import { rmSync } from "node:fs";
import { join } from "node:path";
import { drawnCase, KINDS, logText, predicted, ran } from "./spark-truth.mjs";

/** A true difference beyond this share of the duration is to be recognised. */
const LARGE = 0.1;

/**
 * Asks a case. Differences are seconds that the other setting takes more than the recorded one; `truth` of a run of its
 * own, `sameNoise` of one whose noise, failures and offers are those of the recorded run. Null: a job of it failed.
 * @param scratch a folder.
 */
export async function asked(series, number, scratch) {
  const one = drawnCase(series, number);
  const recorded = ran(one, one.recorded, "recorded");
  const other = ran(one, one.other, "other");
  const same = ran(one, one.other, "recorded");
  if (recorded.seconds === null || other.seconds === null || same.seconds === null) return null;
  const folder = join(scratch, one.name);
  const { effect, anotherRun, comparison, spark } = await predicted(one, logText(one, one.recorded, recorded), folder);
  rmSync(folder, { recursive: true });
  const { seconds } = recorded;
  return {
    name: one.name,
    kind: one.kind,
    recorded: one.recorded,
    other: one.other,
    seconds,
    effect: { ...effect, truth: same.seconds - seconds },
    anotherRun: { ...anotherRun, truth: other.seconds - seconds },
    replayed: comparison.systems[0].measures.makespanSeconds.mean,
    modelError: comparison.modelError,
    away: spark.report.away.map(({ reads, level, factor, low: least, high: most, unidentified }) => {
      return { reads, level, factor, least, most, unidentified };
    }),
    real: { ...one.away, ...one.hidden },
    warmUp: spark.report.warmUp,
    spread: spark.report.spread,
  };
}

/** What is asked of each case: what the setting changes, or what another run with it takes. */
const QUESTIONS = { effect: "what the setting changes", anotherRun: "what another run takes" };

/** @param question of QUESTIONS. */
export function figuresOf(answers, question) {
  const asked = answers.map((one) => ({ seconds: one.seconds, ...one[question] }));
  const holds = asked.filter(({ low, high, truth }) => low <= truth && truth <= high).length;
  const differing = asked.filter(({ low, high }) => low > 0 || high < 0);
  const wrong = differing.filter(({ mean, truth }) => Math.sign(mean) !== Math.sign(truth)).length;
  const widths = asked.map(({ low, high, seconds }) => (high - low) / 2 / seconds).sort((a, b) => a - b);
  const large = asked.filter(({ truth, seconds }) => Math.abs(truth) > LARGE * seconds);
  const recognised = large.filter(({ low, high, truth }) => (truth > 0 ? low > 0 : high < 0)).length;
  return {
    cases: asked.length,
    holds,
    differing: differing.length,
    wrong,
    large: large.length,
    recognised,
    medianHalfWidth: (widths[(widths.length - 1) >> 1] + widths[widths.length >> 1]) / 2,
  };
}

export function truthTable(answers) {
  const rows = Object.entries(QUESTIONS).flatMap(([question, words]) =>
    ["", ...KINDS].flatMap((kind) => {
      const own = answers.filter((one) => kind === "" || one.kind === kind);
      if (own.length === 0) return [];
      const { cases, holds, differing, wrong, large, recognised, medianHalfWidth } = figuresOf(own, question);
      return [
        [
          ...[kind === "" ? words : `- ${kind}`, cases, `${holds} (${percent(holds, cases)})`],
          ...[`${wrong} of ${differing} (${percent(wrong, differing)})`, `${(100 * medianHalfWidth).toFixed(1)} %`],
          `${recognised} of ${large} (${percent(recognised, large)})`,
        ],
      ];
    }),
  );
  const head = ["", "bands", "hold the truth", "wrong sign, of those without 0", "median half-width, of the duration"];
  const all = [[...head, "recognised, of differences beyond 10 %"], head.concat("").map(() => "---"), ...rows];
  return all.map((row) => `| ${row.join(" | ")} |`).join("\n");
}

function percent(part, whole) {
  return whole === 0 ? "-" : `${((100 * part) / whole).toFixed(1)} %`;
}
