import { readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { loadSweep, parseSweep, sweepJsonSchema } from "../../../dist/io/index.js";
import { refusedSweep, SWEEPS } from "./sweep-texts.js";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const FILES = readdirSync(SWEEPS).filter((file) => file.endsWith(".yaml"));
const read = (path: string): string => readFileSync(path, "utf8");
const readme = read(`${SWEEPS}README.md`);

const accepts = new Ajv({ allErrors: true, strictTypes: false, allowUnionTypes: true }).compile(sweepJsonSchema());

it("the committed JSON Schema is what the reader's schema gives", () => {
  expect(JSON.parse(read(`${SWEEPS}sweep.schema.json`))).toEqual(sweepJsonSchema());
});

it("every key of the schema has its row in the documentation", () => {
  const page = read(`${ROOT}docs/formats/sweep.md`);
  const { properties } = sweepJsonSchema() as {
    properties: Record<string, { items?: { properties?: object }; properties?: object }>;
  };
  const keys = [properties, properties.axes?.items?.properties ?? {}, properties.until?.properties ?? {}].flatMap(
    Object.keys,
  );
  expect(keys.length).toBeGreaterThan(20);
  expect(keys.filter((key) => !page.includes(`\n| \`${key}\` |`))).toEqual([]);
});

describe("shipped sweeps", () => {
  it.each(FILES)(
    "%s loads with no other note than of compare, asks a question, and is as large as its README says",
    (file) => {
      const { plan, notes } = loadSweep(SWEEPS + file);
      expect(notes.filter((note) => !note.endsWith("its section compare is ignored; a sweep has axes"))).toEqual([]);
      expect(plan.name).toBe(file.replace(".yaml", ""));
      expect(plan.why).toMatch(/\?/);
      expect(read(SWEEPS + file).split("\n")[0]).toBe("# yaml-language-server: $schema=./sweep.schema.json");
      expect(accepts(parse(read(SWEEPS + file))), JSON.stringify(accepts.errors)).toBe(true);
      expect(readme).toMatch(`[${file}](${file}) | ${plan.points.length} x ${plan.replications} |`);
    },
  );

  it("w1-w2 is the sweep that figures are given for", () => {
    const { plan } = loadSweep(`${SWEEPS}w1-w2.yaml`);
    // Ten: no interval of it is one of too few runs.
    const seeds = Array.from({ length: 10 }, (_, at) => String(at + 1));
    expect([plan.points.length, plan.replications, plan.seeds]).toEqual([200, 10, seeds]);
    expect(plan.axes.map(({ name, unit, steps }) => [name, unit, steps.length])).toEqual([
      ["W1", "seconds", 20],
      ["W2", "seconds", 10],
    ]);
  });
});

describe("every sweep in the documentation", () => {
  const blocks = ["scenarios/sweeps/README.md", "docs/formats/sweep.md"].flatMap((page) =>
    [...read(ROOT + page).matchAll(/```yaml\n([\s\S]*?)```/g)].map(
      (match, i) => [`${page} #${i + 1}`, match[1]] as const,
    ),
  );

  it("there are some", () => {
    expect(blocks.length).toBeGreaterThanOrEqual(4);
  });

  it.each(blocks)("%s can be run as it stands", (_, text) => {
    expect(parseSweep(text, `${SWEEPS}doc.yaml`).plan.points.length).toBeGreaterThan(0);
    expect(accepts(parse(text)), JSON.stringify(accepts.errors)).toBe(true);
  });
});

/** Mistakes that an editor can show before anything runs; without `scenario`. */
const WRONG = [
  "axis: []",
  "axes: {path: cluster.racks, values: [1]}",
  "axes: [{path: cluster.racks, value: [1]}]",
  "axes: [{path: cluster.racks, values: []}]",
  "axes: [{name: 1x, path: cluster.racks, values: [1]}]",
  "axes: [{path: scheduler.wait.node, range: {from: 0s, to: 1s, steps: 4}}]",
  "replications: 0",
  "until: {measure: jain, relativeHalfWidth: 5%}",
  "series: maybe",
  "constraints: W1 < W2",
];

it.each(WRONG)("reader and JSON Schema both refuse %j", (text) => {
  expect(accepts({ scenario: "../tiny.yaml", ...(parse(text) as object) })).toBe(false);
  expect(refusedSweep(text)).toMatch(/expected|no key/);
});
