import { describe, expect, it } from "vitest";
import { defaultSettings, SPARK_RULES } from "../../../dist/core/platforms/spark/index.js";
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
    const { configuration, lines } = parseSparkConf(text, "c.conf", RULES);
    expect(configuration.settings).toEqual({
      ...defaultSettings(RULES),
      waitProcessUs: 1e6,
      waitNodeUs: 5e5,
      waitRackUs: 120e6,
      mode: "FAIR",
      coresPerTask: 2,
      maxFailures: 8,
    });
    expect(lines.map(({ line }) => line)).toEqual([3, 4, 5, 6, 7, 9, 10]);
  });

  it("says line by line what is used, and notes what is not", () => {
    const text =
      "spark.speculation true\nspark.dynamicAllocation.executorAllocationRatio 0.5\nspark.executor.memory 4g\nhdfs.x 1\nspark.speculation true\n";
    const { lines, notes, configuration } = parseSparkConf(text, "c.conf", RULES);
    expect(lines.map(({ key, use }) => [key, use])).toEqual([
      ["spark.speculation", "used"],
      ["spark.dynamicAllocation.executorAllocationRatio", "other"],
      ["spark.executor.memory", "unknown"],
      ["spark.speculation", "used"],
    ]);
    expect(notes).toEqual([
      "c.conf, line 4: hdfs.x is ignored, as Spark does: its name does not begin with spark.",
      "c.conf, line 5: spark.speculation is given again; this value counts, not that of line 1",
      "c.conf, line 2: spark.dynamicAllocation.executorAllocationRatio is not used: there is an executor for every task that waits",
      "c.conf: 1 more settings have no part in when and where tasks run",
    ]);
    expect(configuration.settings.speculation).toMatchObject({ quantile: 0.75, multiplier: 1.5 });
  });

  it.each([
    [
      "spark.locality.wait soon",
      'c.conf:1:1: found "soon" for spark.locality.wait, allowed a time such as 3s, 500ms or 1m, without a unit in milliseconds',
    ],
    ["\nspark.scheduler.mode", "c.conf:2:1: found nothing for spark.scheduler.mode, allowed FIFO or FAIR"],
    ["spark.task.cpus 0", 'c.conf:1:1: found "0" for spark.task.cpus, allowed a whole number from 1 to 10000'],
    [
      "spark.dynamicAllocation.maxExecutors 0",
      'c.conf:1:1: found "0" for spark.dynamicAllocation.maxExecutors, allowed a whole number from 1 to 1000000',
    ],
    [
      "spark.dynamicAllocation.schedulerBacklogTimeout 0s",
      'found "0s" for spark.dynamicAllocation.schedulerBacklogTimeout, allowed a time',
    ],
    ["spark.speculation yes", 'c.conf:1:1: found "yes" for spark.speculation, allowed true or false'],
    [
      "spark.speculation.quantile NaN",
      'c.conf:1:1: found "NaN" for spark.speculation.quantile, allowed a number from 0 to 1',
    ],
  ])("%j is refused, as Spark would not start with it", (text, message) => {
    expect(() => parseSparkConf(text, "c.conf", RULES)).toThrow(message);
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
    const expected = {
      attemptsPerExecutor: 1,
      attemptsPerHost: 3,
      tasksPerExecutor: 2,
      executorsPerHost: 2,
      unschedulableUs: 5e6,
    };
    expect(of("spark.blacklist")).toEqual(expected);
    expect(of("spark.excludeOnFailure")).toEqual(expected);
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
    const read = pools(xml);
    expect(read.pools).toEqual([
      { name: "a", mode: "FAIR", minShare: 3, weight: 2, line: 2 },
      { name: "b", mode: "FIFO", minShare: 0, weight: 1, line: 3 },
      { name: "c", mode: "FIFO", minShare: 0, weight: 1, line: 3 },
      { name: "d", mode: "FIFO", minShare: 0, weight: 1, line: 4 },
      { name: "a", mode: "FIFO", minShare: 0, weight: 1, line: 5 },
    ]);
    expect(read.notes).toEqual([
      "p.xml, line 3: a <pool> inside another is a pool beside it: files of Spark nest none",
      'p.xml, line 3: pool "b": weight "1.5" is no whole number; 1 holds, as in Spark',
      'p.xml, line 3: pool "c": minShare "x" is no whole number; 0 holds, as in Spark',
      'p.xml, line 4: <maxShare> in a pool is unknown and ignored, as Spark does; did you mean "minShare"?',
      'p.xml, line 4: pool "d": schedulingMode "NONE" is none; FIFO holds, as in Spark',
      'p.xml, line 5: pool "a" is declared again; jobs go to the last',
    ]);
  });

  it("joins the texts of an element that stands twice, as Spark does", () => {
    expect(pools('<x><pool name="a"><weight>1</weight><weight>2</weight></pool></x>').pools[0].weight).toBe(12);
  });
});
