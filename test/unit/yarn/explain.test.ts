import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { InputError, readExplainedYarn } from "../../../dist/io/index.js";
import { NO_PAINT, yarnCapacityReport, yarnFairReport, yarnSiteReport } from "../../../dist/report/index.js";
import { allocations, configuration } from "./beside-scenario.js";

const folder = mkdtempSync(join(tmpdir(), "bide-explained-"));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** What is printed of a file, with blanks as one each. */
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
  return report.replaceAll(folder, "").replace(/ +/g, " ");
}

describe("a file of YARN is explained as YARN means it", () => {
  it("fair-scheduler.xml", () => {
    const text = explained(
      allocations(
        '<queue name="a"><weight>3</weight><minResources>1024 mb, 2 vcores</minResources><maxResources>50%</maxResources></queue>',
        '<queue name="b"><allowPreemptionFrom>false</allowPreemptionFrom><queue name="c"><maxAMShare>-1</maxAMShare></queue></queue>',
        "<queueMaxAppsDefault>7</queueMaxAppsDefault>",
        "<defaultMinSharePreemptionTimeout>60</defaultMinSharePreemptionTimeout>",
        '<user name="ann"><maxRunningApps>2</maxRunningApps></user>',
        '<queuePlacementPolicy><specified/><nestedUserQueue><default queue="b"/></nestedUserQueue></queuePlacementPolicy>',
      ),
    );
    expect(text).toMatch(/^Allocations a.xml: queues of YARN's Fair Scheduler; 3 queues$/m);
    expect(text).toMatch(/^ a 3 1024 MB, 2 vcores 50% of MB, 50% of vcores \(fair\)$/m);
    expect(text).toMatch(/^ c \(7\) unlimited \(1m00s\) \(never\) no$/m);
    expect(text).toMatch(/^Users applications at once: ann 2; every other user runs applications at once: unlimited$/m);
    expect(text).toMatch(/^ 2. USER inside root.b, made if it is not declared$/m);
    expect(text).toMatch(/^Preemption a queue below its min share/m);
  });

  it("capacity-scheduler.xml", () => {
    const text = explained(
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
    );
    expect(text).toMatch(/^ c 100 40 100 fifo 100 2 \(0.1\) \(yes\) \(yes\)$/m);
    expect(text).toMatch(
      /^Line 8 yarn.scheduler.capacity.node-locality-delay 3: honoured: offers passed over for the$/m,
    );
    expect(text).toMatch(/^Queue of a job ann: a$/m);
    // Each column of the table has its sentence.
    expect(text).toMatch(
      /^Queue capacity % of cluster % maximum % by user minimum % user factor masters preempted within$/m,
    );
    for (const column of [
      "Capacity %",
      "Of cluster %",
      "Maximum %",
      "By",
      "User minimum %",
      "User factor",
      "Masters",
    ]) {
      expect(text.match(new RegExp(`^${column} \\S+ .+$`, "m"))?.[0]).toBeDefined();
    }
  });

  it("configuration of Hadoop that says nothing of scheduling", () => {
    expect(explained(configuration("", { "fs.defaultFS": "hdfs://nn" }))).toBe(
      "Settings a.xml: a configuration file of Hadoop that says nothing of YARN's schedulers;\n yarn-site.xml and capacity-scheduler.xml do\n",
    );
  });

  it("but not settings of Spark", () => {
    const path = join(folder, "spark-defaults.conf");
    writeFileSync(path, "spark.locality.wait 3s\n");
    expect(() => readExplainedYarn(path)).toThrow(
      /found settings of Spark, allowed for --platform yarn a fair-scheduler/,
    );
  });

  it("yarn-site.xml", () => {
    const text = explained(
      configuration("yarn.", { "scheduler.fair.preemption": "true", "log-aggregation-enable": "true" }),
    );
    expect(text).toMatch(/^Settings a.xml: a yarn-site.xml; 1 of 1 properties about scheduling are used here$/m);
    expect(text).toMatch(/^Line 2 yarn.scheduler.fair.preemption true: honoured: starved queues take from others$/m);
    expect(text).toMatch(/^Line 3 yarn.log-aggregation-enable true: without effect: /m);
  });

  it("and refused as a scenario refuses it", () => {
    expect(() => explained(allocations('<queue name="a.b"/>'))).toThrow(InputError);
  });
});
