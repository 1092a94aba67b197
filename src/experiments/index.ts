export type { BenchColumn, BenchMachine, BenchReport, BenchRow, BenchTable } from "./bench-report.js";
export type { ComparedSystem, Comparison, Measured } from "./comparison.js";
export {
  CONTRACT_CHECK_KEYS,
  type ContractCheck,
  type ContractCheckKey,
  type ContractFinding,
  type ContractGap,
  type ContractReport,
} from "./contract-report.js";
export { areAlike } from "./measures/alike.js";
export {
  GAIN_MEASURES,
  type JobTimes,
  MEASURES,
  OWN_MEASURES,
  SLOWDOWN_MEASURES,
  jobTimesOf,
  levelShares,
  platformMeasures,
} from "./measures/listed-measures.js";
export {
  type DecisionCost,
  type Measure,
  type MeasureGroup,
  type MeasureUnit,
  type MeasureWords,
  type MeasuredFigures,
  type Notion,
  type SizeGroup,
  boundsOf,
  figuresOfMeasures,
  isIn,
  sizesOf,
  USUAL_WORDS,
} from "./measures/measure.js";
export { groupKey, groupKeyParts, measureList, nameInKey, unlistedMeasureNamed } from "./measures/unlisted-measures.js";
export {
  groupMeasures,
  comparedKeys,
  measureFault,
  measureKey,
  measureNamed,
  wordsOfMeasure,
} from "./measures/pool-measures.js";
export { jobsFrom, mser5, warmUpCut } from "./measures/warm-up.js";
export {
  type AwayFactor,
  type AwayLevel,
  type AwayTasks,
  awayFactors,
  type HostSpeed,
  type TaskTimes,
  taskTimes,
  CARRIED,
  READS,
} from "./calibration/away-factors.js";
export { compareRun, updatedBaseline } from "./regress/compare-run.js";
export { casesJudged, goneRuns, type JudgedCase, judgeSuite, type SuiteFigures } from "./regress/judge.js";
export { EXACT_FIGURES, type RegressPlan, type RegressRun, type SpeedRule } from "./regress/regress-plan.js";
export {
  type AskedQuestion,
  type Baseline,
  type Compared,
  type ComparedRun,
  PASSING,
  type RegressReport,
  type Verdict as RegressVerdict,
  type ReplicationFigures,
  type RunFigures,
  type Setting,
  type SpeedFigures,
} from "./regress/regress-report.js";
export { nullAnswer } from "./reproduce/null-model.js";
export {
  type Bounds,
  FORMULA_NAMES,
  type FormulaName,
  type Formulas,
  type Judged,
  type JudgedBy,
  type JudgedRow,
  type Measurement,
  type NullAnswer,
  type Pair,
  type PointName,
  type Published,
  type PublishedRow,
  ROW_KINDS,
  type RowKind,
  type RowUnit,
  type Score,
  type Scored,
  type Scores,
  type SingleRun,
  type Tolerance,
  type Verdict,
  allowedRange,
  argumentsOf,
  isCounted,
  judge,
  judgedBy,
  pointIndex,
  risingShare,
  scores,
  singleRunOf,
  verdictOf,
} from "./reproduce/scorecard.js";
export {
  type Band,
  CONFIDENCE,
  ENOUGH_RUNS,
  type Estimate,
  binomialCumulative,
  estimate,
  excludesZero,
  hasFewRuns,
  isBeyondStep,
  isFixed,
  pairedDifference,
  quantileEstimate,
} from "./statistics/estimates.js";
export {
  type DrawnSample,
  ENOUGH_DRAWS,
  bandedDifference,
  type HeldToLog,
  hasFewDraws,
  meanOfDraws,
} from "./statistics/bands.js";
export { centralProbability, fractionalStudentT, incompleteBeta, studentT, twoSidedP } from "./statistics/student-t.js";
export { compareSamples, holmAdjusted, pairedTest } from "./statistics/tests.js";
export { type SweepEstimate, type TriedRun, estimateFrom, pointsToTry } from "./sweep/sweep-estimate.js";
export {
  type AxisStep,
  type Shard,
  type SweepAxis,
  type SweepPlan,
  type SweepPoint,
  type WarmUp,
  dealtTo,
} from "./sweep/sweep-plan.js";
export {
  type FailedRun,
  type FinishedRun,
  type RunCounts,
  countKeys,
  countsOf,
  type RunOutcome,
  type RunSeries,
  type SweepRecord,
  type SweepRow,
  enoughReplications,
  sweepRows,
  wantedReplications,
} from "./sweep/sweep-record.js";
export {
  type ComparedMeasure,
  type FailureKind,
  type OrderBy,
  type PointBaseline,
  type PointDifference,
  type PointResult,
  type SweepResults,
  codedNotes,
  narrowed,
  ordered,
  pointDifferences,
  pointEstimates,
  runTotals,
  sampleEstimate,
  sweepResults,
} from "./sweep/sweep-results.js";
export {
  type BestClause,
  type Clause,
  type Goal,
  KnownRuns,
  type RunValues,
  type TuneProblem,
  type Wish,
  hasQuantities,
  measuresOf,
  tuneProblemOf,
} from "./tuning/goal.js";
export type {
  FailedPoint,
  GridReport,
  JudgedMeasure,
  NeighbourReport,
  PointReport,
  RoundReport,
  TheoryInputs,
  TheoryReport,
  TuneReport,
} from "./tuning/tune-report.js";
export {
  type AnswerPosterior,
  type Bound,
  type TuneRound,
  TuneSearch,
  boundOf,
  decide,
  isWithin,
  nearbyPoints,
  nearestPoint,
  shortfalls,
} from "./tuning/tune-search.js";
export {
  HELD_OUT_SEEDS,
  type HeldOutRun,
  type ModelError,
  assumedError,
  modelErrorOf,
  relativeErrorOf,
} from "./model-error.js";
export type { CopiedTime, Replay, ReplayedTimes, TimeErrors } from "./replay.js";
