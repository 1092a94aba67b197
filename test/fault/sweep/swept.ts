import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ChildProcess } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { Place } from "../cli/command.js";

/** Some hundredths of a second per run, so that processes can be ended in the midst of it. */
const BASE = `name: base
cluster: {racks: 3, nodesPerRack: 4, mapSlots: 2, reduceSlots: 1}
workload: {kind: jobs, jobs: [{name: a, maps: 6, mapTime: 5s, spread: 0.5, count: 60, every: 4s}]}
scheduler: {kind: delay}
`;

export interface SweepText {
  readonly points: number;
  readonly replications: number;
  readonly more?: string;
  /** Of the axis, with its values; default: waits. */
  readonly axis?: string;
}

/** A folder in which sweeps are run, killed and resumed. */
export class SweptPlace extends Place {
  constructor({ points, replications, more = "", axis = waits(points) }: SweepText) {
    super();
    this.write("base.yaml", BASE);
    this.write(
      "s.yaml",
      `name: s\nscenario: base.yaml\naxes: [{name: W, ${axis}}]\nreplications: ${replications}\n${more}\n`,
    );
  }

  file(...parts: string[]): string {
    return join(this.path, ...parts);
  }

  bytes(...parts: string[]): Buffer {
    return readFileSync(this.file(...parts));
  }

  /** Of whole lines of the journal. */
  keysIn(folder: string): string[] {
    const file = this.file(folder, "journal.jsonl");
    if (!existsSync(file)) return [];
    const lines = readFileSync(file, "utf8").split("\n").slice(0, -1);
    return lines.map((line) => (JSON.parse(line) as { row: { key: string } }).row.key);
  }

  /** Everything that a folder must hold, wherever and however it came about. */
  tables(folder: string): Record<string, string> {
    const series = existsSync(this.file(folder, "series")) ? readdirSync(this.file(folder, "series")).sort() : [];
    const names = [
      "runs.parquet",
      "plan.json",
      "sweep.yaml",
      "README.txt",
      ...series.map((name) => join("series", name)),
    ];
    return Object.fromEntries(
      names.map((name) => [name, createHash("sha256").update(this.bytes(folder, name)).digest("hex")]),
    );
  }

  replace(name: string, text: string): void {
    writeFileSync(this.file(name), text);
  }
}

function waits(points: number): string {
  return `path: scheduler.wait.node, values: [${Array.from({ length: points }, (_, i) => `${i}s`).join(", ")}]`;
}

/** Waits until `is` holds, or the process has ended. */
export async function until(child: ChildProcess, is: () => boolean): Promise<void> {
  while (child.exitCode === null && child.signalCode === null && !is()) await sleep(2);
}
