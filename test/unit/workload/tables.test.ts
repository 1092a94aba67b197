import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import type { JobSpec } from "../../../dist/core/workload/index.js";
import { InputError, loadWorkload, parseScenario } from "../../../dist/io/index.js";
import { expectTranscript } from "../../support/transcript.js";
import { lengthsOf } from "./workload-file.js";

const FOLDER = "test/golden/workload";
const scratch = mkdtempSync(join(tmpdir(), "bide-tables-"));
afterAll(() => {
  rmSync(scratch, { recursive: true });
});

/** Workloads of more jobs are told as a digest. */
const MOST_JOBS = 9;

function lineOf(job: JobSpec): string {
  const { mapLengths: _maps, copyLengths: _copies, reduceLengths: _reduces, ...rest } = job;
  return JSON.stringify(Object.assign(rest, lengthsOf(job)));
}

/** The jobs of a case: sections of its scenario, and after an empty comment the text of the file that it names. */
async function workloadOf(input: string, shared: string): Promise<string> {
  const isSection = (line: string): boolean => /^(cluster|storage|workload|scheduler|run): /.test(line);
  const lines = input.split("\n");
  const sections = lines.filter(isSection).join("\n");
  const scenario = /^workload: /m.test(sections) ? sections : `${shared}\n${sections}`;
  writeFileSync(join(scratch, "f"), lines.filter((line) => !isSection(line)).join("\n"));
  try {
    const loaded = parseScenario(scenario, join(scratch, "x.yaml"));
    const { jobs, files, notes, ...rest } = await loadWorkload(loaded.scenario, scratch, {});
    const told = [...notes, JSON.stringify(rest), ...jobs.map(lineOf)];
    if (files.length > 0) told.push(JSON.stringify(files, (_, value) => (value instanceof Map ? [...value] : value)));
    if (jobs.length <= MOST_JOBS) return told.join("\n");
    const maps = jobs.reduce((sum, job) => sum + job.maps, 0);
    const digest = createHash("sha256").update(told.join("\n")).digest("hex").slice(0, 16);
    return `${jobs.length} jobs, ${maps} maps, ${files.length} files: ${digest}`;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return error.message.replaceAll(`${scratch}/`, "");
  }
}

it.each(readdirSync(FOLDER))("%s: the jobs of each case, or what is wrong with it", async (name) => {
  await expectTranscript(`${FOLDER}/${name}`, workloadOf);
});

it("a table with line ends of Windows, a mark of byte order and no last line end is the same", async () => {
  const text = readFileSync("test/data/tasks-small.csv", "utf8");
  const shared = "workload: {kind: tasks, file: f}";
  const changed = `\ufeff${text.trimEnd().replaceAll("\n", "\r\n")}`;
  expect(await workloadOf(changed, shared)).toBe(await workloadOf(text, shared));
});
