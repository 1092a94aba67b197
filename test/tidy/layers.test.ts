import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ROOT } from "./project-files.js";

/** Files that break one rule each, or more where one import says several wrong things. */
const OFFENCES: Record<string, string> = {
  "src/core/kernel/time.ts": `import "../platforms/hadoop/scheduler/order.js"; import "zod"; import "yaml";`,
  "src/core/platforms/hadoop/scheduler/order.ts": `import "../../../../io/read.js"; import "../../../kernel/time.js"; import "../../../theory.js"; import "../../other/pool.js"; import "node:fs";`,
  "src/core/platforms/other/pool.ts": `export const FOUR = 4;`,
  "src/core/theory.ts": `import "./platforms/hadoop/scheduler/order.js";`,
  "src/experiments/plan.ts": `import "../io/read.js"; import "../core/theory.js";`,
  "src/messages/frame.ts": `import "../actors/thread-driver.js";`,
  "src/io/read.ts": `import "../lab/public.js"; import "seedrandom"; import "msgpackr"; import "piscina"; import "commander"; import "filtrex";`,
  "src/io/thread.ts": `import "node:worker_threads"; import "../core/kernel/time.js"; import "vitest"; import "./gone.js";`,
  "src/actors/master-actor.ts": `import "./thread-driver.js"; import "node:fs"; import "../io/read.js";`,
  "src/actors/thread-driver.ts": `import "../messages/frame.js";`,
  "src/report/page.ts": `import "../lab/public.js";`,
  "src/lab/public.ts": `import "../cli/main.js"; import "../../test/support.js";`,
  "src/cli/main.ts": `import "../report/page.js"; import "bullmq"; import "filtrex"; import "pdfkit"; import "echarts"; import "../report/html/page.js";`,
  "src/report/html/page.ts": `export const THREE = 3;`,
  "src/core/platforms/hadoop/jobs/alone.ts": `export const ONE = 1;`,
  "test/support.ts": `export const TWO = 2;`,
};

const { forbidden } = createRequire(import.meta.url)(`${ROOT}/.dependency-cruiser.cjs`) as {
  forbidden: { name: string; comment: string }[];
};

describe("the layer rules", () => {
  let directory: string;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "bide-layers-"));
    for (const file of [".dependency-cruiser.cjs", "tsconfig.base.json", "package.json"]) {
      cpSync(join(ROOT, file), join(directory, file));
    }
    symlinkSync(join(ROOT, "node_modules"), join(directory, "node_modules"), "junction");
  });

  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  const check = (files: Record<string, string>) => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(directory, path)), { recursive: true });
      writeFileSync(join(directory, path), text);
    }
    const tool = join(ROOT, "tools/layers.mjs");
    const { status, stdout } = spawnSync(process.execPath, [tool, directory], { encoding: "utf8" });
    return { status, stdout };
  };

  it("each say what breaking them would mean", () => {
    expect(forbidden.filter(({ comment }) => !/^[A-Z].{30,}[.)]$/.test(comment)).map(({ name }) => name)).toEqual([]);
  });

  it("each catch what they forbid, with the sentence", () => {
    const { status, stdout } = check(OFFENCES);
    const silent = forbidden.filter(({ name, comment }) => !stdout.includes(`\n${name}: ${comment}\n`));
    expect(silent.map(({ name }) => name)).toEqual([]);
    expect(status).toBe(1);
  });

  it("let a proper tree pass", () => {
    const { status, stdout } = check({
      "src/core/kernel/streams.ts": `import "seedrandom";`,
      "src/core/kernel/index.ts": `import "./streams.js";`,
      "src/messages/index.ts": `import "msgpackr"; import "../core/kernel/index.js";`,
      "src/actors/rack-host.ts": `import "../messages/index.js";`,
      "src/actors/index.ts": `import "./thread-driver.js";`,
      "src/actors/thread-driver.ts": `import "./rack-host.js"; import "piscina"; import "node:worker_threads";`,
      "src/io/index.ts": `import "yaml"; import "../core/kernel/index.js"; import "node:fs";`,
      "src/lab/index.ts": `import "../actors/index.js"; import "../io/index.js";`,
      "src/cli/main.ts": `import "../lab/index.js"; import "commander";`,
    });
    expect(stdout).toContain("layers: 9 modules, 9 imports, 0 violations");
    expect(status).toBe(0);
  });

  it("fail when there was nothing to check", () => {
    const { status, stdout } = check({ "src/readme.txt": "", "bench/elsewhere.ts": "export {};" });
    expect(stdout).toContain("nothing was checked");
    expect(status).toBe(1);
  });
});
