import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const ONE_RUN = fileURLToPath(new URL("one-run.mjs", import.meta.url));

function run(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [ONE_RUN, ...args], {
    encoding: "utf8",
    timeout: 60_000,
  });
  return { status, stdout, stderr };
}

describe("a function of a plugin that does not return", () => {
  it.each([
    ["create", "0s"],
    ["choose", String.raw`\S+`],
    ["jobEnded", String.raw`\S+`],
  ])("is named, once, after the patience: %s", (hook, at) => {
    const { status, stdout, stderr } = run("300", hook, "3");
    expect([status, stdout]).toEqual([0, "4\n"]);
    expect(stderr).toMatch(
      new RegExp(
        `^note: scheduler slow, ${hook} at ${at} of virtual time: it has not returned for 0\\.3 s; kill -9 \\d+ ends an endless loop\\n$`,
      ),
    );
  });

  it("is not named if it returns before, nor where nobody asked for it", () => {
    expect(run("20000", "choose", "1")).toEqual({ status: 0, stdout: "4\n", stderr: "" });
    expect(run("0", "choose", "1")).toEqual({ status: 0, stdout: "4\n", stderr: "" });
  });
});
