import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { importApplication, readEventLogs, writeImports } from "../../../dist/io/index.js";
import { replay } from "../../../dist/lab/index.js";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "bide-logs-as-they-were-"));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

async function replayed(log: string, ...set: string[]): ReturnType<typeof replay> {
  const [application] = await readEventLogs([join(import.meta.dirname, `../../data/spark/${log}.log`)]);
  const own = mkdtempSync(join(folder, `${log}-`));
  await writeImports([importApplication(application, { afterWithinUs: 60e6 })], own, own);
  return replay(join(own, "scenario.yaml"), { set });
}

const WAIT = "scheduler.wait=30s";

it.each<[log: string, seconds: number, why: string, set: string[]]>([
  ["driver-busy", 22, "the driver takes 19 s until its first launch, while all cores are free", []],
  ["driver-busy", 22, "the driver takes as long whatever tasks wait for", [WAIT]],
  ["late-results", 12.1, "tasks run for 0.5 s of the 12.1 s until the driver counts them as finished", []],
  ["failed-attempts", 12, "each task fails twice after 5 s, and then takes 2 s", []],
  ["failed-attempts", 24, "attempts fail after as long where two tasks have one core", ["executors.cores=1"]],
  ["resource-profiles", 24, "its executor comes after 20 s, and the one that is idle has another resource profile", []],
  ["away-costs-double", 24, "tasks take 4 s on the host of their data and 8 s away from it", []],
  ["away-costs-double", 28.1, "with a wait none runs away from its data: seven rounds of 4 s", [WAIT]],
])("%s: stage 0 takes %s s, for %s (%j)", async (log, seconds, _, set) => {
  const { stages } = await replayed(log, ...set);
  const found = stages.times.find(({ stage }) => stage === "0")!.simulatedUs! / 1e6;
  expect(Math.abs(found / seconds - 1)).toBeLessThan(0.02);
});

it("A run says that failures with other executors cannot be predicted, and says it nowhere else", async () => {
  const saysSo = async (...of: [log: string, ...set: string[]]): Promise<boolean> =>
    (await replayed(...of)).notes.some((note) => note.includes("cannot be predicted"));
  expect(await saysSo("failed-attempts")).toBe(false);
  expect(await saysSo("failed-attempts", WAIT)).toBe(false);
  for (const set of ["executors.cores=2", "executors.count=1", "executors={dynamic: true}"]) {
    expect([set, await saysSo("failed-attempts", set)]).toEqual([set, true]);
  }
  expect(await saysSo("driver-busy", "executors.cores=2")).toBe(false);
});
