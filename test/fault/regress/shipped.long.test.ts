import { readFileSync } from "node:fs";
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { ended } from "../cli/command.js";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

/** If these fail because results were changed on purpose: `npx bide regress FILE --update` on a quiet machine. */
describe("the shipped suites", () => {
  it("quick: the code that is tested gives the results of its baseline", async () => {
    const args = ["bin/bide.js", "regress", "scenarios/regress/quick.yaml", "--no-speed", "--quiet"];
    const { code, stdout, stderr } = await ended(
      spawn(process.execPath, args, { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"] }),
    );
    expect(stdout).toMatch(/\nAll 16 comparisons pass\.\n$/);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  });
});

interface Workflow {
  readonly permissions: object;
  readonly concurrency: object;
  readonly jobs: Readonly<Record<string, { "timeout-minutes": number; steps: { uses?: string; run?: string }[] }>>;
}

describe("the workflows", () => {
  it.each(["check", "nightly"])("%s: pinned actions, read-only, with an end", (name) => {
    const workflow = parse(readFileSync(`${ROOT}/.github/workflows/${name}.yml`, "utf8")) as Workflow;
    expect(workflow.permissions).toEqual({ contents: "read" });
    expect(workflow.concurrency).toHaveProperty("group");
    for (const { "timeout-minutes": minutes, steps } of Object.values(workflow.jobs)) {
      expect(minutes).toBeLessThanOrEqual(60);
      for (const { uses } of steps) if (uses !== undefined) expect(uses).toMatch(/^actions\/[a-z-]+@v\d+$/);
    }
  });
});
