import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { counted, printable } from "../../core/kernel/index.js";
import { formatDuration } from "../scenario/units.js";
import { fileNamePart } from "../results/results-folder.js";
import { jsonText } from "../results/summary-schema.js";
import {
  countLines,
  type ImportForm,
  importForm,
  scenarioFileText,
  sectionLines,
  writePieces,
} from "../written-import.js";
import { awaySentence, learntSettings } from "./away.js";
import { executorsCsv } from "./executors-csv.js";
import type { ImportReport, SparkImport } from "./import-application.js";
import { stagesCsv } from "./stages-csv.js";

/** The report of an import, as data. */
interface ImportEnd extends ImportForm {
  readonly applications: readonly (ImportReport & {
    /** In the folder. */
    readonly scenario: string;
    /** Time from the start of the first application to that of this one. */
    readonly startsAfterMs: number;
  })[];
}

/** Returns the report of an import. */
export function importEnd(imports: readonly SparkImport[], folder: string): ImportEnd {
  const first = Math.min(...imports.map(({ recorded }) => recorded.startedMs));
  return {
    ...importForm(folder),
    applications: imports.map((imported) => ({
      ...imported.report,
      scenario: namesOf(imported, imports).scenario,
      startsAfterMs: imported.recorded.startedMs - first,
    })),
  };
}

/**
 * Writes all files of an import into a folder that is there.
 * @param folder to write into. @param shown where the files will be.
 * @throws the reason of `signal`, and the errors of the system.
 */
export async function writeImports(
  imports: readonly SparkImport[],
  folder: string,
  shown: string,
  signal?: AbortSignal,
): Promise<void> {
  for (const imported of imports) {
    const names = namesOf(imported, imports);
    writeFileSync(join(folder, names.scenario), scenarioText(imported, names));
    writeFileSync(join(folder, names.executors), executorsCsv(imported.executors));
    writeFileSync(join(folder, names.conf), confText(imported));
    await writePieces(join(folder, names.stages), stagesCsv(imported.jobs), signal);
    writeFileSync(join(folder, names.recorded), `${JSON.stringify(imported.recorded)}\n`);
  }
  if (imports.length > 1) writeFileSync(join(folder, TOGETHER), togetherText(imports));
  writeFileSync(join(folder, "import.json"), jsonText(importEnd(imports, shown)));
}

/** All applications of an import on one cluster, at the times of the wall clock at which they started. */
const TOGETHER = "together.yaml";

function togetherText(imports: readonly SparkImport[]): string {
  const first = Math.min(...imports.map(({ recorded }) => recorded.startedMs));
  const hosts = new Map(imports.flatMap((imported) => imported.hosts.map((host) => [host.name, hostOf(host)])));
  const [{ configuration }] = imports;
  const scenario = {
    platform: "spark",
    name: "together",
    why: "What applications would have done otherwise side by side, by their event logs.",
    cluster: { hosts: [...hosts.values()] },
    applications: imports.map((imported) => {
      const names = namesOf(imported, imports);
      const { id, attempt } = imported.application;
      return {
        name: [id, attempt].filter((text) => text !== "").join("_"),
        starts: formatDuration((imported.recorded.startedMs - first) * 1000),
        executors: { file: names.executors },
        workload: { kind: "stages", file: names.stages },
        scheduler: schedulerOf(imported, names),
      };
    }),
    runtime: {
      ...ESTIMATED,
      revive: formatDuration(configuration.reviveUs),
      ...learntSettings(imports.map(({ report }) => report)),
    },
    run: { seed: 1, until: "end" },
  };
  return scenarioFileText(
    [
      `Made by bide import spark of ${counted(imports.length, "event log")}; each has a scenario of its own beside this one.`,
      "A log does not say what cores its hosts have: cluster.cores makes applications wait for each other.",
    ],
    scenario,
  );
}

function hostOf({ rack, ...host }: SparkImport["hosts"][number]): object {
  return rack === "" ? host : { ...host, rack };
}

