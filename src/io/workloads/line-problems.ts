import { InputError, type Diagnostic } from "../input-error.js";

/** How many problems of one file are told one by one. */
export const MAX_TOLD = 20;

/** What is wrong at one place of a line. Columns count characters from 1. */
export interface PlacedProblem {
  readonly column: number;
  readonly message: string;
}

/**
 * The malformed lines of one workload file. Strict: all are gathered and refused together at the end. Lenient: they are
 * skipped and counted.
 */
export class LineProblems {
  private readonly told: Diagnostic[] = [];
  private untold = 0;
  private skipped = 0;

  constructor(
    private readonly file: string,
    private readonly lenient: boolean,
  ) {}

  /** One malformed line (or job), with everything that is wrong with it. */
  add(line: number, problems: readonly PlacedProblem[]): void {
    this.skipped++;
    if (this.lenient) return;
    for (const { column, message } of problems) {
      if (this.told.length < MAX_TOLD) this.told.push({ file: this.file, line, column, message });
      else this.untold++;
    }
  }

  /** How many lines were added. */
  get count(): number {
    return this.skipped;
  }

  /** @throws InputError with the first problems and the number of the others, unless lenient or without any. */
  refuse(): void {
    if (this.told.length === 0) return;
    const rest: Diagnostic[] =
      this.untold === 0
        ? []
        : [{ file: this.file, line: 0, column: 0, message: `and ${String(this.untold)} more problems like these` }];
    throw new InputError([...this.told, ...rest]);
  }
}
