import { describe, expect, it } from "vitest";
import { SPARK_RULES } from "../../../dist/core/platforms/spark/index.js";
import { configurationOf, parseSparkConf, parseXml, sparkPoolsOf, sparkTimeUs } from "../../../dist/io/index.js";

const RULES = SPARK_RULES["3.5"];

describe("spark-defaults.conf", () => {
  it("is read as Java's properties: comments, escapes, lines that go on, the last value of a name", () => {
    const text = [
      "# a comment",
      "! another",
      "spark.locality.wait    1s",
      "spark.locality.wait.node=500",
      "  spark.locality.wait.rack : 2m",
      "spark.scheduler\\.mode fair",
      "spark.task.cpus \\",
      "    2",
      "spark.task.maxFailures 3",
      "spark.task.maxFailures \\u0038 ",
      "",
    ].join("\n");
    expect(parseSparkConf(text, "c.conf", RULES)).toMatchSnapshot();
  });

  it("says line by line what is used, and notes what is not", () => {
    const text =
      "spark.speculation true\nspark.dynamicAllocation.executorAllocationRatio 0.5\nspark.executor.memory 4g\nhdfs.x 1\nspark.speculation true\n";
    const { lines, notes } = parseSparkConf(text, "c.conf", RULES);
    expect([...lines.map(({ key, use }) => `${key} ${use}`), ...notes]).toMatchSnapshot();
  });

  it.each([
    "spark.locality.wait soon",
    "spark.scheduler.mode",
    "spark.task.cpus 0",
    "spark.dynamicAllocation.maxExecutors 0",
    "spark.dynamicAllocation.schedulerBacklogTimeout 0s",
    "spark.speculation yes",
    "spark.speculation.quantile NaN",
  ])("%j is refused, as Spark would not start with it", (text) => {
    expect(() => parseSparkConf(`\n${text}`, "c.conf", RULES)).toThrowErrorMatchingSnapshot();
  });
});

describe("settings of an application", () => {
  it("have the names of exclusion before 3.1 as well as since", () => {
    const of = (name: string): unknown =>
      configurationOf(
        [
          [`${name}.enabled`, "TRUE"],
          [`${name}.task.maxTaskAttemptsPerNode`, "3"],
          [`${name.replace("spark", "spark.scheduler")}.unschedulableTaskSetTimeout`, "5"],
        ],
        RULES,
      ).configuration.settings.exclusion;
    expect(of("spark.blacklist")).toMatchObject({ attemptsPerHost: 3, unschedulableUs: 5e6 });
    expect(of("spark.excludeOnFailure")).toEqual(of("spark.blacklist"));
  });

  it("have times of dynamic allocation in seconds, and a number of executors that is Spark's word for no limit", () => {
    const of = (...entries: [string, string][]) =>
      configurationOf(
        entries.map(([key, value]) => [`spark.dynamicAllocation.${key}`, value] as const),
        RULES,
      ).configuration.dynamic;
    expect(of()).toEqual({ isOn: false });
    expect(of(["enabled", "true"], ["maxExecutors", "2147483647"], ["executorIdleTimeout", "90"])).toEqual({
      isOn: true,
      idleUs: 90e6,
    });
    expect(of(["minExecutors", "2"], ["maxExecutors", "9"], ["schedulerBacklogTimeout", "2s"])).toEqual({
      isOn: false,
      min: 2,
      max: 9,
      backlogUs: 2e6,
    });
  });

  it("restart the wait at each launch under rules that know nothing else", () => {
    const entries = [["spark.locality.wait.legacyResetOnTaskLaunch", "false"]] as const;
    expect(configurationOf(entries, SPARK_RULES["3.0"]).configuration.settings.resetsOnLaunch).toBe(true);
    expect(configurationOf(entries, RULES).configuration.settings.resetsOnLaunch).toBe(false);
  });

  it.each([
    ["3", 3000],
    ["3s", 3e6],
    ["10MS", 1e4],
    [" 2min ", 120e6],
    ["1d", 86_400e6],
    ["-1s", undefined],
    ["1.5s", undefined],
    ["1 s", undefined],
    ["9999999d", undefined],
  ])("have the time %j", (text, us) => {
    expect(sparkTimeUs(text)).toBe(us);
  });
});

describe("fairscheduler.xml", () => {
  const pools = (xml: string): ReturnType<typeof sparkPoolsOf> => sparkPoolsOf(parseXml(xml, "p.xml"), "p.xml");

  it("has pools at any depth, and defaults for what cannot be read", () => {
    const xml = `<allocations>
      <pool name="a"><schedulingMode> fair </schedulingMode><weight>2</weight><minShare>3</minShare></pool>
      <group><pool name="b"><weight>1.5</weight><pool name="c"><minShare>x</minShare></pool></pool></group>
      <pool name="d"><schedulingMode>NONE</schedulingMode><maxShare>1</maxShare></pool>
      <pool name="a"/>
    </allocations>`;
    expect(pools(xml)).toMatchSnapshot();
  });

  it("joins the texts of an element that stands twice, as Spark does", () => {
    expect(pools('<x><pool name="a"><weight>1</weight><weight>2</weight></pool></x>').pools[0].weight).toBe(12);
  });
});
