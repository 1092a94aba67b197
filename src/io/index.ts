export { type ReadAllocations, parseAllocations, readAllocations } from "./allocations/read.js";
export { parseXml } from "./allocations/xml.js";
export { PACKAGE_ROOT, bideVersion, codeVersion } from "./bide-version.js";
export { type ReadCapacities, capacitiesOf, readCapacities } from "./capacity/read.js";
export {
  EXAMPLES_FOLDER,
  type Example,
  exampleFiles,
  exampleNamed,
  exampleText,
  filesOfExample,
  shippedExamples,
  exampleNames,
} from "./examples.js";
export { type ConfigElement, RefusedFile } from "./allocations/elements.js";
export { readExplained, readExplainedYarn } from "./explained-file.js";
export type { FairQueueText, ReadFairFile } from "./yarn/allocation-file.js";
export type { ReadCapacityFile } from "./yarn/capacity-file.js";
export type { PlacementRule } from "./yarn/placement.js";
export { resourceWords } from "./yarn/resource-text.js";
export type { ReadSite } from "./yarn/site-file.js";
export { type FileKind, type KnownKind, fileKindOf } from "./file-kind.js";
export { type Diagnostic, InputError } from "./input-error.js";
export { loadPlugins } from "./plugins/load-plugins.js";
export { baselineText, readBaseline } from "./regress/baseline-file.js";
export { junitText } from "./regress/junit.js";
export { type LoadedRegress, type LoadedRun, loadRegress, regressJsonSchema } from "./regress/load-regress.js";
export {
  PUBLISHED,
  checkRows,
  chosenRows,
  experimentOf,
  parsePublished,
  readPublished,
} from "./reproduce/published-file.js";
export { type ScorecardRow, readScorecard, scorecardOf } from "./reproduce/scorecard-file.js";
export { benchJsonSchema, benchText, readBench } from "./results/bench-schema.js";
export {
  type ComparisonFolder,
  isComparisonFolder,
  readComparisonFolder,
  writeComparison,
} from "./results/comparison-folder.js";
export {
  type DecisionLogFile,
  type ExplainedJob,
  readDecisionLog,
  readExplainedRun,
  readMapLaunchUs,
  readPreemptionLog,
  readStageLog,
  type StagedJob,
  type StageTaskTimes,
  type StageLogFile,
} from "./results/decision-log-file.js";
export { TablesUnavailable, writeParquet } from "./results/duckdb.js";
export { encodeHistogram, encodeValues } from "./results/hdr.js";
export { LatencyHistogram, PERCENTILES } from "./results/latency-histogram.js";
export {
  ResultsFolder,
  defaultFolder,
  fileNamePart,
  inNewFolder,
  resultsReadme,
  writeResults,
} from "./results/results-folder.js";
export { type RunFolder, isRunFolder, readRunFolder } from "./results/run-folder.js";
export {
  type Curve,
  type JobAttempts,
  MOST,
  type GroupShares,
  type RunPicture,
  distinctLabels,
  readRunPicture,
  shortLabel,
} from "./results/run-picture.js";
export { columnNames, runTables } from "./results/run-tables.js";
export {
  type RunTrace,
  attemptWords,
  type TraceAttempts,
  type TraceChoice,
  type TraceGroupSample,
  readRunTrace,
} from "./results/run-trace.js";
export { jsonText, summaryJsonSchema, summaryText } from "./results/summary-schema.js";
export {
  asWriteError,
  cannotWrite,
  checkEnding,
  checkNewFile,
  checkNewReport,
  textOf,
  writeWholeFile,
  writeWholePieces,
  isFile,
} from "./results/whole-file.js";
export { AssemblyMemo, assemble, readTree } from "./scenario/assemble.js";
export { poolNotesOf, poolNotesOfList, refuseStrayPools } from "./scenario/hadoop/declared-pools.js";
export { DEFAULT_CLUSTER, DEFAULT_NODE } from "./scenario/hadoop/cluster.js";
export { NO_FAULTS } from "./scenario/hadoop/faults.js";
export { LIMITS } from "./scenario/limits.js";
export {
  type LoadOptions,
  type LoadedScenario,
  loadAnyScenario,
  loadScenario,
  overridesOf,
  parseAnyScenario,
  parseScenario,
} from "./scenario/load.js";
export { waitWords } from "./scenario/hadoop/hadoop-words.js";
export {
  platformJsonSchema,
  PLATFORMS,
  platformNamed,
  recordWordsOf,
  scenarioJsonSchema,
  wordsOf,
} from "./scenario/platforms.js";
export type { Platform } from "./scenario/platform.js";
export { resolvedToJson, settingsOf } from "./scenario/resolved.js";
export { DEFAULT_RUNTIME } from "./scenario/hadoop/runtime.js";
export { allowedNames, nearest, printable, quote, show } from "./scenario/show.js";
export { type LoadedSystem, type LoadedSystems, loadSystems, parseSystems } from "./scenario/systems.js";
export {
  BANDWIDTH_PATTERN,
  DURATION_PATTERN,
  SIZE_PATTERN,
  formatDuration,
  formatSize,
  parseBandwidth,
  parseDuration,
  parseRate,
  parseSize,
} from "./scenario/units.js";
export { plainTree, readYaml } from "./scenario/yaml-document.js";
export { type AskedSweep, SQL_LIMITS, type SqlLimits, askSweep, exportAnswer, pointsWhere } from "./sweep/ask-sweep.js";
export { linearRange, logarithmicRange } from "./sweep/axes.js";
export { Journal, checkedLine, readJournal, valueOfLine } from "./sweep/journal.js";
export { type LoadedSweep, type SweepOptions, loadSweep, measureProblem, parseSweep } from "./sweep/load-sweep.js";
export { type StoredPlan, planText } from "./sweep/plan-file.js";
export { type QueuedTask, queuedTaskOf } from "./sweep/queue-schema.js";
export type { CellForm } from "./sweep/sweep-database.js";
export { SWEEP_FILES, SweepFolder, type SweepFolderRequest, readSweepFolder } from "./sweep/sweep-folder.js";
export { type JoinedParts, joinParts } from "./sweep/sweep-parts.js";
export { sweepJsonSchema } from "./sweep/sweep-schema.js";
export { seriesTable } from "./sweep/sweep-tables.js";
export { unknownGroups, unknownInAll } from "./sweep/unknown-groups.js";
export { systemReason } from "./system-reason.js";
export { readTextFile } from "./text-file.js";
export { type CsvRecord, CsvSplitter } from "./workloads/csv-records.js";
export { readLines } from "./workloads/lines.js";
export { type KeptWorkloads, exactText, loadWorkload, workloadName } from "./workloads/load.js";
export { parseSwimLine } from "./workloads/swim.js";
export { type ConfLine, type ReadConf, parseSparkConf, readSparkConf } from "./spark/conf.js";
export { type ReadExecutors, executorsCsv, readExecutorsCsv } from "./spark/executors-csv.js";
export { SparkHosts } from "./spark/hosts.js";
export { type ReadPools, readSparkPools, sparkPoolsOf } from "./spark/pool-file.js";
export { type SettingMeaning, type SparkConfiguration, configurationOf, sparkTimeUs } from "./spark/settings.js";
export { type CoreHolder, coreEndsMs, FreeCores, turnaroundsMs } from "./spark/recorded-times.js";
export { type JobRows, type StagesCluster, readStagesCsv, stagesCsv } from "./spark/stages-csv.js";
export { type LoggedApplication, type ReadLogsOptions, readEventLogs } from "./spark/event-log.js";
export { type ImportReport, type SparkImport, importApplication } from "./spark/import-application.js";
export { drawn, isDrawn, heldOut, importedLog, type ImportedLog } from "./imports.js";
export { loggedLevels, readRecorded, type RecordedRun } from "./recorded.js";
export { type ImportEnd, importEnd, importLines, writeImports } from "./spark/write-import.js";
export { type HadoopImport, importJobs } from "./histories/import-jobs.js";
export { readHadoopRecords } from "./histories/read-records.js";
export { hadoopImportEnd, hadoopImportLines, writeHadoopImport } from "./histories/write-import.js";
