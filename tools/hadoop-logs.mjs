/**
 * Holds simulations of Hadoop's job histories and Rumen traces against what they recorded: the tables of
 * docs/hadoop-logs.md. The histories are not part of this repository; the page says where they come from.
 *
 *   node tools/hadoop-logs.mjs FOLDER... rewrite the tables (after `npm run build`); each file in a folder is a history
 *   or a trace
 *
 * A table stands between `<!-- written by: node tools/hadoop-logs.mjs FOLDER, NAME -->` and `<!-- end -->`.
 */
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { argv } from "node:process";
import { fileURLToPath } from "node:url";
import { format } from "prettier";
import { importJobs, InputError, readHadoopRecords, writeHadoopImport } from "../dist/io/index.js";
import { replay } from "../dist/lab/index.js";

const PAGE = fileURLToPath(new URL("../docs/hadoop-logs.md", import.meta.url));
const BLOCK = /(<!-- written by: node tools\/hadoop-logs\.mjs FOLDER, (\w+) -->\n)[\s\S]*?(<!-- end -->)/g;

/** Nothing copied, as recorded, and held out by stage. */
const COLUMNS = ["none", "recorded", "heldOut"];

/** A log is large enough to tell something with so many tasks, or so much time in which jobs run. */
const FEWEST_TASKS = 100;
const LEAST_BUSY_US = 60e6;

const scratch = mkdtempSync(join(tmpdir(), "bide-hadoop-logs-"));

/** What was imported already, whatever its file looked like. */
const seen = new Set();

/** An imported history and its replays; `refusal` in their place if there is nothing to compare. */
async function replayed(path, file, number) {
  try {
    const made = importJobs(await readHadoopRecords([path]), [file]);
    if (made.isLoad) return { file, refusal: "it is a load of SLS, no history" };
    if (made.recorded === null) return { file, refusal: "it does not tell when its tasks ran" };
    const digest = createHash("sha256")
      .update(JSON.stringify([made.nodes, made.jobs]))
      .digest("hex");
    if (seen.has(digest)) return { file, refusal: "it tells the same as another" };
    seen.add(digest);
    const directory = join(scratch, String(number));
    mkdirSync(directory);
    await writeHadoopImport(made, directory, directory);
    const scenario = join(directory, "scenario.yaml");
    const results = {};
    for (const copied of COLUMNS) results[copied] = await replay(scenario, { set: [`workload.copied=${copied}`] });
    const { recorded } = results;
    if (recorded.busy.error === null) return { file, refusal: recorded.notes.at(-1) ?? "no job ended" };
    return { file, made, results };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return { file, refusal: error.diagnostics[0].message };
  }
}

const percent = (share) => (share === null ? "-" : (share * 100).toFixed(1));
const signed = (share) => (share === null ? "-" : `${share > 0 ? "+" : ""}${percent(share)}`);
const seconds = (us) => (us === null ? "-" : (us / 1e6).toPrecision(3));

