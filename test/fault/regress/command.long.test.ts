import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ended, wrote } from "../cli/command.js";
import { plugin, SuitePlace } from "./suite.js";

const TWO = `name: two
runs:
  - {name: lab, scenario: small.yaml, set: {scheduler: lab, run.until: 1m}}
  - {name: good, scenario: good.yaml}
`;
const GIVEN = ["two.yaml", "--plugin", "lab.mjs", "--no-speed"];

const OLD_XML = '<testsuites name="bide regress two"/>';

function placeOfTwo(): SuitePlace {
  const made = new SuitePlace();
  made.write("two.yaml", TWO);
  made.write("lab.mjs", plugin(0));
  return made;
}

/** Of both runs, as every --update writes it. */
let baseline: string;
beforeAll(async () => {
  const made = placeOfTwo();
  expect((await made.bide("regress", ...GIVEN, "--update", "--quiet")).code).toBe(0);
  baseline = made.read("two.baseline.json");
  made.remove();
});

let place: SuitePlace;
beforeEach(() => {
  place = placeOfTwo();
});
afterEach(() => {
  place.remove();
});

describe("bide regress", () => {
  it("a run that fails is told of with its error, and the others go on", async () => {
    place.write("two.baseline.json", baseline);
    place.write("lab.mjs", plugin(0).replace("for (", 'throw new Error("out of order\\u0007"); for ('));
    const { code, found } = await place.compare(...GIVEN, "--junit", "out.xml");
    expect(code).toBe(5);
    expect(found.get("lab run")).toMatchObject({ verdict: "failed", baseline: null, now: null });
    expect(found.get("lab run")?.detail).toContain("out of order\\u0007");
    expect(found.get("good fingerprint")?.verdict).toBe("same");
    const xml = place.read("out.xml");
    expect(xml).toMatch(/<testsuite name="two\.lab" tests="4" failures="0" errors="1" skipped="3" time="\d+\.\d{3}">/);
    expect(xml).toContain("npx bide regress two.yaml --only lab --plugin lab.mjs");
    const before = place.read("two.baseline.json");
    expect(await place.bide("regress", ...GIVEN, "--update", "--quiet")).toMatchObject({
      code: 5,
      stderr: "bide: two.baseline.json: not written, for a run failed\n",
    });
    expect(place.read("two.baseline.json")).toBe(before);
  });

  it("replaces its own reports, and no other file", async () => {
    place.write("two.baseline.json", baseline);
    const reports = ["--out", "report.json", "--junit", "report.xml", "--quiet"];
    for (const _ of [1, 2]) expect((await place.bide("regress", ...GIVEN, ...reports)).code).toBe(0);
    for (const [option, name] of [
      ["--out", "package.json"],
      ["--junit", "pom.xml"],
    ]) {
      place.write(name, "<theirs/>");
      const { code, stderr } = await place.bide("regress", ...GIVEN, option, name);
      expect([code, stderr]).toEqual([2, expect.stringContaining(`${name}: found a file that is no such report`)]);
      expect(place.read(name)).toBe("<theirs/>");
    }
  });

  it.skipIf(process.platform === "win32")("stopped by SIGTERM: exit 143, no old report", async () => {
    place.write("two.baseline.json", baseline);
    place.write("old.xml", OLD_XML);
    const child = place.start("regress", ...GIVEN, "--junit", "old.xml");
    const end = ended(child);
    await wrote(child, "1 of 2: lab");
    child.kill("SIGTERM");
    expect(await end).toMatchObject({ code: 143, stdout: "" });
    expect(place.left()).not.toContain("old.xml");
  });

  it.skipIf(process.platform === "win32")("stopped by SIGTERM: exit 143, no baseline", async () => {
    const child = place.start("regress", "two.yaml", "--plugin", "lab.mjs", "--update");
    const end = ended(child);
    await wrote(child, "1 of 6: lab");
    await sleep(200);
    child.kill("SIGTERM");
    expect(await end).toMatchObject({ code: 143, stdout: "" });
    expect(place.left()).toEqual(["lab.mjs", "small.yaml", "suite.yaml", "two.yaml"]);
  });
});
