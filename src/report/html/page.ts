import type { ComparisonPicture, SweepPicture, ScorecardPicture } from "../index.js";
import { echarts } from "../engine.js";
import {
  addFigure,
  addTable,
  byId,
  darkScheme,
  data,
  element,
  type Figure,
  selectOf,
  shortened,
  shown,
  tableOf,
} from "./figure.js";
import {
  comparisonFacts,
  comparisonFigures,
  systemRows,
  sweepFacts,
  sweepFigures,
  sweepTable,
} from "./measure-figures.js";
import {
  backlogFigure,
  fairnessFigure,
  ganttFigure,
  headline,
  heatFigure,
  localityFigure,
  groupRows,
  groupsFigure,
  replicasFigure,
  responseFigure,
  runsFigure,
  useFigure,
  userRows,
  waitFigure,
} from "./run-figures.js";
import { rowsTable, scorecardFigures } from "./scorecard-figures.js";

/** The script of a report: of runs, of a comparison, of a sweep, or of a scorecard. */

const { runs, comparison, sweep, scorecard } = data;

const page = byId("report");

function showRuns(): void {
  const labels = runs.map(({ folder }) => folder);
  page.append(
    element("h1", [...new Set(runs.map(({ summary }) => shortened(summary.scenario)))].join(", ")),
    element(
      "p",
      "Results of Bide. Times are virtual. Figures over time zoom together: buttons, or Ctrl and the wheel.",
    ),
    headline(labels),
  );
  const grid = element("div", "", "grid");
  const ofRun = element("div", "", "grid");
  const isSeveral = runs.length > 1;
  const showRun = (index: number) => {
    for (const { chart } of shown.splice(isSeveral ? 1 : 0)) chart.dispose();
    ofRun.replaceChildren();
    const run = runs[index];
    const figures = [
      responseFigure,
      localityFigure,
      groupsFigure,
      useFigure,
      fairnessFigure,
      backlogFigure,
      replicasFigure,
      waitFigure,
      heatFigure,
      ganttFigure,
    ];
    for (const make of figures) {
      const figure = make(run);
      if (figure !== null) addFigure(figure, ofRun);
    }
    const addGroups = (kind: string, rows: string[][], count: number, words: string) => {
      const remark = rows.length - 1 < count ? ` ${count} ${kind}s in all; those of most jobs.` : "";
      addTable({ id: `${kind}-table`, title: `By ${kind}`, note: `${words}${remark}`.trim() }, rows, rows, ofRun);
    };
    const { group, resources } = run.summary.words;
    const ofGroups = `A ${group.one} with ${group.many} inside has their jobs too. Shares are over the samples in which it demanded ${resources[0].many}.`;
    addGroups(group.one, groupRows(run), run.groupCount, ofGroups);
    if (run.userCount > 0) addGroups("user", userRows(run), run.userCount, "");
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

/** Shows the title, the question, the facts and the notes of measures, then their figures. @returns where these are. */
function showMeasures(
  { why, notes }: Pick<SweepPicture, "why" | "notes">,
  title: string,
  [label, facts]: readonly [string, string[][]],
  figures: readonly Figure[],
): HTMLElement {
  page.append(element("h1", shortened(title)));
  if (why !== "") page.append(element("p", why));
  page.append(tableOf(label, facts, "facts"));
  for (const note of notes) page.append(element("p", `Note: ${note}`));
  const grid = element("div", "", "grid");
  page.append(grid);
  for (const figure of figures) addFigure(figure, grid);
  return grid;
}

function showComparison(picture: ComparisonPicture): void {
  const facts = ["what is compared", comparisonFacts(picture)] as const;
  const grid = showMeasures(picture, picture.scenario, facts, comparisonFigures(picture));
  const rows = systemRows(picture);
  addTable({ id: "what", title: "Systems", note: "" }, rows, rows, grid);
  grid.append(
    element(
      "p",
      picture.bands === null
        ? "In tables: mean ± half-width of the 95 % interval, without ± where seeds change nothing; * differs from the baseline; ? rests on too few runs for 95 %; - has no value."
        : `In tables: means; of differences ${picture.bands}; - has no value.`,
    ),
  );
  picture.tables.forEach(({ title, rows }, place) => {
    addTable({ id: `table-${place + 1}`, title, note: "" }, rows, rows, grid);
  });
}

function showSweep(picture: SweepPicture): void {
  const facts = ["what was swept", sweepFacts(picture)] as const;
  const grid = showMeasures(picture, picture.name, facts, sweepFigures(picture));
  const { rows, whole, note } = sweepTable(picture);
  addTable({ id: "points", title: "Points", note }, rows, whole, grid);
}

function showScorecard(picture: ScorecardPicture): void {
  page.append(element("h1", "Published and measured"), element("p", picture.summary));
  const note =
    "Measured values are means over replications, with 95 % intervals where there are several, and a pale " +
    "line where one more run would lie. A check: within tolerance. A bar: undecided. A cross: missed. Grey: fitted, " +
    "or a variant, which do not count.";
  page.append(element("p", note));
  const grid = element("div", "", "grid");
  page.append(grid);
  const columns = element("div", "", "columns");
  page.append(columns);
  const { papers, ratioFigures } = scorecardFigures(picture);
  for (const figure of papers) addFigure(figure, grid);
  for (const figure of ratioFigures) addFigure(figure, columns);
  page.append(rowsTable(picture));
}

if (comparison !== null) showComparison(comparison);
else if (sweep !== null) showSweep(sweep);
else if (scorecard !== null) showScorecard(scorecard);
else showRuns();
darkScheme.addEventListener("change", () => {
  for (const { restyle } of shown) restyle();
});
