/**
 * Holds simulations of Spark's event logs against what the logs recorded: the tables of docs/spark-logs.md. The logs are not part of this
 * repository; the page says where they come from.
 *
 *   node tools/spark-logs.mjs FOLDER     rewrite the tables (after `npm run build`); each file in FOLDER is a log
 *
 * A table stands between `<!-- written by: node tools/spark-logs.mjs FOLDER, NAME -->` and `<!-- end -->`.
 */
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { argv } from "node:process";
import { fileURLToPath } from "node:url";
import { format } from "prettier";
import { parse, stringify } from "yaml";
import { formatDuration, importApplication, InputError, readEventLogs, writeImports } from "../dist/io/index.js";
import { replay } from "../dist/lab/index.js";

const PAGE = fileURLToPath(new URL("../docs/spark-logs.md", import.meta.url));
const BLOCK = /(<!-- written by: node tools\/spark-logs\.mjs FOLDER, (\w+) -->\n)[\s\S]*?(<!-- end -->)/g;

/** As `bide import` takes it if nothing is said. */
const AFTER_WITHIN_US = 60e6;

/** An error is large beyond this, and only the stages of a log that are farthest off in seconds are told. */
const LARGE = 0.1;
const MOST_STAGES = 5;

/** The host of data that lies on none with executors. */
const DATA_HOST = "without-executors";

const scratch = mkdtempSync(join(tmpdir(), "bide-spark-logs-"));

/** An imported log and its replay; `refusal` in their place if there is nothing to simulate. */
async function imported(folder, file, number) {
  const [application] = await readEventLogs([join(folder, file)]);
  const spark = importApplication(application, { afterWithinUs: AFTER_WITHIN_US });
  if (spark.jobs.length === 0) return { file, application, refusal: "no task of it ended" };
  const directory = join(scratch, String(number));
  mkdirSync(directory);
  await writeImports([spark], directory, directory);
  const scenario = join(directory, "scenario.yaml");
  return { number, file, application, spark, scenario, result: await replay(scenario, { set: [] }) };
}

const percent = (share) => (share === null ? "-" : (share * 100).toFixed(1));
const signed = (share) => (share === null ? "-" : `${share > 0 ? "+" : ""}${percent(share)}`);
const seconds = (us) => (us === null ? "-" : (us / 1e6).toPrecision(3));
const ms = (us) => (us === undefined || us === null ? "-" : String(Math.round(us / 1000)));

