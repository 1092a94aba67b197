import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { checkNewFile, writeWholeFile } from "../../io/results/whole-file.js";
import { caseName } from "./case-name.js";
import type { DecisionCase } from "./decision-case.js";
import type { CaseLatencies } from "./decision-figures.js";

/** Histograms of one case. */
export interface CaseHistograms {
  readonly which: DecisionCase;
  readonly latencies: CaseLatencies;
}

/**
 * A folder of histograms: for each case, of heartbeats and of tasks, `.hgrm` with percentiles in microseconds for plotters,
 * and `.hdr` with the histogram itself in nanoseconds, V2 compressed and base64, to be merged with others.
 */
export class LatencyFiles {
  /**
   * Refuses, before anything is measured, what could not be written then.
   * @throws InputError
   */
  constructor(
    private readonly folder: string,
    cases: readonly DecisionCase[],
    private readonly force: boolean,
  ) {
    const paths = existsSync(folder) ? cases.flatMap(namesOf).map((name) => join(folder, name)) : [folder];
    for (const path of paths) checkNewFile(path, force);
  }

  /** @throws InputError */
  write(all: readonly CaseHistograms[]): void {
    mkdirSync(this.folder, { recursive: true });
    for (const { which, latencies } of all) {
      const { heartbeat, task } = latencies;
      const texts = [heartbeat, task].flatMap((one) => [one.distribution(), `${one.compressed()}\n`]);
      namesOf(which).forEach((name, i) => {
        writeWholeFile(join(this.folder, name), texts[i], this.force);
      });
    }
  }
}

/** In the order in which they are written. */
function namesOf(which: DecisionCase): string[] {
  const base = caseName(which)
    .replace(/[^\w.]+/g, "-")
    .replace(/-+$/, "");
  return ["heartbeat.hgrm", "heartbeat.hdr", "task.hgrm", "task.hdr"].map((end) => `${base}.${end}`);
}
