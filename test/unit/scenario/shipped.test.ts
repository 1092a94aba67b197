import { readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { heartbeatIntervalUs } from "../../../dist/core/cluster/index.js";
import {
  loadAnyScenario,
  loadScenario,
  parseAnyScenario,
  parseScenario,
  platformJsonSchema,
  scenarioJsonSchema,
} from "../../../dist/io/index.js";
import { VALID } from "./mutation-values.js";
import { refusal } from "./refused.js";

const FOLDER = fileURLToPath(new URL("../../../scenarios/", import.meta.url));
const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const FILES = readdirSync(FOLDER).filter((file) => file.endsWith(".yaml"));
const read = (path: string): string => readFileSync(path, "utf8");

const accepts = new Ajv({ allErrors: true, strictTypes: false, allowUnionTypes: true }).compile(scenarioJsonSchema());

it("the committed JSON Schema is what the reader's schema gives", () => {
  expect(JSON.parse(read(`${FOLDER}scenario.schema.json`))).toEqual(scenarioJsonSchema());
});

it("every setting in the JSON Schema is described or has a describing name of its section", () => {
  for (const platform of ["hadoop", "spark", "yarn"]) {
    const schema = platformJsonSchema(platform) as { properties: Record<string, { description?: string }> };
    const undescribed = Object.entries(schema.properties).filter(([, { description }]) => description === undefined);
    expect(undescribed.filter(([key]) => platform === "hadoop" || key !== "workload")).toEqual([]);
  }
});

describe("shipped scenarios", () => {
  it("are the ones promised", () => {
    expect(FILES).toEqual(
      expect.arrayContaining([
        "benchmark.yaml",
        "dsfs.yaml",
        "facebook-day.yaml",
        "fifo-with-wait.yaml",
        "hot-spots.yaml",
        "io-heavy.yaml",
        "kill-or-wait.yaml",
        "long-task-balance.yaml",
        "long-tasks.yaml",
        "quincy.yaml",
        "scale-10k.yaml",
        "sticky-slots.yaml",
        "swim.yaml",
        "tiny.yaml",
        "waiting-users.yaml",
        "weighted-pools.yaml",
      ]),
    );
  });

  it.each(FILES)("%s loads without notes, asks a question, and names its schema first", (file) => {
    const { scenario, notes } = loadScenario(FOLDER + file);
    expect(notes).toEqual([]);
    expect(scenario.name).toBe(file.replace(".yaml", ""));
    expect(scenario.why).toMatch(/\?/);
    expect(read(FOLDER + file).split("\n")[0]).toBe("# yaml-language-server: $schema=./scenario.schema.json");
    expect(accepts(parse(read(FOLDER + file))), JSON.stringify(accepts.errors)).toBe(true);
    expect(read(`${FOLDER}README.md`)).toContain(file);
  });

  it("facebook-day is the day that figures are fixed for", () => {
    const { cluster, workload, scheduler, run } = loadScenario(`${FOLDER}facebook-day.yaml`).scenario;
    expect(cluster.racks).toHaveLength(31);
    expect(cluster.racks.every(({ nodes }) => nodes.length === 1 && nodes[0].count === 20)).toBe(true);
    expect(cluster.racks[0].nodes[0]).toMatchObject({ mapSlots: 5, reduceSlots: 5, speed: 1 });
    expect(cluster.heartbeat).toEqual({ rule: "fixed", intervalUs: 3_000_000 });
    expect(workload).toMatchObject({ kind: "facebook", jobs: 7500, spanUs: 24 * 3600e6 });
    expect(scheduler).toMatchObject({
      kind: "hfs",
      wait: { kind: "time", nodeUs: 10e6, rackUs: 5e6 },
      tasksPerHeartbeat: Infinity,
    });
    expect(run.untilUs).toBe(24 * 3600e6);
  });

  it("scale-10k has the jobs per node and hour of facebook-day", () => {
    const { cluster, workload } = loadScenario(`${FOLDER}scale-10k.yaml`).scenario;
    const nodes = cluster.racks.reduce((sum, rack) => sum + rack.nodes[0].count, 0);
    expect(nodes).toBe(10_000);
    expect(workload).toMatchObject({ jobs: Math.round(((7500 / 24) * nodes) / 620), spanUs: 3600e6 });
  });

  it("benchmark beats as Hadoop 0.20 would at 100 nodes", () => {
    const { cluster } = loadScenario(`${FOLDER}benchmark.yaml`).scenario;
    const rule = { rule: "hadoop-0.20", perSecond: 100, scalingFactor: 1 } as const;
    expect(cluster.heartbeat).toEqual({ rule: "fixed", intervalUs: heartbeatIntervalUs(rule, 100) });
  });
});

describe("every scenario in the documentation", () => {
  const blocks = ["scenarios/README.md", "docs/formats/scenario.md"].flatMap((page) =>
    [...read(ROOT + page).matchAll(/```yaml\n([\s\S]*?)```/g)].map(
      (match, i) => [`${page} #${String(i + 1)}`, match[1]] as const,
    ),
  );

  it("there are some", () => {
    expect(blocks.length).toBeGreaterThanOrEqual(4);
  });

  it.each(blocks)("%s can be run as it stands", (_, text) => {
    parseScenario(text, "doc.yaml");
    expect(accepts(parse(text)), JSON.stringify(accepts.errors)).toBe(true);
  });

  it("the shortest has under ten lines", () => {
    expect(Math.min(...blocks.map(([, text]) => text.trim().split("\n").length))).toBeLessThan(10);
  });
});

describe("every --set in the README of the scenarios", () => {
  const readme = read(`${FOLDER}README.md`);
  const commands = [...readme.matchAll(/scenarios\/(\S+\.yaml)`?[^\n]*?--set ('[^']+'|[^\s`]+)/g)];

  it("there are some", () => {
    expect(commands.length).toBeGreaterThanOrEqual(5);
  });

  it.each(commands.map(([, file, set]) => [file, set.replace(/'/g, "")]))("%s takes %s", (file, set) => {
    const plain = loadScenario(FOLDER + file).scenario;
    expect(loadScenario(FOLDER + file, { set: [set] }).scenario).not.toEqual(plain);
  });
});

/** Mistakes that an editor can show before anything runs. */
const WRONG = [
  "cluster: {racks: 2}",
  "workload: {kind: facebok}",
  "workload: {kind: facebook}\nclutser: {}",
  "workload: {kind: facebook}\ncluster: {mapSlots: 2.5}",
  "workload: {kind: facebook}\ncluster: {heartbeat: 3}",
  "workload: {kind: facebook}\nscheduler: dealy",
  "workload: {kind: facebook}\nscheduler: {wait: {node: 5, rack: 3s}}",
  "workload: {kind: facebook}\nstorage: {blockSize: 128}",
  "workload: {kind: facebook}\nscheduler: {rules: 1.1}",
  "workload: {kind: facebook}\nscheduler: {preemption: {interval: 5s}}",
  "workload: {kind: facebook}\nscheduler: {pools: {a: {pools: [{name: b, wieght: 2}]}}}",
  "workload: {kind: facebook}\nscheduler: {reloads: [{at: 5s}]}",
  "workload: {kind: jobs, jobs: []}",
];

it.each(VALID)("reader and JSON Schema both accept %j", (tree) => {
  expect(accepts(tree), JSON.stringify(accepts.errors)).toBe(true);
  parseScenario(stringify(tree), "x.yaml");
});

it("pools refer to themselves in the JSON Schema, so that editors complete them at any depth", () => {
  const text = JSON.stringify(platformJsonSchema("hadoop"));
  const { definitions } = platformJsonSchema("hadoop") as { definitions: Record<string, object> };
  expect(Object.keys(definitions).sort()).toEqual(["allocations", "placement", "pools"]);
  expect(JSON.stringify(definitions.pools)).toContain('"$ref":"#/definitions/pools"');
  expect(text.split('"Map slots promised while there is demand for them. Default 0."')).toHaveLength(3);
});

it.each(WRONG)("reader and JSON Schema both refuse %j", (text) => {
  expect(accepts(parse(text))).toBe(false);
  expect(refusal(text)).toContain("allowed");
});

describe("scenarios of other platforms", () => {
  const ofOthers = ["spark", "yarn"].flatMap((platform) =>
    readdirSync(FOLDER + platform)
      .filter((file) => file.endsWith(".yaml"))
      .map((file) => `${platform}/${file}`),
  );

  it.each(ofOthers)("the JSON Schema accepts %s, as its platform's does, and no key that is not there", (file) => {
    const tree = parse(read(FOLDER + file)) as Record<string, object>;
    expect(accepts(tree), JSON.stringify(accepts.errors)).toBe(true);
    const platform = file.split("/")[0]!;
    expect(new Ajv({ strictTypes: false, allowUnionTypes: true }).validate(platformJsonSchema(platform), tree)).toBe(
      true,
    );
    loadAnyScenario(FOLDER + file);
    for (const section of ["cluster", "workload", "scheduler", "runtime", "run"]) {
      expect([section, accepts({ ...tree, [section]: { ...tree[section], notThere: 1 } })]).toEqual([section, false]);
    }
    expect(accepts({ ...tree, notThere: {} })).toBe(false);
    // What one platform says is none of the others'.
    for (const other of ["hadoop", "spark", "yarn"].filter((name) => name !== platform)) {
      expect([other, accepts({ ...tree, platform: other })]).toEqual([other, false]);
    }
    const { platform: _, ...unnamed } = tree;
    expect(accepts(unnamed)).toBe(false);
  });

  it.each([
    "{platform: spak, workload: {kind: jobs, jobs: [{maps: 3}]}}",
    "{platform: spark, workload: {kind: jobs, jobs: [{name: a, stages: [{tasks: 1}]}]}}",
    "{platform: spark, workload: {kind: jobs, jobs: [{name: a, stages: []}]}}",
    "{platform: spark, executors: {cores: 0}, workload: {kind: stages, file: a.csv}}",
    "{platform: spark, scheduler: {version: '3.2'}, workload: {kind: stages, file: a.csv}}",
    "{platform: spark, scheduler: {wait: {row: 1s}}, workload: {kind: stages, file: a.csv}}",
    "{platform: yarn, scheduler: {kind: yarn-fair}, workload: {kind: jobs, jobs: [{name: a, maps: {tasks: 1}}]}}",
    "{platform: yarn, workload: {kind: jobs, jobs: [{name: a, maps: {tasks: 1, time: 1s}}]}}",
    "{platform: yarn, scheduler: {kind: fair}, workload: {kind: jobs, jobs: [{name: a, maps: {tasks: 1, time: 1s}}]}}",
    "{platform: yarn, scheduler: {kind: yarn-fair, nodeLocalityDelay: 3}, workload: {kind: jobs, jobs: [{name: a, maps: {tasks: 1, time: 1s}}]}}",
  ])("reader and JSON Schema both refuse %s", (text) => {
    expect(accepts(parse(text))).toBe(false);
    expect(() => parseAnyScenario(text, "x.yaml")).toThrow("allowed");
  });
});
