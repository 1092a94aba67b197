import type { SweepPoint } from "../../experiments/sweep/sweep-plan.js";

/** Sentences told one by one; a sweep may have one that differs at every point. */
const MOST = 20;

/** What scenarios of points would tell the user, each sentence once. */
export class PointNotes {
  private readonly found = new Map<string, { readonly first: string; points: number }>();
  private untold = 0;

  add(notes: readonly string[], { label }: SweepPoint): void {
    for (const note of notes) {
      const known = this.found.get(note);
      if (known !== undefined) known.points++;
      else if (this.found.size < MOST) this.found.set(note, { first: label, points: 1 });
      else this.untold++;
    }
  }

  /** @param all points there are. */
  sentences(all: number): string[] {
    const told = [...this.found].map(([note, { first, points }]) => {
      if (points === all) return note;
      return `${first}${points === 1 ? "" : ` and ${String(points - 1)} more`}: ${note}`;
    });
    return this.untold === 0 ? told : [...told, `${String(this.untold)} more notes on single points`];
  }
}
