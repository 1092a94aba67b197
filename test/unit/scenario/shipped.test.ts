import { readFileSync, readdirSync } from "node:fs";
import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { heartbeatIntervalUs } from "../../../dist/core/cluster/index.js";
import {
  loadAnyScenario,
  loadScenario,
  parseScenario,
  platformJsonSchema,
  scenarioJsonSchema,
} from "../../../dist/io/index.js";

const FOLDER = "scenarios/";
const read = (path: string): string => readFileSync(path, "utf8");
const README = read(`${FOLDER}README.md`);
const namesIn = (folder: string): string[] =>
  readdirSync(FOLDER + folder)
    .filter((file) => file.endsWith(".yaml"))
    .map((file) => folder + file);

const ajv = new Ajv({ allErrors: true, strictTypes: false, allowUnionTypes: true });
const schemas = new Map(["hadoop", "spark", "yarn"].map((name) => [name, ajv.compile(platformJsonSchema(name))]));
const isOfAny = ajv.compile(scenarioJsonSchema());

it("the committed JSON Schema is what the reader's schema gives, and describes every section", () => {
  expect(JSON.parse(read(`${FOLDER}scenario.schema.json`))).toEqual(scenarioJsonSchema());
  for (const platform of schemas.keys()) {
    const { properties } = platformJsonSchema(platform) as { properties: Record<string, { description?: string }> };
    const bare = Object.keys(properties).filter((key) => properties[key]!.description === undefined);
    expect(bare.filter((key) => platform === "hadoop" || key !== "workload")).toEqual([]);
  }
});

it("pools refer to themselves in the JSON Schema, so that editors complete them at any depth", () => {
  const { definitions } = platformJsonSchema("hadoop") as { definitions: Record<string, object> };
  expect(JSON.stringify(definitions.pools)).toContain('"$ref":"#/definitions/pools"');
});

describe("shipped scenarios", () => {
  it.each(namesIn(""))("%s loads without notes, asks a question, and names its schema first", (file) => {
    const { scenario, notes } = loadScenario(FOLDER + file);
    expect([notes, `${scenario.name}.yaml`, scenario.why.includes("?")]).toEqual([[], file, true]);
    expect(read(FOLDER + file).split("\n")[0]).toBe("# yaml-language-server: $schema=./scenario.schema.json");
    expect(isOfAny(parse(read(FOLDER + file))), JSON.stringify(isOfAny.errors)).toBe(true);
    expect(README).toContain(file);
  });

  it.each([...namesIn("spark/"), ...namesIn("yarn/")])(
    "%s is of its platform's JSON Schema, and of no other's",
    (file) => {
      loadAnyScenario(FOLDER + file);
      const tree = parse(read(FOLDER + file)) as { platform: string };
      expect(isOfAny(tree), JSON.stringify(isOfAny.errors)).toBe(true);
      for (const [platform, isOf] of schemas)
        expect([platform, isOf(tree)]).toEqual([platform, platform === tree.platform]);
    },
  );

  it("facebook-day is the day that figures are fixed for, scale-10k has its jobs per node and hour", () => {
    const nodesOf = (name: string): number =>
      loadScenario(`${FOLDER}${name}.yaml`).scenario.cluster.racks.reduce((sum, { nodes }) => sum + nodes[0].count, 0);
    const { workload, run, scheduler } = loadScenario(`${FOLDER}facebook-day.yaml`).scenario;
    expect([workload, run.untilUs, nodesOf("facebook-day")]).toMatchObject([
      { jobs: 7500, spanUs: 86400e6 },
      86400e6,
      620,
    ]);
    expect(scheduler).toMatchObject({ kind: "hfs", wait: { nodeUs: 10e6, rackUs: 5e6 } });
    const jobs = Math.round((7500 / 24) * (nodesOf("scale-10k") / 620));
    expect(loadScenario(`${FOLDER}scale-10k.yaml`).scenario.workload).toMatchObject({ jobs, spanUs: 3600e6 });
  });

  it("benchmark beats as Hadoop 0.20 would at 100 nodes", () => {
    const intervalUs = heartbeatIntervalUs({ rule: "hadoop-0.20", perSecond: 100, scalingFactor: 1 }, 100);
    expect(loadScenario(`${FOLDER}benchmark.yaml`).scenario.cluster.heartbeat).toEqual({ rule: "fixed", intervalUs });
  });
});

it.each(["scenarios/README.md", "docs/formats/scenario.md"])("every scenario in %s can be run as it stands", (page) => {
  const blocks = [...read(page).matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text]) => text);
  expect(blocks.length).toBeGreaterThan(0);
  for (const text of blocks) {
    parseScenario(text, "doc.yaml");
    expect(isOfAny(parse(text)), JSON.stringify(isOfAny.errors)).toBe(true);
  }
});

it("every --set in the README of the scenarios changes its scenario", () => {
  const commands = [...README.matchAll(/scenarios\/(\S+\.yaml)`?[^\n]*?--set ('[^']+'|[^\s`]+)/g)];
  expect(commands.length).toBeGreaterThanOrEqual(5);
  for (const [, file, set] of commands) {
    const { scenario } = loadScenario(FOLDER + file, { set: [set.replace(/'/g, "")] });
    expect(scenario).not.toEqual(loadScenario(FOLDER + file).scenario);
  }
});
