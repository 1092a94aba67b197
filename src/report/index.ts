export { benchReport, regressReport } from "./bench-report.js";
export {
  type AxisScale,
  TIME_AXIS,
  axisScale,
  duration,
  isLogRange,
  number,
  percent as percentOf,
  plotText,
  timeStep,
  withUnit,
} from "./axes.js";
export {
  type Chart,
  type CustomApi,
  type Dot,
  type Mark,
  type Named,
  areaOfFirst,
  curvesChart,
  distributionChart,
  distributionPoints,
  dotsChart,
  ends,
  heatChart,
  lineOf,
  mark,
  overTimeChart,
  symbolMark,
} from "./charts.js";
export { COLOUR_MAP, PALETTE } from "./colours.js";
export {
  comparisonCsv,
  comparisonMarkdown,
  comparisonReport,
  comparisonTables,
  comparisonText,
} from "./comparison-report.js";
export {
  allocationsReport,
  capacitiesReport,
  elementLines,
  scenarioDigest,
  sparkConfReport,
  sparkPoolsReport,
} from "./config-report.js";
export { yarnCapacityReport, yarnFairReport, yarnSiteReport } from "./yarn-config-report.js";
export { contractReport } from "./contract-report.js";
export {
  type ExplainedWait,
  type LaunchedMap,
  addedShares,
  explainPoolReport,
  explainReport,
  explainWait,
  isWhole,
} from "./explain-report.js";
export {
  type ExplainedStages,
  explainJob,
  explainJobs,
  explainStage,
  explainStagesReport,
  isSkewed,
  preemptionShares,
  preemptionText,
  type PreemptionShare,
  isAllExplained,
} from "./explain-stages-report.js";
export { FIGURE_ENDINGS, type FigureEnding, type FigureLook, figureFile, lettersWithoutShape } from "./figure.js";
export { type PageData, embeddedJson, escapeHtml, htmlReport, isScorecard } from "./html-report.js";
export { latex, latexTables } from "./latex.js";
export {
  type ComparedMeasure,
  type ComparisonPicture,
  type PicturedEstimate,
  type PicturedMeasure,
  type SweepPicture,
  pictured,
  sweepPicture,
} from "./measure-pictures.js";
export { type PlotChoice, drawPlot } from "./plot.js";
export { answerCsv, answerJson, answerLatex, answerMarkdown, answerText } from "./query-report.js";
export type { RunPlot } from "./run-plot.js";
export { type RunReportExtras, type TimelineSamples, groupTimeline, runReport } from "./run-report.js";
export {
  type PicturedRow,
  type ScorecardFigure,
  type ScorecardPicture,
  scorecardPicture,
} from "./scorecard-pictures.js";
export { allowedWords, publishedWords, scorecardMarkdown, scorecardText } from "./scorecard-report.js";
export {
  type SweepView,
  listed,
  refusedLines,
  sweepCsv,
  sweepEndReport,
  sweepJson,
  sweepLatex,
  sweepMarkdown,
  sweepPlanReport,
  sweepReport,
  sweepTablesText,
  usualMeasures,
} from "./sweep-report.js";
export {
  NO_PAINT,
  type Paint,
  bytes,
  counted,
  entry,
  fitted,
  fixed,
  grouped,
  markdownTable,
  noteLines,
  percent,
  plain,
  shortened,
  significant,
  textTable,
  widthOf,
  wrap,
} from "./tables.js";
export { traceJson } from "./trace-events.js";
export { tuneReport } from "./tune-report.js";
export { CANNOT_BE_TOLD, columnTitle, differenceWords, estimateWords, markOf } from "./words.js";
export { replayReport } from "./replay-report.js";
