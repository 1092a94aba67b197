import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { helpExamples, needsRedis } from "../../support/help-examples.js";
import { PackedBide } from "../../support/packed.js";

const HELP = await helpExamples();

/** What must be there before the examples of a command can be typed; their help says so. */
const BEFORE: Readonly<Record<string, readonly string[]>> = {
  bide: [],
  "bide examples": [],
  "bide init": [],
  "bide results": ["bide examples --all", "bide sweep scenarios/sweeps/tiny-waits.yaml --threads 2"],
  "bide merge": [
    "bide examples --all",
    "bide sweep scenarios/sweeps/tiny-waits.yaml --shard 1/2 --out part-1",
    "bide sweep scenarios/sweeps/tiny-waits.yaml --shard 2/2 --out part-2",
  ],
};
const USUAL = ["bide examples --all", "bide init"];

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
}, 120_000);
afterAll(() => {
  packed.remove();
  rmSync(scratch, { recursive: true, force: true });
});

describe("from the packed package, in a folder with nothing but the examples", () => {
  it.each(HELP)("every example of $name --help works", { timeout: 300_000 }, ({ name, lines }) => {
    expect(lines, "a command without an example").not.toEqual([]);
    const folder = join(scratch, name.replaceAll(" ", "-"));
    mkdirSync(folder);
    for (const line of [...(BEFORE[name] ?? USUAL), ...lines.filter((one) => !needsRedis(one))]) {
      const { status, stdout, stderr } = spawnSync("bash", ["-o", "pipefail", "-c", line], {
        cwd: folder,
        encoding: "utf8",
        env: { ...process.env, PATH: `${join(scratch, "bin")}${delimiter}${process.env.PATH ?? ""}` },
      });
      expect({ line, status, stderr: status === 0 ? "" : stderr }).toEqual({ line, status: 0, stderr: "" });
      // A result that goes into a file is not printed.
      const file = /(?: > |--parquet |--plot .*--out )(\S+)/.exec(line)?.[1];
      expect(file === undefined ? stdout : readFileSync(join(folder, file), "utf8"), line).not.toBe("");
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
