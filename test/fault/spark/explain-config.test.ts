import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Place } from "../cli/command.js";

let place: Place;
beforeAll(() => {
  place = new Place();
});
afterAll(() => {
  place.remove();
});

const POOLS =
  '<allocations><pool name="etl"><schedulingMode>FAIR</schedulingMode><weight>2</weight></pool></allocations>';

describe("bide explain-config", () => {
  it("explains Spark's file of pools, known by its name or by a min share", async () => {
    place.write("fairscheduler.xml", POOLS);
    const { code, stdout } = await place.bide("explain-config", "fairscheduler.xml");
    expect(code).toBe(0);
    expect(stdout).toContain("fairscheduler.xml: pools of Spark; 1 pool");
    expect(stdout).toMatch(/^etl +2 +0 +running tasks +1$/m);
    place.write("other.xml", '<allocations><pool name="a"><minShare>3</minShare></pool></allocations>');
    const json = await place.bide("explain-config", "other.xml", "--json");
    expect(JSON.parse(json.stdout)).toEqual({
      file: "other.xml",
      form: "spark-pools",
      notes: [],
      pools: [{ name: "a", mode: "FIFO", minShare: 3, weight: 1, line: 1 }],
    });
  });

  it("explains a spark-defaults.conf line by line, and what is not used", async () => {
    place.write("spark-defaults.conf", "spark.locality.wait 1s\nspark.task.resource.gpu.amount 4\n");
    const { code, stdout } = await place.bide("explain-config", "spark-defaults.conf");
    expect(code).toBe(0);
    const text = stdout.replace(/\s+/g, " ");
    expect(text).toContain("spark-defaults.conf: settings of Spark; 2 settings, 1 used here");
    expect(text).toContain("Line 1 spark.locality.wait 1s: how long a task set waits");
    expect(text).toContain("Line 2 spark.task.resource.gpu.amount 4: not used: executors have cores and nothing else");
    place.write("bad.conf", "spark.task.cpus many\n");
    expect(await place.bide("explain-config", "bad.conf")).toMatchObject({
      code: 2,
      stdout: "",
      stderr: 'bad.conf:1:1: found "many" for spark.task.cpus, allowed a whole number from 1 to 10000\n',
    });
  });
});