function table(head, rows) {
  return [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");
}

function logsTable(logs, refused) {
  const rows = logs.map(({ number, file, application, spark, result }) => [
    ...[number, `\`${file}\``, application.sparkVersion ?? "not said"],
    ...[spark.report.written.tasks, ms(medianRunUs(spark)), spark.report.written.stages],
    spark.report.written.executors,
  ]);
  const none = refused.map(({ file, application, refusal }) => {
    return ["-", `\`${file}\``, application.sparkVersion ?? "not said", refusal, "-", "-", "-"];
  });
  return table(["", "log", "Spark", "tasks", "their median time, ms", "stages", "executors"], [...rows, ...none]);
}

function medianRunUs({ jobs }) {
  const all = jobs.flatMap(({ stages }) => stages.flatMap(({ tasks }) => tasks.map(({ runUs }) => runUs)));
  return all.sort((a, b) => a - b)[all.length >> 1];
}

function timesTable(logs) {
  const within = (times, most) => {
    const known = times.filter(({ error }) => error !== null);
    return percent(known.filter(({ error }) => Math.abs(error) <= most).length / known.length);
  };
  return table(
    [
      ...["", "application, s", "simulated, s", "error, %", "gaps, %", "jobs together, %"],
      ...["stage error, %: median", "p95", "largest", "stages within 10 %", "within 20 %"],
    ],
    logs.map(({ number, result: { whole, gaps, jobs, stages } }) => [
      ...[number, seconds(whole.recordedUs), seconds(whole.simulatedUs), signed(whole.error)],
      ...[percent(gaps.recordedUs / whole.recordedUs), signed(jobs.sum.error)],
      ...[stages.medianError, stages.p95Error, stages.maxError].map(percent),
      ...[within(stages.times, 0.1), within(stages.times, 0.2)],
    ]),
  );
}

function ordersTable(logs) {
  const levels = logs[0].result.levels.map(({ level }) => level);
  return table(
    ["", "launch order", ...levels, "tasks at another level, %"],
    logs.map(({ number, result: { launchOrder, levels: found } }) => {
      const all = found.reduce((sum, { recorded }) => sum + recorded, 0);
      const moved = found.reduce((sum, { recorded, simulated }) => sum + Math.abs(recorded - simulated), 0) / 2;
      return [
        ...[number, launchOrder === null ? "-" : launchOrder.toFixed(3)],
        ...found.map(({ recorded, simulated }) =>
          recorded + simulated === 0 ? "" : `${String(recorded)} → ${String(simulated)}`,
        ),
        percent(moved / all),
      ];
    }),
  );
}

/** What the log itself says of stages that are far off. */
function errorsTable(logs) {
  const rows = logs.flatMap((log) => {
    const { number, result, spark, application } = log;
    const offUs = ({ recordedUs, simulatedUs }) => Math.abs(simulatedUs - recordedUs);
    const largest = result.stages.times
      .filter(({ error }) => error !== null && Math.abs(error) > LARGE)
      .sort((a, b) => offUs(b) - offUs(a));
    return largest.slice(0, MOST_STAGES).map(({ job, stage, recordedUs, simulatedUs, error }) => {
      const told = toldOf(spark, application, job, stage);
      return [
        ...[number, `${job} / ${stage}`, seconds(recordedUs), seconds(simulatedUs), signed(error)],
        ...[told.tasks, told.left, `${String(told.used)} of ${String(told.there)}`, ms(told.startUs)],
        ...[ms(told.medianUs), ms(told.mostUs)],
      ];
    });
  });
  return table(
    [
      ...["", "job / stage", "recorded, s", "simulated, s", "error, %", "tasks", "attempts left out"],
      ...["executors used", "first launch, ms", "messages of a task, ms: median", "largest"],
    ],
    rows,
  );
}

function toldOf({ recorded, jobs, executors }, { stages: logged, tasks }, job, stage) {
  const place = recorded.stages.findIndex((one) => one.job === job && one.stage === stage);
  const { submittedUs, endedUs } = recorded.stages[place];
  const runs = jobs.find((one) => one.job === job).stages.find((one) => one.stage === stage).tasks;
  const { attempts } = recorded;
  const own = [...attempts.stage.keys()].filter((row) => attempts.stage[row] === place);
  const beyond = own
    .map((row) => attempts.finishUs[row] - attempts.launchUs[row] - runs[attempts.task[row]].runUs)
    .sort((a, b) => a - b);
  const [id, attempt = "0"] = stage.split(".");
  const inLog = logged.findIndex((one) => one.id === Number(id) && one.attempt === Number(attempt));
  return {
    tasks: own.length,
    left: tasks.column("stage").filter((one) => one === inLog).length - own.length,
    used: new Set(own.map((row) => attempts.executor[row])).size,
    there: executors.filter(({ fromUs, untilUs }) => fromUs < endedUs && untilUs > submittedUs).length,
    startUs: Math.min(...own.map((row) => attempts.launchUs[row])) - submittedUs,
    medianUs: beyond[beyond.length >> 1],
    mostUs: beyond.at(-1),
  };
}

/** How long executors were idle before they ran another task, and before they were gone. */
function idleTable(logs) {
  const rows = logs.flatMap(({ number, spark: { recorded, executors }, application }) => {
    const timeout = application.properties.find(([key]) => key === "spark.dynamicAllocation.executorIdleTimeout")?.[1];
    if (timeout === undefined) return [];
    const { attempts } = recorded;
    const [between, atEnd] = [[], []];
    for (const { id, fromUs, untilUs } of executors) {
      let idleSinceUs = fromUs;
      // Attempts are in the order of launch.
      for (const [row, executor] of attempts.executor.entries()) {
        if (executor !== id) continue;
        between.push(attempts.launchUs[row] - idleSinceUs);
        idleSinceUs = Math.max(idleSinceUs, attempts.finishUs[row]);
      }
      if (untilUs < Infinity) atEnd.push(untilUs - idleSinceUs);
    }
    if (atEnd.length === 0) return [];
    const gone = atEnd.sort((a, b) => a - b);
    const [longest, least, median, most] = [Math.max(...between), gone[0], gone[gone.length >> 1], gone.at(-1)];
    return [[number, timeout, seconds(longest), gone.length, seconds(least), seconds(median), seconds(most)]];
  });
  return table(
    [
      ...["", "executorIdleTimeout", "longest idle before another task, s", "executors that went"],
      ...["idle before that, s: least", "median", "most"],
    ],
    rows,
  );
}

/** Two thirds of the messages' time go before the task, as in what every import writes. */
function settingsOf({ spark: { recorded } }) {
  const launchUs = Math.round((recorded.delayUs.median * 2) / 3 / 1000) * 1000;
  return {
    ...{ stageStart: recorded.stageStartUs.median, launch: launchUs, report: recorded.delayUs.median - launchUs },
  };
}

async function crossTable(logs) {
  const rows = [];
  for (const from of logs) {
    const settings = settingsOf(from);
    const set = Object.entries(settings).map(([key, us]) => `runtime.${key}=${formatDuration(us)}`);
    const cells = [];
    for (const judged of logs) {
      const { whole, stages } = await replay(judged.scenario, { set });
      const figures = `${signed(whole.error)} / ${percent(stages.medianError)}`;
      cells.push(judged === from ? `(${figures})` : figures);
    }
    rows.push([from.number, Object.values(settings).map(ms).join(" + "), ...cells]);
  }
  return table(["estimated on", "stage start + launch + report, ms", ...logs.map(({ number }) => number)], rows);
}

/** Logs with data on a host without executors, replayed with that host first among hosts. */
async function hostsTable(logs) {
  const rows = [];
  for (const { number, scenario, result } of logs) {
    const text = parse(readFileSync(scenario, "utf8"));
    const { hosts } = text.cluster;
    const data = hosts.filter(({ name }) => name === DATA_HOST);
    if (data.length === 0) continue;
    text.cluster.hosts = [...data, ...hosts.filter(({ name }) => name !== DATA_HOST)];
    const other = scenario.replace("scenario.yaml", "scenario-hosts.yaml");
    writeFileSync(other, stringify(text));
    copyFileSync(
      scenario.replace("scenario.yaml", "recorded.json"),
      other.replace("scenario-hosts.yaml", "recorded-hosts.json"),
    );
    const { whole, stages, launchOrder } = await replay(other, { set: [] });
    const figures = (one) => [signed(one.whole.error), percent(one.stages.medianError), percent(one.stages.maxError)];
    rows.push([number, "last", ...figures(result), result.launchOrder?.toFixed(3) ?? "-"]);
    rows.push([number, "first", ...figures({ whole, stages }), launchOrder?.toFixed(3) ?? "-"]);
  }
  return table(
    ["", `\`${DATA_HOST}\` among hosts`, "application, %", "stages: median, %", "largest, %", "launch order"],
    rows,
  );
}

const [folder] = argv.slice(2);
if (folder === undefined) {
  console.error("node tools/spark-logs.mjs FOLDER: a folder of event logs of Spark");
  process.exit(2);
}
try {
  const all = [];
  for (const file of readdirSync(folder).sort()) {
    const number = all.filter(({ refusal }) => refusal === undefined).length + 1;
    all.push(await imported(folder, file, number));
  }
  const logs = all.filter(({ refusal }) => refusal === undefined);
  const tables = {
    logs: logsTable(
      logs,
      all.filter(({ refusal }) => refusal !== undefined),
    ),
    times: timesTable(logs),
    orders: ordersTable(logs),
    errors: errorsTable(logs),
    idle: idleTable(logs),
    hosts: await hostsTable(logs),
    cross: await crossTable(logs),
  };
  const page = readFileSync(PAGE, "utf8").replace(BLOCK, (_, before, name, after) => {
    if (tables[name] === undefined)
      throw new Error(`docs/spark-logs.md: found table ${name}, allowed ${Object.keys(tables).join(", ")}`);
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
