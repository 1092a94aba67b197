import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/**
 * The promise is a second; the margin is for a machine that is busy with other tests. A run that hung would take for
 * ever.
 */
export const BUSY_MS = 10_000;

export interface ChildOptions {
  readonly threads: number;
  readonly slices?: number;
  readonly endless?: boolean;
  readonly abortAfterMs?: number;
  /** Threads that die are replaced. */
  readonly recover?: boolean;
  readonly faultInjections?: readonly {
    readonly rack: number;
    readonly how: { readonly atUs: number; readonly how: string };
  }[];
}

export interface ChildOutcome {
  readonly ended?: boolean;
  readonly fingerprint?: string;
  readonly recoveries?: number;
  readonly name?: string;
  readonly message?: string;
  readonly rack?: string;
  readonly virtualUs?: number;
  /** From the start of the simulation until its promise settled. */
  readonly runMs: number;
  /** What then still kept the event loop busy. */
  readonly left: readonly string[];
  /** From then until the process ended by itself. */
  readonly lingeredMs: number;
}

/** Runs one-run.mjs to its own end; killed, and an error, after `limitMs`. */
export async function runChild(
  options: ChildOptions,
  nodeOptions: readonly string[] = [],
  limitMs = 20_000,
): Promise<ChildOutcome> {
  const script = fileURLToPath(new URL("./one-run.mjs", import.meta.url));
  const child = spawn(process.execPath, [...nodeOptions, script, JSON.stringify(options)], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const out: string[] = [];
  const problems: string[] = [];
  child.stdout.setEncoding("utf8").on("data", (text: string) => out.push(text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => problems.push(text));
  const timer = setTimeout(() => child.kill("SIGKILL"), limitMs);
  const [code, signal] = (await once(child, "close")) as [number | null, string | null];
  clearTimeout(timer);
  if (code !== 0) {
    throw new Error(
      `ended with ${String(code ?? signal)}, having said ${out.join("")}\n${problems.join("").slice(-2000)}`,
    );
  }
  const lines = out.join("").trim().split("\n");
  return Object.assign({}, ...lines.map((line) => JSON.parse(line) as object)) as ChildOutcome;
}
