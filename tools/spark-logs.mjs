/**
 * Holds simulations of Spark's event logs against what the logs recorded: the tables of docs/spark-logs.md. The logs
 * are not part of this repository; tools/spark-logs.csv says where each comes from.
 *
 *   node tools/spark-logs.mjs FOLDER rewrite the tables (after `npm run build`); FOLDER has the logs by the names of
 *   tools/spark-logs.csv
 *
 * A table stands between `<!-- written by: node tools/spark-logs.mjs FOLDER, NAME -->` and `<!-- end -->`.
 */
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { argv, stderr } from "node:process";
import { fileURLToPath } from "node:url";
import { format } from "prettier";
import { importApplication, InputError, readEventLogs, writeImports } from "../dist/io/index.js";
import { replay } from "../dist/lab/index.js";

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const PAGE = at("../docs/spark-logs.md");
const BLOCK = /(<!-- written by: node tools\/spark-logs\.mjs FOLDER, (\w+) -->\n)[\s\S]*?(<!-- end -->)/g;

/** As `bide import` takes it if nothing is said. */
const AFTER_WITHIN_US = 60e6;

/** A log counts in the summary from so many tasks, or so much time in which jobs run. */
const LEAST_TASKS = 100;
const LEAST_BUSY_US = 60e6;

/** An error is large beyond this. */
const LARGE = 0.1;

const COLUMNS = ["none", "recorded", "heldOut"];

/**
 * Recordings of one application: the second is predicted from the first. The first three pairs differ in executors, the
 * others in nothing.
 */
const PAIRS = [
  ["sync-similarity-20x4.zstd", "sync-similarity-32x1"],
  ["sync-similarity-32x1", "sync-similarity-20x4.zstd"],
  ["dfsio-64-4x4-a.inprogress", "dfsio-64-4x4-b.inprogress"],
  ["spade5-0412", "spade5-04101712"],
  ["rapids-join-1.zstd", "rapids-join-2.zstd"],
];

const scratch = mkdtempSync(join(tmpdir(), "bide-spark-logs-"));

/** A log, its import, and its replays by what is copied; `refusal` in their place if there is nothing to simulate. */
async function measured({ file, repository, path }, folder, number) {
  const place = join(folder, file);
  if (!existsSync(place)) return { file, refusal: "not in the folder" };
  const [application] = await readEventLogs([place]);
  const spark = importApplication(application, { afterWithinUs: AFTER_WITHIN_US });
  if (spark.jobs.length === 0) return { file, refusal: "no task of it ended" };
  const directory = join(scratch, String(number));
  mkdirSync(directory);
  await writeImports([spark], directory, directory);
  const scenario = join(directory, "scenario.yaml");
  const results = {};
  for (const copied of COLUMNS) results[copied] = await replay(scenario, { set: [`workload.copied=${copied}`] });
  return { number, file, repository, path, application, spark, directory, scenario, results };
}

const percent = (share) => (share === null ? "-" : (share * 100).toFixed(1));
const signed = (share) => (share === null ? "-" : `${share > 0 ? "+" : ""}${percent(share)}`);
const seconds = (us) => (us === null ? "-" : Number((us / 1e6).toPrecision(3)).toString());

