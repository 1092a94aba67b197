import * as z from "zod";

const MOST_POOLS = 100;
const MOST_TEXT = 100_000;

/** A note with a code, as files and other processes hold it. */
export const poolNoteSchema = z.strictObject({
  code: z.enum(["pools-without-jobs", "undeclared-pools"]),
  text: z.string().max(MOST_TEXT),
  pools: z
    .array(
      z.strictObject({
        pool: z.string().max(MOST_TEXT),
        jobs: z.int().nonnegative().describe("That ask for it; 0 of a declared pool without a job."),
        nearest: z.string().max(MOST_TEXT).nullable().describe("The name that may have been meant."),
      }),
    )
    .max(MOST_POOLS)
    .describe("Those named first; the text says how many more there are."),
});

export const noteSchema = z.union([z.string(), poolNoteSchema]);
