import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { InputError, readExplainedYarn } from "../../../dist/io/index.js";
import { NO_PAINT, yarnCapacityReport, yarnFairReport, yarnSiteReport } from "../../../dist/report/index.js";
import { allocations, configuration } from "./beside-scenario.js";

const folder = mkdtempSync(join(tmpdir(), "bide-explained-"));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** What is printed of a file. */
function explained(text: string): string {
  const path = join(folder, "a.xml");
  writeFileSync(path, text);
  const read = readExplainedYarn(path);
  const file = "a.xml";
  const report =
    read.form === "yarn-fair"
      ? yarnFairReport({ ...read, file }, NO_PAINT)
      : read.form === "yarn-capacity"
        ? yarnCapacityReport({ ...read, file }, NO_PAINT)
        : yarnSiteReport({ ...read, file }, NO_PAINT);
  return report.replaceAll(folder, "");
}

it.each([
  [
    "fair-scheduler.xml",
    allocations(
      '<queue name="a"><weight>3</weight><minResources>1024 mb, 2 vcores</minResources><maxResources>50%</maxResources></queue>',
      '<queue name="b"><allowPreemptionFrom>false</allowPreemptionFrom><queue name="c"><maxAMShare>-1</maxAMShare></queue></queue>',
      "<queueMaxAppsDefault>7</queueMaxAppsDefault>",
      "<defaultMinSharePreemptionTimeout>60</defaultMinSharePreemptionTimeout>",
      '<user name="ann"><maxRunningApps>2</maxRunningApps></user>',
      '<queuePlacementPolicy><specified/><nestedUserQueue><default queue="b"/></nestedUserQueue></queuePlacementPolicy>',
    ),
  ],
  [
    "capacity-scheduler.xml",
    configuration("yarn.scheduler.capacity.", {
      "root.queues": "a,b",
      "root.a.capacity": "60",
      "root.b.capacity": "40",
      "root.b.queues": "c",
      "root.b.c.capacity": "100",
      "root.b.c.user-limit-factor": "2",
      "node-locality-delay": "3",
      "queue-mappings": "u:ann:a",
    }),
  ],
  ["configuration of Hadoop that says nothing of scheduling", configuration("", { "fs.defaultFS": "hdfs://nn" })],
  ["yarn-site.xml", configuration("yarn.", { "scheduler.fair.preemption": "true", "log-aggregation-enable": "true" })],
])("A file of YARN is explained as YARN means it: %s", (_, text) => {
  expect(explained(text)).toMatchSnapshot();
});

it("A file is refused as a scenario refuses it, and where it is Spark's", () => {
  expect(() => explained(allocations('<queue name="a.b"/>'))).toThrow(InputError);
  const path = join(folder, "spark-defaults.conf");
  writeFileSync(path, "spark.locality.wait 3s\n");
  expect(() => readExplainedYarn(path)).toThrow(InputError);
});
