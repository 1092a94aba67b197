import { SaxesParser } from "saxes";
import { describe, expect, it } from "vitest";
import type { Compared, ComparedRun, RegressReport } from "../../../dist/core/regress/regress-report.js";
import { junitText } from "../../../dist/io/regress/junit.js";

const MACHINE = {
  cpu: 'EPYC "7" & more <fast>',
  cores: 2,
  memoryGiB: 23.5,
  node: "v20",
  platform: "linux x64",
  bide: "1",
};

function compared(what: string, verdict: Compared["verdict"], detail = ""): Compared {
  return { kind: "exact", what, verdict, baseline: "abc", now: 5, detail };
}

function report(runs: Partial<ComparedRun>[]): RegressReport {
  const whole = runs.map((run) => {
    return {
      name: "a",
      command: "npx bide regress x.yaml --only a",
      passed: true,
      comparisons: [],
      notes: [],
      replications: [],
      ...run,
    };
  });
  const named = { name: "nightly", why: "", file: "x.yaml", baseline: "x.baseline.json" };
  return { format: "bide-regress", version: 1, ...named, machine: MACHINE, passed: false, runs: whole, notes: [] };
}

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  text: string;
}

/** All elements in document order. @throws Error when it is not well-formed. */
function elementsOf(xml: string): Element[] {
  const found: Element[] = [];
  const open: Element[] = [];
  const parser = new SaxesParser();
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ name, attributes }) => {
    const element = { name, attributes, text: "" };
    found.push(element);
    open.push(element);
  });
  parser.on("text", (text) => {
    const last = open.at(-1);
    if (last !== undefined) last.text += text;
  });
  parser.on("closetag", () => open.pop());
  parser.write(xml).close();
  return found;
}

describe("JUnit XML", () => {
  it("a suite per run, a case per comparison, both values and the command where one fails", () => {
    const good = {
      name: "good",
      comparisons: [compared("fingerprint", "same"), compared("speed", "within"), compared("peak memory", "told")],
    };
    const bad = {
      name: "bad",
      passed: false,
      comparisons: [compared("counts.kills", "changed"), compared("run", "failed", "it threw\nat once")],
    };
    const found = elementsOf(junitText(report([good, bad])));
    const of = (name: string): Element[] => found.filter((element) => element.name === name);
    expect(of("testsuites")[0].attributes).toEqual({
      name: "bide regress nightly",
      tests: "4",
      failures: "1",
      errors: "1",
    });
    expect(of("testsuite").map(({ attributes }) => attributes)).toEqual([
      { name: "nightly.good", tests: "2", failures: "0", errors: "0" },
      { name: "nightly.bad", tests: "2", failures: "1", errors: "1" },
    ]);
    expect(of("testcase").map(({ attributes }) => `${attributes.classname} ${attributes.name}`)).toEqual([
      "nightly.good fingerprint",
      "nightly.good speed",
      "nightly.bad counts.kills",
      "nightly.bad run",
    ]);
    const [failure] = of("failure");
    expect(failure.attributes).toEqual({ type: "changed", message: "counts.kills changed: was abc, is 5" });
    expect(failure.text).toBe("counts.kills changed: was abc, is 5\nnpx bide regress x.yaml --only a\n");
    expect(of("error")[0].text).toContain("it threw\nat once");
    const properties = Object.fromEntries(of("property").map(({ attributes }) => [attributes.name, attributes.value]));
    expect(properties).toMatchObject({ cpu: MACHINE.cpu, node: "v20", bide: "1", baseline: "x.baseline.json" });
    expect(properties).toMatchObject({ "peak memory": "5", command: "npx bide regress x.yaml --only a" });
  });

  it("whatever an error says stays well-formed", () => {
    const hostile = "]]> <b>&amp; \u0000\u0008\u000b\u001b[31m \ud800 \udc00 \u{1f600} \ufffe\uffff \u007f 'q' \"q\"";
    const run = {
      name: hostile,
      command: hostile,
      notes: [hostile],
      comparisons: [compared(hostile, "failed", hostile)],
    };
    const found = elementsOf(junitText(report([run])));
    const written =
      "]]> <b>&amp; \\u0000\\u0008\\u000b\\u001b[31m \\ud800 \\udc00 \u{1f600} \\ufffe\\uffff \u007f 'q' \"q\"";
    const [error] = found.filter(({ name }) => name === "error");
    expect(error.text).toBe(`${written} failed: was abc, is 5\n${written}\n${written}\n`);
    expect(error.attributes.message).toBe(`${written} failed: was abc, is 5`);
    expect(found.find(({ name }) => name === "system-out")?.text).toBe(written);
  });
});