type Names = Readonly<Record<"scenario" | "stages" | "executors" | "conf" | "recorded", string>>;

/** Names of the files of an application; of several applications each has its id in them. */
function namesOf({ application }: SparkImport, imports: readonly SparkImport[]): Names {
  const { id, attempt } = application;
  const part = imports.length === 1 ? "" : `-${fileNamePart([id, attempt].filter((text) => text !== "").join("_"))}`;
  return {
    scenario: `scenario${part}.yaml`,
    stages: `stages${part}.csv`,
    executors: `executors${part}.csv`,
    conf: `spark-defaults${part}.conf`,
    recorded: `recorded${part}.json`,
  };
}

/**
 * Times that no log has: medians of one log, of Spark 3.1.1 on YARN with 8,630 tasks
 * (docs/formats/spark-event-logs.md), so that nothing is fitted to the others. How launch and report share their 3 ms
 * is a guess. docs/spark-logs.md holds them against other logs.
 */
const ESTIMATED = { stageStart: "9ms", launch: "2ms", report: "1ms" };

function schedulerOf({ version, hasReduceLocality }: SparkImport, { conf }: Names): object {
  const scheduler = { kind: "spark", version, conf };
  return hasReduceLocality ? scheduler : { ...scheduler, reduceLocality: false };
}

function scenarioText(imported: SparkImport, names: Names): string {
  const { application, configuration, hosts, report } = imported;
  const { id, name } = application;
  const scenario = {
    platform: "spark",
    name: fileNamePart(id || name),
    why: `What ${id || "an application"} would have done otherwise, by its event log.`,
    cluster: { hosts: hosts.map(hostOf) },
    executors: { file: names.executors },
    workload: { kind: "stages", file: names.stages },
    scheduler: schedulerOf(imported, names),
    runtime: {
      ...ESTIMATED,
      revive: formatDuration(configuration.reviveUs),
      ...learntSettings([report]),
    },
    run: { seed: 1, until: "end" },
  };
  return scenarioFileText(
    [
      `Made by bide import spark of ${JSON.stringify(report.log)}.`,
      `${names.recorded} has what was recorded, import.json what was guessed and left out.`,
    ],
    scenario,
  );
}

/**
 * Switches whose effect the tables hold already. Other settings of the same feature count where a scenario asks for it.
 */
const TOLD_OTHERWISE = new Map([
  ["spark.dynamicAllocation.enabled", "The table of executors"],
  ["spark.shuffle.reduceLocality.enabled", "The table of stages"],
]);

/** The settings of the log that bear on the run. Backslashes and line ends are those of Java's properties. */
function confText({ settings }: SparkImport): string {
  const lines = settings
    .filter(({ use }) => use === "used")
    .map(({ key, value }) => {
      const line = `${key} ${value.replace(/\\/g, "\\\\").replace(/\r/g, "\\r").replace(/\n/g, "\\n")}\n`;
      const carrier = TOLD_OTHERWISE.get(key);
      return carrier === undefined ? line : `# ${carrier} says what came of it: ${line}`;
    });
  return `# Settings of Spark in the event log that bear on when and where tasks run.\n${lines.join("")}`;
}

/** The report as text, a line each, without line ends: those in names of the log are written as their codes. */
export function importLines({ applications, folder }: ImportEnd): string[] {
  const lines = applications.flatMap((report) => {
    const { application, name, sparkVersion, scenario, startsAfterMs } = report;
    const release = sparkVersion === null ? "a release that the log does not name" : `Spark ${sparkVersion}`;
    const started = startsAfterMs === 0 ? "" : `, ${formatDuration(startsAfterMs * 1000)} after the first`;
    return [
      `${application || "application"} (${name || "without a name"}), ${release}${started}`,
      ...countLines(report, `${folder}/${scenario}`),
      ...sectionLines(
        "learnt",
        report.away.map((factor) => awaySentence(factor)),
      ),
    ];
  });
  return lines.map(printable);
}
