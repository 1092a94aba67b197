import { InputError, nearest, printable, quote } from "../io/index.js";

export interface ExplainCommandOptions {
  readonly job?: string;
  readonly task?: string;
  readonly pool?: string;
  /** Of platforms whose jobs have stages, and whose groups are queues. */
  readonly stage?: string;
  readonly queue?: string;
  readonly chain?: boolean;
  readonly json?: boolean;
}

/** @param file or option that it is about. */
export const refusal = (file: string, message: string): InputError =>
  new InputError([{ file, line: 0, column: 0, message }]);

/** By rank or, where it is no number, by name. */
export function jobNamed<J extends { readonly job: number; readonly name: string }>(
  jobs: readonly J[],
  text: string,
  option: string,
): J {
  const byRank = /^[0-9]{1,10}$/.test(text) ? jobs[Number(text)] : undefined;
  const named = byRank === undefined ? jobs.filter(({ name }) => name === text) : [byRank];
  if (named.length === 1) return named[0];
  if (named.length > 1) {
    const ranks = listed(named.map(({ job }) => String(job)));
    throw refusal(
      option,
      `found ${quote(text)}, the name of ${String(named.length)} jobs, allowed one number: ${ranks}`,
    );
  }
  if (jobs.length === 0) throw refusal(option, `found ${quote(text)}, allowed none: no job was submitted`);
  const range = jobs.length === 1 ? "0" : `0 to ${String(jobs.length - 1)}`;
  const near = didYouMean(
    text,
    jobs.map(({ name }) => name),
  );
  throw refusal(option, `found ${quote(text)}, allowed ${range} or the name of a job${near}`);
}

const MOST_LISTED = 20;

/** At most 20 of them. */
export function listed(names: readonly string[]): string {
  const shown = names.slice(0, MOST_LISTED).map((name) => printable(name));
  return names.length > MOST_LISTED
    ? `${shown.join(", ")} and ${String(names.length - MOST_LISTED)} more`
    : shown.join(", ");
}

/** What to say behind what is allowed: the name that is most like it, if one is. */
export function didYouMean(text: string, names: readonly string[]): string {
  const near = nearest(text, names);
  return near === undefined ? "" : `; did you mean ${quote(near)}?`;
}
