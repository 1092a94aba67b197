import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SCRIPTS } from "../../../dist/cli/index.js";

const BIDE = fileURLToPath(new URL("../../../bin/bide.js", import.meta.url));

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "bide completion-"));
  mkdirSync(join(folder, "scenarios"));
  for (const name of ["my file.yaml", "mine.txt", "scenarios/tiny.yaml"]) writeFileSync(join(folder, name), "");
  mkdirSync(join(folder, "bin"));
  const bide = join(folder, "bin", "bide");
  // Whatever else is typed is shown, not run.
  const lines = [
    `if [ "$1" = completion ]; then exec '${process.execPath}' '${BIDE}' "$@"; fi`,
    `printf '<%s>' typed "$@"`,
  ];
  writeFileSync(bide, `#!/bin/sh\n${lines.join("\n")}\necho\n`);
  chmodSync(bide, 0o755);
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const shell = (command: string, args: string[], input = ""): string => {
  const env = { ...process.env, TERM: "dumb", PATH: `${join(folder, "bin")}${delimiter}${process.env.PATH ?? ""}` };
  return spawnSync(command, args, { cwd: folder, encoding: "utf8", input, env, timeout: 60_000 }).stdout;
};

/** What is typed, each with a tab for `^`, and the words that the command is then called with. */
const TYPED: readonly (readonly [typed: string, words: readonly string[]])[] = [
  ["bide check-s^ fif^", ["check-scheduler", "fifo"]],
  ["bide run sce^tin^ --no-ta^", ["run", "scenarios/tiny.yaml", "--no-tables"]],
  ["bide validate my^", ["validate", "my file.yaml"]],
  ["bide compare x.yaml --schedulers fair,del^", ["compare", "x.yaml", "--schedulers", "fair,delay"]],
  ["bide bench transp^ --fra^", ["bench", "transport", "--frames"]],
];

describe.each(["bash", "zsh"] as const)("%s, with the tab key", (name) => {
  const isThere = spawnSync(name, ["-c", "true"]).status === 0 && spawnSync("script", ["--version"]).status === 0;
  it.runIf(isThere)("completes commands, options, files and names", { timeout: 120_000 }, () => {
    const start = name === "bash" ? "bash --norc --noprofile -i" : "zsh -f -i";
    const before = name === "bash" ? [] : ["autoload -U compinit && compinit -u -D"];
    const lines = [...before, `source <(bide completion ${name})`, ...TYPED.map(([typed]) => typed), "exit"];
    const text = shell("script", ["-qec", start, "/dev/null"], `${lines.join("\n").replaceAll("^", "\t")}\n`);
    for (const [typed, words] of TYPED) {
      expect(text, typed).toContain(["typed", ...words].map((word) => `<${word}>`).join(""));
    }
  });
});

it.runIf(spawnSync("fish", ["--version"]).status === 0)("fish: the same values", () => {
  const asked = TYPED.map(([typed]) => typed.split("^", 1)[0]);
  const lines = ["bide completion fish | source", ...asked.map((typed) => `complete -C '${typed}'`)];
  const values = shell("fish", ["--no-config", "-c", lines.join("\n")]);
  const found = values.split("\n").map((line) => line.split("\t", 1)[0]);
  expect(found).toEqual(
    expect.arrayContaining(["check-scheduler", "scenarios/", "my file.yaml", "fair,delay", "transport"]),
  );
  expect(found).not.toContain("mine.txt");
});

it("what is typed is never evaluated", () => {
  for (const name of Object.keys(SCRIPTS)) expect(SCRIPTS[name as keyof typeof SCRIPTS]).not.toMatch(/\beval\b/);
  const words = ["completion", "bash", "--", "run", "$(touch evil)", "`touch evil`", "--set", "__proto__.x", "="];
  expect(shell("bide", words)).toBe("words\n");
  expect(shell("ls", [])).not.toContain("evil");
});
