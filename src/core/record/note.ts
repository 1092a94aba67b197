import type * as Zod from "zod";

const MOST_POOLS = 100;
const MOST_TEXT = 100_000;

/**
 * The library functions that the schemas here use. Picked, so that a program loads these and not the whole library (its
 * messages in 50 languages among it).
 */
export type SchemaMakers = Pick<
  typeof Zod,
  "array" | "boolean" | "enum" | "int" | "literal" | "number" | "record" | "strictObject" | "string" | "union"
>;

/**
 * A note with a code, as files and other processes hold it: names of pools that do not match (docs/pools.md says when).
 */
export function poolNoteSchemaOf(z: SchemaMakers) {
  const text = z.string().max(MOST_TEXT);
  return z.strictObject({
    code: z.enum(["pools-without-jobs", "undeclared-pools"]),
    text,
    pools: z
      .array(
        z.strictObject({
          pool: text,
          jobs: z.int().nonnegative().describe("That ask for it; 0 of a declared pool without a job."),
          nearest: text.nullable().describe("The name that may have been meant."),
        }),
      )
      .max(MOST_POOLS)
      .describe("Those named first; the text says how many more there are."),
  });
}

/** Returns the schema of notes on a run beside its figures: words, or words that programs know by a code. */
export function noteSchemaOf(z: SchemaMakers) {
  return z.union([z.string(), poolNoteSchemaOf(z)]);
}

/** A deeply read-only type: optional fields are absent, and never undefined. */
export type Frozen<T> = T extends readonly (infer Item)[]
  ? readonly Frozen<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: Frozen<Exclude<T[Key], undefined>> }
    : T;

export type Note = Frozen<Zod.infer<ReturnType<typeof noteSchemaOf>>>;
export type PoolNote = Exclude<Note, string>;
export type NotedPool = PoolNote["pools"][number];

export function noteText(note: Note): string {
  return typeof note === "string" ? note : note.text;
}

/** The notes of several runs, each once. Numbers of jobs differ from seed to seed: notes on the same pools are one. */
export function notesOfRuns(runs: readonly (readonly Note[])[]): Note[] {
  const merged = new Map<string, { readonly first: Note; runs: number; differ: boolean }>();
  for (const notes of runs) {
    for (const note of notes) {
      const known = merged.get(keyOf(note));
      if (known === undefined) merged.set(keyOf(note), { first: note, runs: 1, differ: false });
      else {
        known.runs++;
        known.differ ||= noteText(note) !== noteText(known.first);
      }
    }
  }
  return [...merged.values()].map(({ first, runs: runCount, differ }) => {
    if (typeof first === "string") return first;
    const where = runCount < runs.length ? ` (in ${runCount} of ${runs.length} runs)` : "";
    return {
      ...first,
      text: `${first.text}${where}${differ ? "; numbers of jobs as in the first of these runs" : ""}`,
    };
  });
}

function keyOf(note: Note): string {
  return typeof note === "string" ? note : JSON.stringify([note.code, note.pools.map(({ pool }) => pool)]);
}
