import type { CommandsOf } from "../core/cluster/commands.js";
import { OFFERS, REPORT_WORDS } from "../messages/report-words.js";

/**
 * Offers for reads between racks: letters from one rack to another, which the master's thread passes on without looking into
 * them. They take effect one lookahead later, so their order among themselves does not matter.
 */
export class KeptOffers {
  private readonly kept: { peer: number; atUs: number; place: number; kib: number }[] = [];

  /** Keeps the offers among the reports of a slice. */
  keep(words: Int32Array, length: number, sliceStartUs: number): void {
    for (let i = 0; i < length; i += REPORT_WORDS) {
      if (words[i + 4] !== OFFERS) continue;
      this.kept.push({ peer: words[i], atUs: sliceStartUs + words[i + 1], place: words[i + 2], kib: words[i + 3] });
    }
  }

  passOn(commandsOf: CommandsOf): void {
    for (const { peer, atUs, place, kib } of this.kept) commandsOf(peer).offered(peer, atUs, place, kib);
    this.kept.length = 0;
  }
}
