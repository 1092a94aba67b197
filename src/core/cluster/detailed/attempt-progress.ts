import { ASKING, COMMITTING, COMPUTE, ENDED, FETCH, READ, WRITE, type AttemptTable } from "./attempt-table.js";
import type { AttemptFlows } from "./attempt-flows.js";
import type { AttemptRuns } from "./attempt-runs.js";
import type { ComputingSpeed } from "./computing-speed.js";
import { diskUs, type NominalNode } from "./stage-lengths.js";

export interface AttemptProgressParts {
  readonly table: AttemptTable;
  readonly runs: AttemptRuns;
  /** null in the light model. */
  readonly flows: AttemptFlows | null;
  readonly speed: ComputingSpeed;
  readonly nominal: NominalNode;
}

/** How far the attempts of a rack have come. */
export class AttemptProgress {
  constructor(private readonly parts: AttemptProgressParts) {}

  /** Share of its work that the attempt has done, 0 to 1. A reduce's fetching counts for a third (Hadoop). */
  share(place: number, atUs: number): number {
    const { table, flows, nominal } = this.parts;
    const stage = table.stage[place];
    if (stage === ENDED || stage === ASKING || stage === COMMITTING) return 1;
    const computed = stage === COMPUTE ? this.computedShare(place, atUs) : stage > COMPUTE ? 1 : 0;
    const written = stage === WRITE && flows !== null ? flows.share(place, table.outputBytes[place], atUs) : 0;
    if (table.isMap[place] === 0) {
      const fetched = stage > FETCH ? 1 : (flows?.fetchedShare(place, atUs) ?? this.copiedShare(place, atUs));
      return fetched / 3 + (2 * (computed + written)) / (table.outputBytes[place] > 0 ? 6 : 3);
    }
    const readUs = diskUs(table.inputBytes[place], nominal);
    const writeUs = diskUs(table.outputBytes[place], nominal);
    const computeUs = table.computeUs[place];
    const read =
      stage > READ ? 1 : stage === READ && flows !== null ? flows.share(place, table.inputBytes[place], atUs) : 0;
    const totalUs = readUs + computeUs + writeUs;
    return totalUs === 0 ? 0 : (read * readUs + computed * computeUs + written * writeUs) / totalUs;
  }

  private computedShare(place: number, atUs: number): number {
    const { table, speed, runs } = this.parts;
    const sinceUs = table.sinceUs[place];
    const wholeUs = speed.endUs(runs.nodeOf(place), sinceUs, table.computeUs[place]) - sinceUs;
    return wholeUs <= 0 ? 1 : Math.max(0, Math.min(1, (atUs - sinceUs) / wholeUs));
  }

  /** Light model: by the time of the copies. */
  private copiedShare(place: number, atUs: number): number {
    const { launchUs, copiedUs } = this.parts.table;
    const wholeUs = copiedUs[place] - launchUs[place];
    return wholeUs <= 0 ? 1 : Math.max(0, Math.min(1, (atUs - launchUs[place]) / wholeUs));
  }
}
