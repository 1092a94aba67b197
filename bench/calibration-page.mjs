/** The figures of all seeds as one Markdown table, and the page around it. */

/** A figure counts as met within this share of what was published. */
const TOLERANCE = 0.1;

/** @param runs per seed the values of `figures`, in their order. */
export function calibrationTable(figures, runs) {
  const rows = figures.map((figure, i) => {
    const values = runs.map((run) => run[i]).filter((value) => value !== null);
    return rowOf(figure, values, runs.length);
  });
  return markdownTable([
    ["figure", "published", "generated, mean", "lowest to highest", "deviation", "within 10 %"],
    ...rows,
  ]);
}

export function calibrationPage(table, seeds) {
  return `# Calibration of the facebook workload

Written by \`npm run bench:calibration -- --seeds ${seeds}\`: \`scenarios/facebook-day.yaml\` with ${seedText(seeds)}.

${table}

- Medians of maps and reduces are over attempts, launch to finish; of jobs over all jobs that ended within the day, submission to end.
- A rate under load is the number of slots released while more than 95 % were busy, per second of that time.
- Deviation is that of the mean over the seeds; in a published range it is 0. "–": nothing is published for it.
- How full the reduce slots are varies much between seeds, as one large job can fill them: judge the mean only.
- The shares of Table 2 and the median map go into the generator, so their rows only show that it draws what it says. The other medians and
  all figures under load come out of the simulation; knobs were moved until they came near.
- What each figure is made of, and from which source: [workloads](formats/workloads.md#facebook).
`;
}

function seedText(seeds) {
  return seeds === 1 ? "seed 1" : `the seeds 1 to ${seeds}`;
}

function rowOf({ name, published, whyNot }, values, runs) {
  const known = published === undefined ? "–" : published.map(short).join(" to ");
  if (values.length === 0) return [name, known, "never", "–", "–", published === undefined ? "–" : "no: never met"];
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const inSome = values.length < runs ? ` (${values.length} of ${runs} seeds)` : "";
  const spread = `${short(Math.min(...values))} to ${short(Math.max(...values))}${inSome}`;
  if (published === undefined) return [name, known, short(mean), spread, "–", "–"];
  const deviation = deviationOf(mean, published);
  const rounded = Math.round(1000 * deviation) / 10;
  const percent = rounded === 0 ? "0 %" : `${rounded > 0 ? "+" : ""}${rounded.toFixed(1)} %`;
  const verdict = Math.abs(deviation) <= TOLERANCE ? "yes" : `no${whyNot === undefined ? "" : `: ${whyNot}`}`;
  return [name, known, short(mean), spread, percent, verdict];
}

/** Relative distance from a value, or from the nearer end of a range; 0 inside. */
function deviationOf(mean, published) {
  const low = published[0];
  const high = published.at(-1);
  if (mean < low) return mean / low - 1;
  return mean > high ? mean / high - 1 : 0;
}

/** Three digits, or all of a larger number. */
function short(value) {
  if (Math.abs(value) >= 100) return String(Math.round(value));
  return String(Number(value.toPrecision(3)));
}

function markdownTable(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const line = (cells) => `| ${cells.map((cell, column) => cell.padEnd(widths[column])).join(" | ")} |`;
  const rule = `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`;
  return [line(rows[0]), rule, ...rows.slice(1).map(line)].join("\n");
}
