import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  importJobs,
  loadAnyScenario,
  platformNamed,
  readHadoopRecords,
  writeHadoopImport,
} from "../../../dist/io/index.js";
import type { YarnRecord, YarnRun } from "../../../dist/core/platforms/yarn/index.js";
import { replay } from "../../../dist/lab/index.js";
import { HistoryFile, ms } from "../../support/job-history.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bide-copied-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

/** @returns the scenario that is made of the histories. */
async function imported(...histories: HistoryFile[]): Promise<string> {
  const files = histories.map((history, i) => {
    const file = join(folder, `${i}.jhist`);
    writeFileSync(file, history.text());
    return file;
  });
  const out = join(folder, "out");
  mkdirSync(out);
  await writeHadoopImport(importJobs(await readHadoopRecords(files), files), out, out);
  return join(out, "scenario.yaml");
}

async function run(file: string, ...set: string[]): Promise<YarnRecord> {
  const { scenario, directory } = loadAnyScenario(file, { set });
  const simulation = (await platformNamed("yarn")?.build?.(scenario, directory)) as YarnRun;
  simulation.advance(1e12);
  return simulation.record();
}

/** Seconds that attempts of tasks ran, and how they ended. */
function attemptsOf({ attempts }: YarnRecord): [seconds: number, outcome: string][] {
  return attempts
    .rows()
    .filter(({ stage }) => stage >= 0)
    .map(({ launchUs, endUs, outcome }) => [(endUs - launchUs) / 1e6, outcome]);
}

/** A map with attempts that end so, one after the other. */
function withMap(
  history: HistoryFile,
  ends: readonly (readonly ["FAILED" | "KILLED" | "FINISHED", number, number])[],
): HistoryFile {
  const [taskid] = history.names(0);
  const map = { taskid, taskType: "MAP" };
  history.event("TASK_STARTED", "TaskStarted", { ...map, startTime: ms(4), splitLocations: "n1" });
  ends.forEach(([end, from, until], number) => {
    const attempt = { ...map, attemptId: history.names(0, "m", number)[1] };
    const started = { ...attempt, startTime: ms(from), trackerName: "n1", locality: { string: "NODE_LOCAL" } };
    history.event("MAP_ATTEMPT_STARTED", "TaskAttemptStarted", started);
    const record = end === "FINISHED" ? "MapAttemptFinished" : "TaskAttemptUnsuccessfulCompletion";
    history.event(`MAP_ATTEMPT_${end}`, record, { ...attempt, finishTime: ms(until), hostname: "n1", rackname: "/r1" });
  });
  return history;
}

const FOUR_FAILURES = [
  ["FAILED", 6, 9],
  ["KILLED", 10, 12],
  ["FAILED", 14, 18],
  ["FAILED", 20, 21],
  ["FAILED", 23, 28],
] as const;

function failed(): HistoryFile {
  const history = withMap(new HistoryFile().submit(0), FOUR_FAILURES);
  history.event("TASK_FAILED", "TaskFailed", { taskid: history.names(0)[0], status: "FAILED", finishTime: ms(28) });
  return history.finish(29, "JOB_FAILED");
}

describe("Attempts that a history lost", () => {
  it("are lost again for as long, and then the task succeeds", async () => {
    const history = withMap(new HistoryFile().submit(0), [
      ["FAILED", 6, 9],
      ["KILLED", 10, 12],
      ["FINISHED", 14, 20],
    ]).finish(21);
    const file = await imported(history);
    expect(attemptsOf(await run(file))).toEqual([
      [3, "failed"],
      [2, "stopped"],
      [6, "succeeded"],
    ]);
    expect(attemptsOf(await run(file, "workload.copied=none"))).toEqual([[6, "succeeded"]]);
  });

  it("fail the job as often as the limit says; what is killed does not count", async () => {
    const file = await imported(failed());
    const record = await run(file);
    expect(attemptsOf(record)).toEqual(
      FOUR_FAILURES.map(([end, from, until]) => [until - from, end === "KILLED" ? "stopped" : "failed"]),
    );
    expect(record.jobs[0]?.hasFailed).toBe(true);
    expect(attemptsOf(await run(file, "runtime.mapMaxAttempts=2"))).toHaveLength(3);
    // As long as the longest attempt.
    const another = await run(file, "runtime.mapMaxAttempts=9");
    expect(attemptsOf(another).at(-1)).toEqual([5, "succeeded"]);
  });
});

describe("What a history tells of masters and placements", () => {
  const history = (number: number, at: number): HistoryFile => {
    const of = new HistoryFile(number).submit(at);
    of.event("AM_STARTED", "AMStarted", { nodeManagerHost: "n1", startTime: ms(at + 3) });
    of.task(0, [at + 5, at + 7, at + 17], { splits: "n1", locality: "NODE_LOCAL" });
    return of.task(1, [at + 5, at + 7, at + 20], { splits: "n1", locality: "NODE_LOCAL" }).finish(at + 22);
  };

  it("gives recorded times back: those of tasks whatever their factor, the job's to a report of a node and a master", async () => {
    const file = await imported(history(1, 0), history(2, 100));
    for (const factor of ["1", "3"]) {
      const set = [`runtime.rackFactor=${factor}`, `runtime.offSwitchFactor=${factor}`];
      const { jobs, levels } = await replay(file, { set });
      expect(levels.map(({ simulated }) => simulated)).toEqual([4, 0, 0]);
      for (const { recordedUs, simulatedUs } of jobs.times) {
        expect(Math.abs((simulatedUs ?? 0) - (recordedUs ?? 0))).toBeLessThanOrEqual(2e6);
      }
    }
  });

  it("is a task's time beside its data where it was recorded elsewhere", async () => {
    const far = new HistoryFile().submit(0).task(0, [5, 7, 17], { splits: "n1", locality: "OFF_SWITCH", host: "n2" });
    const file = await imported(
      far.task(1, [5, 7, 27], { splits: "n1", host: "n1", locality: "NODE_LOCAL" }).finish(28),
    );
    const record = await run(file, "runtime.offSwitchFactor=2", "runtime.rackFactor=2");
    const lengths = new Map(
      record.attempts.rows().map(({ task, level, launchUs, endUs }) => [task, [level, endUs - launchUs]]),
    );
    const [level, lengthUs] = lengths.get(0) ?? [];
    expect(lengthUs).toBe(level === 0 ? 5e6 : 10e6);
  });
});
