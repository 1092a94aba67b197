import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { codeFolder } from "../../../bin/code.js";
import type { bide } from "../../../dist/cli/index.js";
import { engineOf } from "./engines.mjs";

const BIDE = fileURLToPath(new URL("../../../bin/bide.js", import.meta.url));
const WITH_ENGINE = fileURLToPath(new URL("bide-with-engine.mjs", import.meta.url));

export const GOOD_SCENARIO = `name: good
cluster: {racks: 2, nodesPerRack: 2, mapSlots: 2, reduceSlots: 1}
workload: {kind: jobs, jobs: [{name: a, maps: 3, mapTime: 5s, count: 4, every: 2s}]}
`;

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A folder of its own in which commands are run; holds `good.yaml`. */
export class Place {
  readonly path = mkdtempSync(join(tmpdir(), "bide-cli-"));

  constructor() {
    this.write("good.yaml", GOOD_SCENARIO);
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.path, name), text);
  }

  /** Everything but the scenario, hidden files included. */
  left(): string[] {
    return readdirSync(this.path)
      .filter((name) => name !== "good.yaml")
      .sort();
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }

  /**
   * Runs the command line to its end, in this process: for all that does not end, kill or poison a process. As
   * bin/bide.js does, it takes the bundle, of which each thread and process loads a third in time.
   */
  async bide(...args: string[]): Promise<Ended> {
    const code = await commandLine();
    return inTurn(async () => captured(this.path, async () => code.bide(args)));
  }

  /** The same around one of the engines of engines.mjs. */
  async bideOn(engine: string, ...args: string[]): Promise<Ended> {
    const code = await commandLine();
    return inTurn(async () => captured(this.path, async () => code.bide(args, async () => engineOf(engine))));
  }

  /** Runs bin/bide.js to its end, in a process of its own. */
  async bideProcess(...args: string[]): Promise<Ended> {
    return ended(this.start(...args));
  }

  startOn(engine: string, ...args: string[]): ChildProcess {
    return this.spawn([WITH_ENGINE, engine, ...args]);
  }

  /** A shell line in which $BIDE is the command, $GOOD the command around the engine `good`. */
  async shell(line: string): Promise<Ended> {
    return ended(this.startShell(line));
  }

  startShell(line: string): ChildProcess {
    const env = {
      ...process.env,
      BIDE: `${process.execPath} ${BIDE}`,
      GOOD: `${process.execPath} ${WITH_ENGINE} good`,
    };
    return spawn("bash", ["-c", line], { cwd: this.path, env });
  }

  /** Starts bin/bide.js. */
  start(...args: string[]): ChildProcess {
    return this.spawn([BIDE, ...args]);
  }

  /** Starts another program in the folder. */
  startProgram(...args: string[]): ChildProcess {
    return this.spawn(args);
  }

  private spawn(args: string[]): ChildProcess {
    return spawn(process.execPath, args, { cwd: this.path, stdio: ["ignore", "pipe", "pipe"] });
  }
}

async function commandLine(): Promise<{ readonly bide: typeof bide }> {
  return (await import(new URL("cli/bide.js", codeFolder()).href)) as { readonly bide: typeof bide };
}

let lastTurn: Promise<unknown> = Promise.resolve();

/** One command at a time: the working directory and the output belong to the whole process. */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const turn = lastTurn.then(work);
  lastTurn = turn.catch(() => undefined);
  return turn;
}

/** What `work` writes to the terminal, as if it were a process of its own in that folder. */
async function captured(folder: string, work: () => Promise<number>): Promise<Ended> {
  const before = process.cwd();
  const outputs = [process.stdout, process.stderr].map((stream) => ({ stream, isTTY: stream.isTTY, text: "" }));
  const writes = outputs.map(({ stream }) => stream.write);
  for (const output of outputs) {
    output.stream.isTTY = false;
    output.stream.write = (chunk: string | Uint8Array, ...more: unknown[]): boolean => {
      output.text += typeof chunk === "string" ? chunk : Buffer.from(chunk).toString();
      const done = more.find((one) => typeof one === "function") as (() => void) | undefined;
      if (done !== undefined) process.nextTick(done);
      return true;
    };
  }
  process.chdir(folder);
  try {
    const code = await work();
    return { code, stdout: outputs[0]!.text, stderr: outputs[1]!.text };
  } finally {
    process.chdir(before);
    for (const [index, { stream, isTTY }] of outputs.entries()) {
      stream.write = writes[index]!;
      stream.isTTY = isTTY;
    }
  }
}

export async function ended(child: ChildProcess): Promise<Ended> {
  let stdout = "";
  let stderr = "";
  child.stdout?.on("data", (data: Buffer) => (stdout += data.toString()));
  child.stderr?.on("data", (data: Buffer) => (stderr += data.toString()));
  const code = await new Promise<number | null>((resolve) => {
    child.on("close", resolve);
  });
  return { code, stdout, stderr };
}

/** Resolves once the child has written `text` to stderr. */
export async function wrote(child: ChildProcess, text: string): Promise<void> {
  let seen = "";
  await new Promise<void>((resolve, reject) => {
    child.stderr?.on("data", (data: Buffer) => {
      seen += data.toString();
      if (seen.includes(text)) resolve();
    });
    child.on("close", () => {
      reject(new Error(`ended without "${text}": ${seen}`));
    });
  });
}

/**
 * Resolves once a process has computed for so long, or is gone: on a busy machine a second of the clock says nothing.
 */
export async function computed({ pid }: ChildProcess, seconds: number): Promise<void> {
  for (;;) {
    await setTimeout(20);
    const stat = await readFile(`/proc/${String(pid)}/stat`, "utf8").catch(() => null);
    if (stat === null) return;
    const [user, system] = stat.slice(stat.lastIndexOf(")")).split(" ").slice(12).map(Number);
    if ((user + system) / TICKS_PER_SECOND >= seconds) return;
  }
}

const TICKS_PER_SECOND = 100;

/**
 * Counts milliseconds in which this machine was running: a machine that stands still for seconds says nothing about
 * Bide.
 */
export function awakeMs(): () => number {
  let awake = 0;
  let last = performance.now();
  const tick = (): void => {
    const now = performance.now();
    awake += Math.min(now - last, 100);
    last = now;
  };
  const timer = setInterval(tick, 20);
  return () => {
    clearInterval(timer);
    tick();
    return awake;
  };
}
