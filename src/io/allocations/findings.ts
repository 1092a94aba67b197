import { InputError, type Diagnostic } from "../input-error.js";
import { LIMITS } from "../scenario/limits.js";
import { nearest } from "../scenario/show.js";
import type { Place } from "./places.js";

/** Notes told one by one. */
const MAX_NOTES = 100;
/** Lines named one by one in a note. */
const MAX_LINES = 5;

/** What is wrong in a file, gathered so that all of it is told at once, and what its author should know. */
export class Findings {
  private readonly problems: Diagnostic[] = [];
  /** Lines by what is said of them, so that one thing said of many places is one note. */
  private readonly linesOfNotes = new Map<string, number[]>();

  /** By what was found and where; searching is slow, and files may hold any number of unknown names. */
  private readonly hints = new Map<string, string>();

  constructor(private readonly file: string) {}

  /** @param message what was found and what is allowed. */
  problem({ place }: { readonly place: Place }, message: string): void {
    this.problems.push({ file: this.file, ...place, message });
  }

  /** @param text half a sentence: `<aclSubmitApps> is ignored: ...`. */
  note({ place }: { readonly place: Place }, text: string): void {
    const lines = this.linesOfNotes.get(text);
    if (lines === undefined) this.linesOfNotes.set(text, [place.line]);
    else if (lines.at(-1) !== place.line) lines.push(place.line);
  }

  /** `; did you mean "weight"?` when a name is close to one of those that are known; sought only for as many as can be told. */
  hint(found: string, known: readonly string[]): string {
    const key = `${found} ${known.join(" ")}`;
    const sought = this.hints.get(key);
    if (sought !== undefined) return sought;
    if (this.hints.size >= MAX_NOTES) return "";
    const near = nearest(found, known);
    const hint = near === undefined ? "" : `; did you mean "${near}"?`;
    this.hints.set(key, hint);
    return hint;
  }

  /** @throws InputError with all problems, in the order of the file, if there are any. */
  refuse(): void {
    const { problems, file } = this;
    if (problems.length === 0) return;
    problems.sort((a, b) => a.line - b.line || a.column - b.column);
    const told = problems.slice(0, LIMITS.problems);
    const more = problems.length - told.length;
    if (more > 0) told.push({ file, line: 0, column: 0, message: `found ${String(more)} more problems` });
    throw new InputError(told);
  }

  /** `fair-scheduler.xml, lines 3 and 7: <aclSubmitApps> is ignored: ...`, in the order of the file. */
  notes(): string[] {
    const byLine = [...this.linesOfNotes].map(([text, lines]) => ({ text, lines: lines.sort((a, b) => a - b) }));
    byLine.sort((a, b) => a.lines[0] - b.lines[0]);
    const told = byLine.slice(0, MAX_NOTES).map(({ text, lines }) => `${this.file}, ${lineWords(lines)}: ${text}`);
    const more = byLine.length - told.length;
    if (more > 0) told.push(`${this.file}: ${String(more)} more notes like these`);
    return told;
  }
}

function lineWords(lines: readonly number[]): string {
  if (lines.length === 1) return `line ${String(lines[0])}`;
  const named = lines.slice(0, MAX_LINES).map(String);
  const more = lines.length - named.length;
  const last = more > 0 ? `${String(more)} more` : named.pop();
  return `lines ${named.join(", ")} and ${String(last)}`;
}
