/** What there is to say of a run beside its figures: words, or words that programs know by a code. */
export type Note = string | PoolNote;

/** Names of pools that do not match: docs/pools.md says when. */
export interface PoolNote {
  readonly code: "pools-without-jobs" | "undeclared-pools";
  readonly text: string;
  /** Those named first; the text says how many more there are. */
  readonly pools: readonly NotedPool[];
}

export interface NotedPool {
  readonly pool: string;
  /** How many jobs ask for it; 0 of a declared one that none does. */
  readonly jobs: number;
  /** The name that may have been meant. */
  readonly nearest: string | null;
}

export function noteText(note: Note): string {
  return typeof note === "string" ? note : note.text;
}

/** The notes of several runs, each once. Numbers of jobs differ from seed to seed: notes on the same pools are one. */
export function notesOfRuns(runs: readonly (readonly Note[])[]): Note[] {
  const found = new Map<string, { readonly first: Note; runs: number; differ: boolean }>();
  for (const notes of runs) {
    for (const note of notes) {
      const known = found.get(keyOf(note));
      if (known === undefined) found.set(keyOf(note), { first: note, runs: 1, differ: false });
      else {
        known.runs++;
        known.differ ||= noteText(note) !== noteText(known.first);
      }
    }
  }
  return [...found.values()].map(({ first, runs: own, differ }) => {
    if (typeof first === "string") return first;
    const where = own < runs.length ? ` (in ${String(own)} of ${String(runs.length)} runs)` : "";
    return {
      ...first,
      text: `${first.text}${where}${differ ? "; numbers of jobs as in the first of these runs" : ""}`,
    };
  });
}

function keyOf(note: Note): string {
  return typeof note === "string" ? note : JSON.stringify([note.code, note.pools.map(({ pool }) => pool)]);
}
