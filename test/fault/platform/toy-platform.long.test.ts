import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

/** The folder of the compiled output. */
const COMPILED = "dist";

const QUEUE = `platform: toy
why: Who waits least?
workload: { visitors: 400, gap: 10s, service: 7s }
compare:
  seeds: 3
  systems: [{ name: first come }, { name: last come, set: { scheduler.kind: lifo } }]
`;

let home: string;

/** A copy of Bide with one more platform: a file, and a line in the list. */
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), "bide-toy-"));
  for (const part of ["bin", "package.json"]) cpSync(join(ROOT, part), join(home, part), { recursive: true });
  const isCompiled = (path: string): boolean => !/[.](map|tsbuildinfo|d[.]ts)$/.test(path);
  cpSync(join(ROOT, "dist"), join(home, "dist"), { recursive: true, filter: isCompiled });
  // What pages of reports are made of.
  cpSync(join(ROOT, "bundle/report"), join(home, "bundle/report"), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(home, "node_modules"), "junction");
  cpSync(join(ROOT, "test/support/toy-platform.mjs"), join(home, COMPILED, "io/scenario/toy.js"));
  const list = join(home, COMPILED, "io/scenario/platforms.js");
  const text = readFileSync(list, "utf8");
  const longer = text.replace(/PLATFORMS = \[/, "PLATFORMS = [TOY, ").replace("[TOY, HADOOP,", "[HADOOP, TOY,");
  expect(longer).not.toBe(text);
  writeFileSync(list, `import { TOY } from "./toy.js";\n${longer}`);
  writeFileSync(join(home, "queue.yaml"), QUEUE);
});

afterAll(() => rmSync(home, { recursive: true, force: true }));

function bide(...words: string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [join(home, "dist/cli/main.js"), ...words], {
      cwd: home,
      env: { ...process.env, NO_COLOR: "1" },
    });
    let [stdout, stderr] = ["", ""];
    child.stdout.on("data", (data: Buffer) => (stdout += data.toString()));
    child.stderr.on("data", (data: Buffer) => (stderr += data.toString()));
    child.on("close", (code) => resolve({ code, stdout, stderr }));
  });
}

describe("a platform of one file and a line in the list of platforms", () => {
  it("runs, and reports in its own words", async () => {
    const { code, stdout } = await bide("run", "queue.yaml", "--out", "run", "--report", "--quiet");
    expect(code).toBe(0);
    expect(stdout).toContain("Scheduler       fifo");
    expect(stdout).toContain("400 visits");
    expect(stdout).not.toMatch(/\b(map|reduce|slot|rack)s?\b/);
    const page = readFileSync(join(home, "run/report.html"), "utf8");
    expect(page).toContain("visits");
    expect((await bide("results", "run")).stdout).toContain("400");
  });

  it("stops in time, the same each time", async () => {
    const until = ["run", "queue.yaml", "--no-tables", "--json", "--quiet", "--set", "run.until=10m"];
    const [one, other] = [await bide(...until, "--out", "a"), await bide(...until, "--out", "b")];
    const found = JSON.parse(one.stdout) as { fingerprint: string; stopped: string; virtualSeconds: number };
    expect([found.stopped, found.virtualSeconds]).toEqual(["until", 600]);
    expect((JSON.parse(other.stdout) as typeof found).fingerprint).toBe(found.fingerprint);
  });

  it("compares: the order decides who waits, and not how much is done", async () => {
    const { code, stdout } = await bide("compare", "queue.yaml", "--json");
    expect(code).toBe(0);
    const { systems } = JSON.parse(stdout) as {
      systems: { measures: Record<string, { mean: number }> }[];
    };
    const [fifo, lifo] = systems.map(({ measures }) => measures);
    expect(lifo!.makespanSeconds!.mean).toBe(fifo!.makespanSeconds!.mean);
    expect(lifo!.responseP95!.mean).toBeGreaterThan(fifo!.responseP95!.mean);
    expect(lifo!.responseP50!.mean).toBeLessThan(fifo!.responseP50!.mean);
  });

  it("sweeps, on threads", async () => {
    writeFileSync(
      join(home, "sweep.yaml"),
      "scenario: queue.yaml\naxes: [{ name: service, path: workload.service, values: [2s, 5s, 8s] }]\nreplications: 3\nmeasures: [responseMean, visitsPerSecond]\n",
    );
    const { code, stderr } = await bide("sweep", "sweep.yaml", "--out", "swept", "--threads", "2", "--quiet");
    expect([code, stderr.replace(/^note.*\n/gm, "")]).toEqual([0, ""]);
    const { stdout } = await bide("results", "swept", "--json");
    expect(stdout).toContain("visitsPerSecond");
  });

  it("regresses", async () => {
    writeFileSync(join(home, "suite.yaml"), "runs: [{ name: queue, scenario: queue.yaml }]\nspeed: false\n");
    expect((await bide("regress", "suite.yaml", "--update")).code).toBe(0);
    expect((await bide("regress", "suite.yaml")).code).toBe(0);
    writeFileSync(join(home, "queue.yaml"), QUEUE.replace("visitors: 400", "visitors: 401"));
    expect((await bide("regress", "suite.yaml")).code).not.toBe(0);
  });
});