function table(head, rows) {
  return [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");
}

function errorsTable(logs) {
  return table(
    [
      ...["", "log", "Spark", "tasks", "jobs run, s", "jobs' time: error %, nothing copied", "copied", "held out"],
      ...["stages: median error %, nothing copied", "copied", "held out"],
    ],
    logs.map(({ number, file, application, spark, results }) => [
      ...[number, `\`${file}\``, application.sparkVersion ?? "not said", spark.report.written.tasks],
      ...[seconds(results.recorded.busy.recordedUs), ...COLUMNS.map((one) => signed(results[one].busy.error))],
      ...COLUMNS.map((one) => percent(results[one].stages.medianError)),
    ]),
  );
}

function isLargeEnough({ spark, results }) {
  const { tasks } = spark.report.written;
  return tasks >= LEAST_TASKS || results.recorded.busy.recordedUs >= LEAST_BUSY_US;
}

function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

function summaryTable(logs) {
  const judged = logs.filter(isLargeEnough).filter(({ results }) => results.recorded.busy.error !== null);
  const words = { none: "nothing copied", recorded: "copied", heldOut: "held out by stage" };
  const rows = COLUMNS.map((column) => {
    const busy = judged.map(({ results }) => Math.abs(results[column].busy.error));
    const stages = judged.map(({ results }) => results[column].stages.medianError);
    const within = busy.filter((error) => error <= LARGE).length;
    return [
      ...[words[column], judged.length, percent(quantile(busy, 0.5)), percent(quantile(busy, 0.9))],
      ...[percent(Math.max(...busy)), `${within} of ${judged.length}`, percent(quantile(stages, 0.5))],
    ];
  });
  return table(
    ["", "logs", "jobs' time: median error %", "nine of ten within %", "largest %", "within 10 %", "stages: median %"],
    rows,
  );
}

/** Logs that are off by more than 10 % though all is copied, and the stage that is farthest off in seconds. */
function outsideTable(logs) {
  const rows = logs.flatMap(({ number, results: { recorded } }) => {
    const { busy, stages } = recorded;
    if (busy.error === null || Math.abs(busy.error) <= LARGE) return [];
    const offUs = (one) => Math.abs((one.simulatedUs ?? 0) - (one.recordedUs ?? 0));
    const [worst] = stages.times.filter(({ error }) => error !== null).sort((a, b) => offUs(b) - offUs(a));
    const left = worst.leftOut === undefined ? "none" : `${worst.leftOut.attempts}, ${seconds(worst.leftOut.us)} s`;
    return [
      [
        ...[number, signed(busy.error), seconds(busy.simulatedUs - busy.recordedUs)],
        ...[`job ${worst.job}, stage ${worst.stage}`, seconds(worst.recordedUs), seconds(worst.simulatedUs), left],
      ],
    ];
  });
  if (rows.length === 0) return "None.";
  return table(
    ["", "error, %", "off by, s", "farthest off", "recorded, s", "simulated, s", "attempts not run again"],
    rows,
  );
}

function copiedTable(logs) {
  const rows = logs.filter(isLargeEnough).map(({ number, results: { recorded } }) => {
    const share = (start) => {
      const found = recorded.copied.find(({ what }) => what.includes(start));
      return found === undefined || found.wholeUs === 0 ? "" : percent(found.us / found.wholeUs);
    };
    return [number, share("first task"), share("before stages"), share("scheduler delay"), share("that failed")];
  });
  return table(
    [
      ...["", "driver's time to the first task, % of stage time", "around stages, % of job time"],
      ...["scheduler delay, % of task time", "failed attempts, % of task time"],
    ],
    rows,
  );
}

function awayTable(logs) {
  const rows = logs.flatMap(({ number, spark }) =>
    spark.report.away
      .filter(({ awayTasks }) => awayTasks > 0)
      .map((one) => [
        ...[number, one.reads, one.level, one.awayTasks, one.besideTasks, one.stages],
        ...(one.unidentified === null
          ? [one.factor.toFixed(2), `${one.low.toFixed(2)} to ${one.high.toFixed(2)}`]
          : ["not identified", `${one.low.toFixed(1)} to ${one.high.toFixed(1)} carried`]),
        one.cpuFactor === null ? "" : one.cpuFactor.toFixed(2),
      ]),
  );
  return table(
    ["", "reads", "level", "tasks there", "tasks beside their data", "stages", "factor", "95 %", "CPU time"],
    rows,
  );
}

/** The second recording, predicted by the first on the executors of the second. */
async function pairsTable(logs) {
  const rows = [];
  for (const [from, to] of PAIRS) {
    const [known, asked] = [from, to].map((name) => logs.find(({ file }) => file === name));
    if (known === undefined || asked === undefined) continue;
    const name = join(known.directory, `executors-${asked.number}.csv`);
    copyFileSync(join(asked.directory, "executors.csv"), name);
    const result = await replay(known.scenario, { set: [`executors.file=${name}`] });
    const [before, after] = [known, asked].map(({ results }) => results.recorded.busy.recordedUs);
    const predicted = result.busy.simulatedUs;
    rows.push([
      ...[known.number, asked.number, seconds(before), seconds(after), seconds(predicted)],
      signed((predicted - after) / after),
    ]);
  }
  return table(["from", "to", "recorded there, s", "recorded here, s", "predicted, s", "error, %"], rows);
}

function sourcesTable(logs) {
  return table(
    ["", "log", "repository", "file"],
    logs.map(({ number, file, repository, path }) => [number, `\`${file}\``, repository, `\`${path}\``]),
  );
}

function known() {
  const [, ...lines] = readFileSync(at("spark-logs.csv"), "utf8").trim().split("\n");
  return lines.map((line) => {
    const [file, repository, ...rest] = line.split(",");
    return { file, repository, path: rest.slice(0, -1).join(",") };
  });
}

const [folder] = argv.slice(2);
if (folder === undefined) {
  console.error(
    "node tools/spark-logs.mjs FOLDER: a folder of event logs of Spark, by the names of tools/spark-logs.csv",
  );
  process.exit(2);
}
try {
  const all = [];
  for (const one of known()) {
    stderr.write(`${one.file}\n`);
    const number = all.filter(({ refusal }) => refusal === undefined).length + 1;
    all.push(await measured(one, folder, number));
  }
  const logs = all.filter(({ refusal }) => refusal === undefined);
  for (const { file, refusal } of all) if (refusal !== undefined) console.log(`${file}: ${refusal}`);
  const tables = {
    summary: summaryTable(logs),
    errors: errorsTable(logs),
    outside: outsideTable(logs),
    copied: copiedTable(logs),
    away: awayTable(logs),
    pairs: await pairsTable(logs),
    sources: sourcesTable(logs),
  };
  const page = readFileSync(PAGE, "utf8").replace(BLOCK, (_, before, name, after) => {
    if (tables[name] === undefined)
      throw new Error(`docs/spark-logs.md: there is no table ${name}, only ${Object.keys(tables).join(", ")}`);
    return `${before}\n${tables[name]}\n\n${after}`;
  });
  writeFileSync(PAGE, await format(page, { parser: "markdown", printWidth: 120 }));
  console.log(`${PAGE}: ${Object.keys(tables).length} tables of ${logs.length} logs`);
} catch (error) {
  if (!(error instanceof InputError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
} finally {
  rmSync(scratch, { recursive: true });
}
