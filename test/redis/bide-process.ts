import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

export const BIDE = fileURLToPath(new URL("../../bin/bide.js", import.meta.url));
export const SWEEP = "sweep.yaml";
export const RUNS = 8;

/**
 * The time of a run of the sweep. `slow`: about half a second, half of that on fast machines: long enough to be killed
 * in the middle. `quick`: next to nothing, for tests that ask for the outcome alone.
 */
const SCENARIOS = {
  slow: { file: "benchmark.yaml", more: "  - {name: repeat, path: workload.repeat, values: [4]}\n" },
  quick: { file: "tiny.yaml", more: "" },
} as const;
export type Pace = keyof typeof SCENARIOS;
export const PACES = Object.keys(SCENARIOS) as Pace[];

export function writeSweep(folder: string, pace: Pace): void {
  const { file, more } = SCENARIOS[pace];
  const scenario = fileURLToPath(new URL(`../../scenarios/${file}`, import.meta.url));
  const wait = "{name: W1, path: scheduler.wait.node, values: [0s, 1s, 3s, 8s]}";
  writeFileSync(
    join(folder, SWEEP),
    `name: redis\nwhy: a test\nscenario: ${scenario}\naxes:\n  - ${wait}\n${more}replications: 2\nmeasures: [responseMean, nodeLocalAll]\n`,
  );
}

/** Where the sweep of that pace was done without any queue (undisturbed.ts): what it must come to. */
export function undisturbedFolder(pace: Pace): string {
  return join(process.env.BIDE_UNDISTURBED ?? "", pace);
}

/** A process of bide and what it has said so far. */
export class BideProcess {
  stdout = "";
  stderr = "";
  readonly child: ChildProcess;
  private readonly ended: Promise<unknown>;

  constructor(
    readonly args: readonly string[],
    cwd: string,
    env: Record<string, string> = {},
  ) {
    this.child = spawn(process.execPath, [BIDE, ...args], {
      cwd,
      env: { ...process.env, NO_COLOR: "1", ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.child.stdout?.on("data", (data: Buffer) => (this.stdout += data.toString()));
    this.child.stderr?.on("data", (data: Buffer) => (this.stderr += data.toString()));
    this.ended = once(this.child, "close");
  }

  get isOver(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /** Of a worker with --json. */
  get runs(): number {
    return this.stdout.split("\n").length - 1;
  }

  kill(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** @returns the exit code. */
  async end(): Promise<number | null> {
    await this.ended;
    return this.child.exitCode;
  }

  async says(words: string): Promise<void> {
    await until(() => this.stderr.includes(words) || this.isOver);
    if (!this.stderr.includes(words)) throw new Error(`never said "${words}", but: ${this.stderr}`);
  }
}

/** A folder with the sweep, and the processes that were started in it. */
export class Site {
  readonly path = mkdtempSync(join(tmpdir(), "bide-redis-"));
  private readonly started: BideProcess[] = [];

  constructor(
    private readonly url: string,
    private readonly pace: Pace,
  ) {
    writeSweep(this.path, pace);
  }

  sweep(...more: string[]): BideProcess {
    return this.bide(["sweep", SWEEP, "--out", "out", "--queue", this.url, ...more]);
  }

  worker(...more: string[]): BideProcess {
    return this.bide(["worker", "--queue", this.url, "--threads", "1", "--json", ...more]);
  }

  bide(args: readonly string[], env: Record<string, string> = {}): BideProcess {
    const one = new BideProcess(args, this.path, env);
    this.started.push(one);
    return one;
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.path, name), text);
  }

  /** Whether the table is, byte by byte, that of a sweep that nobody disturbed. */
  hasUndisturbedTable(folder = "out"): boolean {
    const undisturbed = readFileSync(join(undisturbedFolder(this.pace), "runs.parquet"));
    return readFileSync(join(this.path, folder, "runs.parquet")).equals(undisturbed);
  }

  /** Keys of runs in the order of the journal. */
  journalKeys(): string[] {
    const file = join(this.path, "out/journal.jsonl");
    const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n").slice(0, -1) : [];
    return lines.map((line) => /"key":"([0-9a-f]+)"/.exec(line)?.[1] ?? "");
  }

  /** All that was written or said. */
  traces(): string {
    const files = readdirSync(this.path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const texts = files.map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"));
    return [...texts, ...this.started.flatMap(({ stdout, stderr }) => [stdout, stderr])].join("\n");
  }

  async remove(): Promise<void> {
    for (const one of this.started) if (!one.isOver) one.kill("SIGKILL");
    await Promise.all(this.started.map(async (one) => one.end()));
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** Looks every 50 ms; gives up after two minutes. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let looks = 0; looks < 2400; looks++) {
    if (await holds()) return;
    await sleep(50);
  }
  throw new Error("did not happen within two minutes");
}