function table(head, rows) {
  return [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");
}

function isLarge({ made, results }) {
  return made.report.written.tasks >= FEWEST_TASKS || results.recorded.busy.recordedUs >= LEAST_BUSY_US;
}

function logsTable(logs) {
  return table(
    ["", "history", "jobs", "tasks", "attempts that run again", "not replayed", "nodes", "busy, s"],
    logs.map(({ file, made, results }, i) => {
      const tasks = made.jobs.flatMap(({ maps, reduces }) => [...maps, ...reduces]);
      const again = tasks.reduce((sum, { failures = [] }) => sum + failures.length, 0);
      const leftOut = made.recorded.stages.reduce((sum, stage) => sum + (stage.leftOut?.attempts ?? 0), 0);
      const { jobs, tasks: written, nodes } = made.report.written;
      return [i + 1, `\`${file}\``, jobs, written, again, leftOut, nodes, seconds(results.recorded.busy.recordedUs)];
    }),
  );
}

function errorsTable(logs) {
  return table(
    [
      ...["", "busy, %: nothing copied", "copied", "held out"],
      ...["jobs together, %: nothing copied", "copied", "held out"],
      ...["stages, median %: nothing copied", "copied", "held out"],
    ],
    logs.map(({ results }, i) => [
      i + 1,
      ...COLUMNS.map((copied) => signed(results[copied].busy.error)),
      ...COLUMNS.map((copied) => signed(results[copied].jobs.sum.error)),
      ...COLUMNS.map((copied) => percent(results[copied].stages.medianError)),
    ]),
  );
}

function summaryTable(logs) {
  const large = logs.filter(isLarge);
  const rows = [
    ["all", logs],
    [`${FEWEST_TASKS} tasks or ${LEAST_BUSY_US / 1e6} s of jobs`, large],
  ].flatMap(([what, some]) =>
    COLUMNS.map((copied) => {
      const errors = (of) => some.map(({ results }) => Math.abs(of(results[copied]) ?? 0)).sort((a, b) => a - b);
      const busy = errors(({ busy: { error } }) => error);
      const within = busy.filter((error) => error <= 0.1).length;
      const at = (sorted, part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? null;
      const stages = errors(({ stages: { medianError } }) => medianError);
      const words = { none: "nothing copied", recorded: "copied", heldOut: "held out by stage" }[copied];
      return [
        ...[what, some.length, words, percent(at(busy, 0.5)), percent(at(busy, 0.9)), `${within} of ${some.length}`],
        percent(at(stages, 0.5)),
      ];
    }),
  );
  return table(["histories", "", "", "busy, %: median", "p90", "within 10 %", "stages, median of medians, %"], rows);
}

/** Each history whose copied run is off by more than a tenth: where the seconds are. */
function outsideTable(logs) {
  const rows = logs.flatMap(({ results: { recorded } }, i) => {
    if (Math.abs(recorded.busy.error) <= 0.1) return [];
    const offUs = ({ recordedUs, simulatedUs }) => simulatedUs - recordedUs;
    const worst = [...recorded.stages.times, ...recorded.jobs.times]
      .filter(({ recordedUs, simulatedUs }) => recordedUs !== null && simulatedUs !== null)
      .sort((a, b) => Math.abs(offUs(b)) - Math.abs(offUs(a)))
      .slice(0, 2);
    return worst.map((row) => {
      const leftOut = row.leftOut === undefined ? "" : `${row.leftOut.attempts}, ${seconds(row.leftOut.us)} s`;
      const name = row.stage === "" ? row.job : `${row.job} / ${row.stage}`;
      return [i + 1, name, seconds(row.recordedUs), seconds(row.simulatedUs), seconds(offUs(row)), leftOut];
    });
  });
  return table(
    ["", "job / stage", "recorded, s", "simulated, s", "off by, s", "attempts that cannot be had again"],
    rows,
  );
}

function refusedTable(refused) {
  return table(
    ["file", "why it is not among them"],
    refused.map(({ file, refusal }) => [`\`${file}\``, refusal.replaceAll("|", "\\|").replace(/[;,] allowed.*/s, "")]),
  );
}

const folders = argv.slice(2);
if (folders.length === 0) {
  console.error("node tools/hadoop-logs.mjs FOLDER...: folders of job histories of MapReduce and traces of Rumen");
  process.exit(2);
}
try {
  const all = [];
  for (const folder of folders) {
    for (const file of readdirSync(folder).sort()) {
      const path = join(folder, file);
      if (!statSync(path).isFile()) continue;
      all.push(await replayed(path, file, all.length));
    }
  }
  const logs = all.filter(({ refusal }) => refusal === undefined);
  const refused = all.filter(({ refusal }) => refusal !== undefined);
  const tables = {
    summary: summaryTable(logs),
    logs: logsTable(logs),
    errors: errorsTable(logs),
    outside: outsideTable(logs),
    refused: refusedTable(refused),
  };
  const page = readFileSync(PAGE, "utf8").replace(BLOCK, (_, before, name, after) => {
    if (tables[name] === undefined)
      throw new Error(`docs/hadoop-logs.md: there is no table ${name}, only ${Object.keys(tables).join(", ")}`);
    return `${before}\n${tables[name]}\n\n${after}`;
  });
  writeFileSync(PAGE, await format(page, { parser: "markdown", printWidth: 120 }));
  console.log(`${PAGE}: ${Object.keys(tables).length} tables of ${logs.length} histories`);
} finally {
  rmSync(scratch, { recursive: true });
}
