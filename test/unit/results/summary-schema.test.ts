import { readFileSync } from "node:fs";
import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import { jsonText, summaryJsonSchema, summaryText } from "../../../dist/io/index.js";
import { sampleSummary } from "./sample-run.mjs";

const published = new URL("../../../docs/formats/summary.schema.json", import.meta.url);

describe("the schema of summary.json", () => {
  it("is published as it is: node bin/bide.js schema summary > docs/formats/summary.schema.json", () => {
    expect(readFileSync(published, "utf8")).toBe(jsonText(summaryJsonSchema()));
  });

  const validate = new Ajv({ strict: true }).compile(JSON.parse(readFileSync(published, "utf8")));

  it("accepts what is written", () => {
    const text = summaryText(sampleSummary());
    expect(text.endsWith("}\n")).toBe(true);
    expect(validate(JSON.parse(text))).toBe(true);
  });

  it.each([
    ["a missing key", { fingerprint: undefined }],
    ["an unknown key", { surprise: 1 }],
    ["a share beyond 1", { locality: { tasks: 1, shares: { node: 1.2, rack: 0, offRack: 0 } } }],
    ["a fingerprint of another length", { fingerprint: "0123" }],
    ["a broken count", { jobs: { submitted: 1.5, ended: 1, unfinished: 0 } }],
  ])("refuses %s, and so does the writer", (_, change) => {
    const summary = sampleSummary(change as object);
    expect(validate(JSON.parse(JSON.stringify(summary)))).toBe(false);
    expect(() => summaryText(summary)).toThrow(/breaks its own schema/);
  });

  it.each([NaN, Infinity])("never writes %s as null", (virtualSeconds) => {
    expect(() => summaryText(sampleSummary({ virtualSeconds }))).toThrow(/virtualSeconds/);
  });
});
