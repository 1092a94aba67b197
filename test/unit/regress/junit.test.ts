import { SaxesParser } from "saxes";
import { describe, expect, it } from "vitest";
import type { Compared, ComparedRun, RegressReport } from "../../../dist/experiments/index.js";
import { junitText } from "../../../dist/io/index.js";

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
      wallSeconds: 1.5,
      cases: [],
      comparisons: [],
      notes: [],
      replications: [],
      ...run,
    };
  });
  const named = { name: "nightly", why: "", file: "x.yaml", baseline: "x.baseline.json" };
  return {
    format: "bide-regress",
    version: 1,
    ...named,
    machine: MACHINE,
    passed: false,
    baselineIsStale: false,
    runs: whole,
    notes: [],
  };
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
  it("a suite per run, a case per thing that is compared, both values, the reason and the command where one fails", () => {
    const good = {
      name: "good",
      cases: ["run", "fingerprint", "speed"],
      comparisons: [compared("fingerprint", "same"), compared("speed", "within"), compared("peak memory", "told")],
    };
    const bad = {
      name: "bad",
      passed: false,
      wallSeconds: 0.25,
      cases: ["run", "fingerprint", "counts"],
      comparisons: [
        compared("fingerprint", "same"),
        compared("counts.kills", "changed"),
        compared("counts.jobsEnded", "changed", "1 of 2 seeds"),
      ],
      notes: ["scheduler.wait.node: 5s -> 7s"],
    };
    const dead = {
      name: "dead",
      passed: false,
      cases: ["run", "fingerprint"],
      comparisons: [{ ...compared("run", "failed", "it threw\nat once"), kind: "run" as const }],
    };
    const found = elementsOf(junitText(report([good, bad, dead])));
    const of = (name: string): Element[] => found.filter((element) => element.name === name);
    expect(of("testsuites")[0].attributes).toEqual({
      name: "bide regress nightly",
      tests: "8",
      failures: "1",
      errors: "1",
      skipped: "1",
      time: "3.250",
    });
    expect(of("testsuite").map(({ attributes }) => attributes)).toEqual([
      { name: "nightly.good", tests: "3", failures: "0", errors: "0", skipped: "0", time: "1.500" },
      { name: "nightly.bad", tests: "3", failures: "1", errors: "0", skipped: "0", time: "0.250" },
      { name: "nightly.dead", tests: "2", failures: "0", errors: "1", skipped: "1", time: "1.500" },
    ]);
    expect(
      of("testcase").map(({ attributes: { classname, name, time } }) => [classname, name, time].join(" ")),
    ).toEqual([
      ...["nightly.good run 1.500", "nightly.good fingerprint 0.000", "nightly.good speed 0.000"],
      ...["nightly.bad run 0.250", "nightly.bad fingerprint 0.000", "nightly.bad counts 0.000"],
      ...["nightly.dead run 1.500", "nightly.dead fingerprint 0.000"],
    ]);
    const [failure] = of("failure");
    const kills = "counts.kills changed: was abc, is 5";
    const jobs = "counts.jobsEnded changed: was abc, is 5";
    expect(failure.attributes).toEqual({ type: "changed", message: `${kills}; ${jobs}` });
    expect(failure.text).toBe(
      `${kills}\n${jobs}\n1 of 2 seeds\nscheduler.wait.node: 5s -> 7s\nnpx bide regress x.yaml --only a\n`,
    );
    expect(of("error")[0].text).toContain("it threw\nat once");
    expect(of("skipped")[0].attributes).toEqual({ message: "nothing to compare: see the case run" });
    const properties = Object.fromEntries(of("property").map(({ attributes }) => [attributes.name, attributes.value]));
    expect(properties).toMatchObject({ cpu: MACHINE.cpu, node: "v20", bide: "1", baseline: "x.baseline.json" });
    expect(properties).toMatchObject({ "peak memory": "5", command: "npx bide regress x.yaml --only a" });
  });
});
