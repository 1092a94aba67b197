import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { helpExamples, needsRedis } from "../../support/help-examples.js";
import { PackedBide } from "../../support/packed.js";

const HELP = await helpExamples();

/** Commands that begin in an empty folder; all others in one with what these have made. */
const FIRST = ["bide", "bide examples", "bide init"];

/** What else must be there before the examples of a command can be typed; their help says so. */
const BEFORE: Readonly<Record<string, readonly string[]>> = {
  "bide results": ["bide sweep scenarios/sweeps/tiny-waits.yaml --threads 2"],
  "bide merge": [
    "bide sweep scenarios/sweeps/tiny-waits.yaml --shard 1/2 --out part-1",
    "bide sweep scenarios/sweeps/tiny-waits.yaml --shard 2/2 --out part-2",
  ],
};

/** Examples of logs that users have and the package has not; each such command has one of what is shipped, too. */
const OF_ONES_OWN = /(app-2024\d+|logs\/\*|done\/2024|sls-jobs\.json|apps\.json)/;

/** The dearest; test/unit/lab/bench/sweep.long.test.ts asks what it answers. */
const ELSEWHERE = ["bide bench sweep"];

let packed: PackedBide;
let scratch: string;
beforeAll(() => {
  packed = new PackedBide();
  scratch = mkdtempSync(join(tmpdir(), "bide-help-"));
  const bin = join(scratch, "bin");
  mkdirSync(bin);
  command(bin, "bide", `exec '${process.execPath}' '${packed.root}/bin/bide.js' "$@"`);
  // Not everybody has it, and what it does is not ours.
  if (spawnSync("jq", ["--version"]).status !== 0) command(bin, "jq", "cat");
  mkdirSync(join(scratch, "begun"));
  for (const line of ["bide examples --all", "bide init"]) expect(typed("begun", line).status).toBe(0);
}, 120_000);
afterAll(() => {
  packed.remove();
  rmSync(scratch, { recursive: true, force: true });
});

/** What a shell makes of a line, in one of the folders. */
function typed(folder: string, line: string) {
  return spawnSync("bash", ["-o", "pipefail", "-c", line], {
    cwd: join(scratch, folder),
    encoding: "utf8",
    env: { ...process.env, PATH: `${join(scratch, "bin")}${delimiter}${process.env.PATH ?? ""}` },
  });
}

describe("from the packed package, in a folder with nothing but the examples", () => {
  it.each(HELP)("every example of $name --help works", { timeout: 300_000 }, ({ name, lines }) => {
    expect(lines, "a command without an example").not.toEqual([]);
    if (ELSEWHERE.includes(name)) return;
    const folder = name.replaceAll(" ", "-");
    if (FIRST.includes(name)) mkdirSync(join(scratch, folder));
    else cpSync(join(scratch, "begun"), join(scratch, folder), { recursive: true });
    const shipped = lines.filter((one) => !needsRedis(one) && !OF_ONES_OWN.test(one));
    if (lines.some((one) => OF_ONES_OWN.test(one))) expect(shipped, "an example that can be typed").not.toEqual([]);
    for (const line of [...(BEFORE[name] ?? []), ...shipped]) {
      const { status, stdout, stderr } = typed(folder, line);
      expect({ line, status, stderr: status === 0 ? "" : stderr }).toEqual({ line, status: 0, stderr: "" });
      // A result that goes into a file is not printed.
      const file = /(?: > |--parquet |--plot .*--out )(\S+)/.exec(line)?.[1];
      expect(file === undefined ? stdout : readFileSync(join(scratch, folder, file), "utf8"), line).not.toBe("");
    }
  });
});

describe("help", () => {
  it.each(HELP)("of $name fits into 80 columns", ({ help }) => {
    expect(help.split("\n").filter((line) => line.length > 80)).toEqual([]);
  });
});

function command(folder: string, name: string, line: string): void {
  writeFileSync(join(folder, name), `#!/bin/sh\n${line}\n`);
  chmodSync(join(folder, name), 0o755);
}
