import { type Cell, groupRows, type PageWords, type ScorecardPicture } from "../index.js";
import { echarts } from "../engine.js";
import {
  addFigure,
  addTable,
  byId,
  data,
  element,
  type Figure,
  selectOf,
  shortened,
  shown,
  tableOf,
} from "./figure.js";
import { comparisonFigures, sweepFigures, sweepRows } from "./measure-figures.js";
import { runFigures, runsFigure } from "./run-figures.js";
import { addRows, scorecardFigures } from "./scorecard-figures.js";

/** The script of a report: of runs, of a comparison, of a sweep, or of a scorecard. */

const { runs, comparison, sweep, scorecard } = data;

const page = byId("report");

function showRuns(): void {
  const labels = runs.map(({ folder }) => folder);
  page.append(
    element("h1", [...new Set(runs.map(({ summary }) => shortened(summary.scenario)))].join(", ")),
    element(
      "p",
      "Results of Bide. Times are virtual. Figures over time zoom together: the bar below each, or Ctrl and the wheel.",
    ),
    tableOf(
      "facts",
      [
        ["", ...labels],
        ...[...new Set(runs.flatMap(({ facts }) => Object.keys(facts)))].map((label) => [
          label,
          ...runs.map(({ facts }) => facts[label] ?? "–"),
        ]),
      ],
      "facts",
    ),
  );
  const grid = element("div", "", "grid");
  const ofRun = element("div", "", "grid");
  const isSeveral = runs.length > 1;
  const showRun = (index: number) => {
    for (const { chart } of shown.splice(isSeveral ? 1 : 0)) chart.dispose();
    ofRun.replaceChildren();
    const run = runs[index];
    for (const figure of runFigures(run)) addFigure(figure, ofRun);
    const { groups, users = [], words } = run.summary;
    const addGroups = (kind: string, listed: typeof groups, count: number, note: string) => {
      const remark = listed.length < count ? ` ${count} ${kind}s in all; those of most jobs.` : "";
      const rows = groupRows(run.summary, listed, kind);
      addTable({ id: `${kind}-table`, title: `By ${kind}`, note: `${note}${remark}`.trim() }, rows, rows, ofRun);
    };
    const ofGroups = `A ${words.group.one} with ${words.group.many} inside has their jobs too. Shares are over the samples in which it demanded ${words.resources[0].many}.`;
    addGroups(words.group.one, groups, run.groupCount, ofGroups);
    if (run.userCount > 0) addGroups("user", users, run.userCount, "");
    if (run.attempts === null) {
      ofRun.append(element("p", "With bide run --tasks there are two figures more: busy slots by node, and attempts."));
    }
    echarts.connect("time");
  };
  page.append(grid);
  if (isSeveral) {
    addFigure(runsFigure(labels), grid);
    const controls = element("div", "", "controls");
    controls.append(selectOf({ label: "figures of", options: labels }, showRun));
    page.append(controls);
  }
  page.append(ofRun);
  showRun(0);
}

/** Shows the title, the question, the facts and the notes of measures, then their figures and tables. */
function showMeasures(
  { title, why, facts, notes, tables }: PageWords,
  figures: readonly Figure[],
  whole?: readonly (readonly Cell[])[],
): void {
  page.append(element("h1", shortened(title)));
  if (why !== "") page.append(element("p", why));
  page.append(tableOf("what was measured", facts, "facts"));
  for (const note of notes) page.append(element("p", `Note: ${note}`));
  const grid = element("div", "", "grid");
  page.append(grid);
  for (const figure of figures) addFigure(figure, grid);
  tables.forEach((table, place) => {
    addTable({ ...table, id: `table-${place}` }, table.rows, whole ?? table.rows, grid);
  });
}

function showScorecard(picture: ScorecardPicture): void {
  page.append(element("h1", "Published and measured"), element("p", picture.summary));
  const note =
    "Measured values are means over replications, with 95 % intervals where there are several, and a pale " +
    "line where one more run would lie. A check: within tolerance. A wave: undecided. A cross: missed. Grey: fitted, " +
    "or a variant, which do not count.";
  page.append(element("p", note));
  const grid = element("div", "", "grid");
  page.append(grid);
  const columns = element("div", "", "columns");
  page.append(columns);
  const { papers, ratioFigures } = scorecardFigures(picture);
  for (const figure of papers) addFigure(figure, grid);
  for (const figure of ratioFigures) addFigure(figure, columns);
  addRows(picture, page);
}

if (comparison !== null) showMeasures(comparison.words, comparisonFigures(comparison));
else if (sweep !== null) showMeasures(sweep.words, sweepFigures(sweep), sweepRows(sweep));
else if (scorecard !== null) showScorecard(scorecard);
else showRuns();
