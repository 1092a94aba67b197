import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const ROOT = resolve(import.meta.dirname, "../../..");

/** The examples of the page, in its order, each a whole program. */
const EXAMPLES = [...readFileSync(join(ROOT, "docs/library.md"), "utf8").matchAll(/```js\n(.*?)```/gs)].map(
  ([, code]) => code!,
);

let scratch = "";

beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), "bide-library-"));
  mkdirSync(join(scratch, "node_modules"));
  symlinkSync(ROOT, join(scratch, "node_modules/bide"));
  cpSync(join(ROOT, "scenarios"), join(scratch, "scenarios"), { recursive: true });
});

afterAll(() => {
  rmSync(scratch, { recursive: true, force: true });
});

function runExample(code: string) {
  writeFileSync(join(scratch, "example.mjs"), code);
  const { status, stdout, stderr } = spawnSync(process.execPath, ["example.mjs"], { cwd: scratch, encoding: "utf8" });
  return { status, stderr, lines: stdout.split("\n").filter((line) => line !== "") };
}

describe("the examples of docs/library.md run as they stand", () => {
  it("and are all here", () => {
    expect(EXAMPLES.map((code) => /\b(\w+)\(/.exec(code)?.[1])).toEqual([
      "loadScenario",
      "compareScenario",
      "sweepScenario",
      "tuneScenario",
      "writeFileSync",
    ]);
  });

  it("a run", () => {
    const { status, stderr, lines } = runExample(EXAMPLES[0]!);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(lines[0]).toMatch(/^[0-9a-f]{32} [\d.]+ 13$/);
  });

  it("a comparison", () => {
    const { status, stderr, lines } = runExample(EXAMPLES[1]!);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(lines.map((line) => line.replace(/ [\d.]+$/, ""))).toEqual(["fair", "hfs"]);
  });

  it("a sweep, and its results from the folder", () => {
    const { status, stderr, lines } = runExample(EXAMPLES[2]!);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(lines).toHaveLength(7);
    expect(lines[0]).toMatch(/^W1=0s,? W2=0s 2 [\d.]+$/);
    expect(lines[6]).toBe("6");
  });

  it("a page about that sweep", () => {
    const { status, stderr } = runExample(EXAMPLES[4]!);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(readFileSync(join(scratch, "waits.html"), "utf8")).toContain("<title>tiny-waits");
  });

  it("a search", () => {
    const { status, stderr, lines } = runExample(EXAMPLES[3]!);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(lines[0]).toMatch(/^W1=\d+s,? W2=\d+s \d+ 12$/);
  });
});

it("what is wrong is an InputError, and a folder that is there is not replaced", () => {
  const { lines } = runExample(`
    import { sweepScenario, compareScenario, readResults, tuneScenario, InputError } from "bide";
    import { mkdirSync, writeFileSync } from "node:fs";
    mkdirSync("mine", { recursive: true });
    writeFileSync("mine/letter.txt", "dear");
    const tries = [
      () => sweepScenario("scenarios/sweeps/tiny-waits.yaml", { out: "mine", threads: 1 }),
      () => compareScenario("scenarios/tiny.yaml", { schedulers: ["fairest"] }),
      () => readResults("nowhere"),
      () => tuneScenario("scenarios/sweeps/tiny-waits.yaml", { set: ["scheduler.wait.nodes=1s"], threads: 1 }),
    ];
    for (const one of tries) await one().then(() => console.log("done"), (e) => console.log(e instanceof InputError));
  `);
  expect(lines).toEqual(["true", "true", "true", "true"]);
});
