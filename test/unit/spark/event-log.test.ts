import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { importApplication, readEventLogs, type SparkImport, stagesCsv } from "../../../dist/io/index.js";
import { SparkLog } from "../../support/spark-log.js";

/** Logs, each called after what it shows. */
const LOGS = new URL("../../data/spark-logs/", import.meta.url).pathname;

let folder: string;
let files = 0;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "bide-spark-log-"));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

function written(content: string | Uint8Array, name = `log-${files++}`): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

async function imported(path: string, afterWithinUs = 60e6): Promise<SparkImport> {
  const [application] = await readEventLogs([path]);
  return importApplication(application, { afterWithinUs });
}

/** All that a log becomes, a line each: jobs, stages, tasks, executors, hosts, what was recorded, and the report. */
async function digest(path: string): Promise<string[]> {
  const { jobs, executors, hosts, version, recorded, report } = await imported(path);
  const line = (value: unknown, indent = ""): string => indent + JSON.stringify(value);
  return [
    ...[version ?? "no version"],
    ...jobs.flatMap(({ stages, ...job }) => [
      line(job),
      ...stages.flatMap(({ tasks, ...stage }) => [line(stage, "  "), ...tasks.map((task) => line(task, "    "))]),
    ]),
    ...[...executors, ...hosts, ...recorded.jobs, ...recorded.stages, recorded.attempts].map((row) => line(row)),
    ...[...report.folded, ...report.guessed, ...report.leftOut],
  ].map((text) => text.replaceAll(LOGS, ""));
}

it.each(readdirSync(LOGS))("What becomes of the log %s", async (name) => {
  expect((await digest(join(LOGS, name))).join("\n")).toMatchSnapshot();
});

it("A job comes at its time where the one before it ended longer ago than is allowed", async () => {
  const comings = async (withinUs: number): Promise<unknown[]> => {
    const { jobs } = await imported(join(LOGS, "job-that-comes-at-its-time.jsonl"), withinUs);
    return jobs.map(({ submitUs, after }) => (after === null ? submitUs : [after.job, after.delayUs]));
  };
  expect(await comings(1e5)).toEqual([1e6, ["0", 1e5], ["0", 1e5], ["2", 5e4]]);
  expect(await comings(0)).toEqual([1e6, 2.1e6, 2.1e6, 3.05e6]);
});

describe("the files of a log", () => {
  const whole = join(LOGS, "have-executors-that-come-back-under-their-id-as-others.jsonl");
  const lines = readFileSync(whole, "utf8").trimEnd().split("\n");
  const csv = async (path: string): Promise<string> => [...stagesCsv((await imported(path)).jobs)].join("");

  it("may follow one another in a folder, by number, from what was compacted on", async () => {
    const path = join(folder, "eventlog_v2_app-1");
    mkdirSync(path);
    const parts = Array.from({ length: 11 }, (_, at) => lines.slice(at, at === 10 ? undefined : at + 1).join("\n"));
    parts.forEach((part, at) => {
      written(`${part}\n`, join("eventlog_v2_app-1", `events_${at + 1}_app-1`));
    });
    written("", join("eventlog_v2_app-1", "appstatus_app-1.inprogress"));
    expect(await csv(path)).toBe(await csv(whole));
    written(`${parts.slice(0, 9).join("\n")}\n`, join("eventlog_v2_app-1", "events_9_app-1.compact"));
    written("no event\n", join("eventlog_v2_app-1", "events_3_app-1"));
    const again = await imported(path);
    expect([...stagesCsv(again.jobs)].join("")).toBe(await csv(whole));
    expect(again.report.leftOut).toEqual([
      "the end of the application: the log was written while it ran, or was cut",
      "jobs that Spark threw away when it compacted the log: what is left is its tail",
    ]);
  });

  it("may be those that Databricks rolls: by their dates, and the one without a date last", async () => {
    const path = join(folder, "databricks");
    mkdirSync(path);
    const [first, second, last] = [lines.slice(0, 3), lines.slice(3, 6), lines.slice(6)].map(
      (part) => `${part.join("\n")}\n`,
    );
    written(gzipSync(second), join("databricks", "eventlog-2024-02-01--00-00.gz"));
    written(gzipSync(first), join("databricks", "eventlog-2024-01-31--23-45.gz"));
    written(last, join("databricks", "eventlog"));
    written("something else", join("databricks", "stderr"));
    expect(await csv(path)).toBe(await csv(whole));
    written(second, join("databricks", "eventlog-2024-02-01--00-00"));
    await expect(csv(path)).rejects.toThrow("has the date of");
  });

  it("of several applications are ordered by the wall time of their start", async () => {
    const [late, early] = [new SparkLog(1_700_000_100_000, "late"), new SparkLog(1_700_000_000_000, "early")];
    const paths = [late, early].map((one) => written(one.start().text()));
    expect((await readEventLogs(paths)).map(({ id }) => id)).toEqual(["early", "late"]);
  });
});
