import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { counted, US_PER_SECOND, definedFields } from "../../core/kernel/index.js";
import { LIMITS } from "../../core/scenario/index.js";
import { jsonText } from "../results/summary-schema.js";
import { awaySettings } from "../spark/away.js";
import { csvRow } from "../workloads/csv-table.js";
import type { TaskColumn } from "../workloads/tasks-csv.js";
import type { HadoopImport, HadoopReport, ImportedJob, ImportedTask } from "./import-jobs.js";
import { fileProblem } from "../input-error.js";
import {
  countLines,
  type ImportForm,
  importForm,
  scenarioFileText,
  sectionLines,
  writePieces,
} from "../written-import.js";

/** The report of an import, as data. */
interface HadoopImportEnd extends HadoopReport, ImportForm {
  /** In the folder. */
  readonly scenario: string;
}

const SCENARIO = "scenario.yaml";

/** Returns the report of an import. */
export function hadoopImportEnd({ report }: HadoopImport, folder: string): HadoopImportEnd {
  return { ...importForm(folder), scenario: SCENARIO, ...report };
}

/**
 * Writes all files of an import into a folder that is there.
 * @param folder to write into. @param shown where the files will be.
 * @throws InputError when the scenario is longer than one may be, the reason of `signal`, and the errors of the system.
 */
export async function writeHadoopImport(
  made: HadoopImport,
  folder: string,
  shown: string,
  signal?: AbortSignal,
): Promise<void> {
  const scenario = scenarioText(made);
  if (scenario.length > LIMITS.fileBytes || made.nodes.length * VALUES_PER_NODE > LIMITS.values) {
    throw fileProblem(
      shown,
      `would have a scenario with ${counted(made.nodes.length, "node")}, which is more than can be read`,
    );
  }
  writeFileSync(join(folder, SCENARIO), scenario);
  await writePieces(join(folder, "tasks.csv"), tasksCsv(made.jobs), signal);
  if (made.recorded !== null) writeFileSync(join(folder, "recorded.json"), `${JSON.stringify(made.recorded)}\n`);
  writeFileSync(join(folder, "import.json"), jsonText(hadoopImportEnd(made, shown)));
}

const VALUES_PER_NODE = 4;

function scenarioText({
  nodes,
  queues,
  master,
  isLoad,
  isSeveralAtOnce,
  maxAttempts,
  away,
  report,
}: HadoopImport): string {
  const { rackFactor, anyFactor: offSwitchFactor } = awaySettings(away);
  const scenario = {
    platform: "yarn",
    name: isLoad ? "sls" : "history",
    why: isLoad ? "What a load of SLS would do here." : "What the jobs of a cluster would have done otherwise.",
    cluster: { nodes },
    workload: { kind: "tasks", file: "tasks.csv", ...(master === null ? {} : { master }) },
    scheduler: {
      kind: "yarn-fair",
      ...(isSeveralAtOnce ? { assignMultiple: true } : {}),
      queues: queues.map((name) => ({ name })),
    },
    runtime: {
      launch: "0s",
      masterStart: isLoad ? "0s" : "4s",
      // As MapReduce's masters have it where nothing is set: the part that reduces may take, and that they make room at
      // once.
      ...(isLoad ? {} : { reduceRampUp: 0.5, reducePreemption: "2s" }),
      ...definedFields({
        rackFactor,
        offSwitchFactor,
        mapMaxAttempts: maxAttempts.map,
        reduceMaxAttempts: maxAttempts.reduce,
      }),
    },
    run: { seed: 1, until: "end" },
  };
  return scenarioFileText(
    [
      `Made by bide import hadoop of ${counted(report.read.files, "file")}.`,
      "recorded.json has what was recorded, import.json what was guessed and left out.",
    ],
    scenario,
  );
}

const COLUMNS: readonly TaskColumn[] = [
  ...(["job", "type", "seconds", "submit", "count", "copy", "user", "pool", "file", "hosts"] as const),
  ...(["mapMemory", "reduceMemory", "mapVcores", "reduceVcores", "outcome"] as const),
];

/** Columns of a log only; a table of a load has none of these. */
const RECORDED: readonly TaskColumn[] = [
  "level",
  "failures",
  "slowStart",
  "masterStart",
  "masterStartMost",
  "masterEnd",
];

const ROWS_PER_PIECE = 4096;

/** The table as text, in pieces. What holds for a whole job stands in its first row. */
function* tasksCsv(jobs: readonly ImportedJob[]): Generator<string> {
  const isRecorded = jobs.some(({ master }) => master !== undefined);
  let rows = [csvRow(isRecorded ? [...COLUMNS, ...RECORDED] : COLUMNS)];
  for (const job of jobs) {
    let isFirst = true;
    for (const [type, tasks] of [["map", job.maps] as const, ["reduce", job.reduces] as const]) {
      for (const task of tasks) {
        const fields = fieldsOf(job, type, task, isFirst);
        rows.push(csvRow(isRecorded ? [...fields, ...recordedFields(job, task, isFirst)] : fields));
        isFirst = false;
        if (rows.length < ROWS_PER_PIECE) continue;
        yield rows.join("");
        rows = [];
      }
    }
  }
  yield rows.join("");
}

function fieldsOf(job: ImportedJob, type: "map" | "reduce", task: ImportedTask, isFirst: boolean): (string | number)[] {
  const { name, submitUs, user, queue, mapSize, reduceSize, hasFailed } = job;
  const { runUs, count, copyUs, hosts } = task;
  const common = [name, type, secondsOf(runUs), isFirst ? secondsOf(submitUs) : "", count === 1 ? "" : count];
  const copy = copyUs === 0 ? "" : secondsOf(copyUs);
  if (!isFirst) return [...common, copy, "", "", "", hosts.join(" "), "", "", "", "", ""];
  const hasPlaces = job.maps.some((map) => map.hosts.length > 0);
  const bytes = (mb: number | null) => (mb === null ? "" : `${mb}MB`);
  return [
    ...[
      ...common,
      copy,
      user,
      queue,
      hasPlaces ? "" : "-",
      hosts.join(" "),
      bytes(mapSize.memory),
      bytes(reduceSize.memory),
    ],
    ...[mapSize.vcores ?? "", reduceSize.vcores ?? "", hasFailed ? "failed" : ""],
  ];
}

/** The fields under RECORDED. */
function recordedFields(
  { master = {} }: ImportedJob,
  { level, failures = [] }: ImportedTask,
  isFirst: boolean,
): (string | number)[] {
  const { slowStart, startUs, startMostUs, endUs } = master;
  const times = [startUs, startMostUs, endUs].map((us) => (us === undefined || !isFirst ? "" : secondsOf(us)));
  const lost = failures.map(({ heldUs, reason }) => `${heldUs}:${reason}`).join("|");
  return [level ?? "", lost, isFirst ? (slowStart ?? "") : "", ...times];
}

/** Seconds with as many decimals as they need. */
function secondsOf(us: number): string {
  const whole = Math.floor(us / US_PER_SECOND);
  const decimals = String(us % US_PER_SECOND)
    .padStart(6, "0")
    .replace(/0+$/, "");
  return decimals === "" ? String(whole) : `${whole}.${decimals}`;
}

/** The report as text, a line each, without line ends. */
export function hadoopImportLines(end: HadoopImportEnd): string[] {
  return [
    ...countLines(end, `${end.folder}/${end.scenario}`),
    ...sectionLines("learnt", end.learnt),
    ...sectionLines("warning", end.warnings),
  ];
}
