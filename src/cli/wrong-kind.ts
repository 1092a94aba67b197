import { existsSync } from "node:fs";
import {
  fileKindOf,
  type FileKind,
  type KnownKind,
  InputError,
  type Diagnostic,
  problemOf,
  mismatch,
} from "../io/index.js";

const SCENARIO = { kinds: ["scenario"], what: "a scenario" } as const;

/** The kinds of file that each command takes. */
const TAKES: Readonly<Record<string, { readonly kinds: readonly KnownKind[]; readonly what: string }>> = {
  run: SCENARIO,
  compare: SCENARIO,
  validate: { kinds: ["scenario", "sweep", "goal", "regress"], what: "a scenario, a sweep or a regression file" },
  sweep: { kinds: ["sweep", "goal"], what: "a sweep" },
  // The message on a sweep without a goal is about the missing section.
  tune: { kinds: ["goal", "sweep"], what: "a sweep with a goal" },
  results: {
    kinds: ["sweepFolder", "runFolder", "comparisonFolder"],
    what: "the folder of a sweep, a run or a comparison",
  },
  trace: { kinds: ["runFolder"], what: "the folder of a run" },
  explain: { kinds: ["runFolder"], what: "the folder of a run" },
  report: {
    kinds: ["sweepFolder", "runFolder", "comparisonFolder", "scorecard"],
    what: "the folder of a sweep, a run or a comparison",
  },
  merge: { kinds: ["sweepFolder"], what: "folders of a sweep" },
  regress: { kinds: ["regress"], what: "a regression file" },
  "explain-config": {
    // Its own message of other XML has the line.
    kinds: ["allocations", "configuration", "xml"],
    what: "a fair-scheduler.xml or capacity-scheduler.xml",
  },
};

const NOTHING: FileKind = { kind: "other", description: "nothing of that name", use: "" };

/**
 * The error, where it is about a file of another kind than the command takes: one sentence in place of all that is
 * wrong with the file as something that it never was.
 * @param operands as they were typed.
 */
export function namingTheKind(error: InputError, command: string, operands: readonly string[]): InputError {
  if (!(command in TAKES)) return error;
  const { kinds, what: expected } = TAKES[command];
  const wrong = new Map<string, Diagnostic>();
  for (const file of operands) {
    if (!error.diagnostics.some((diagnostic) => isAbout(diagnostic, file))) continue;
    const kind =
      fileKindOf(file) ??
      ((kinds.includes("sweepFolder") || kinds.includes("runFolder")) && !existsSync(file) ? NOTHING : null);
    if (kind === null || kinds.includes(kind.kind)) continue;
    const use = kind.use === "" ? "" : `; ${kind.use}`;
    wrong.set(file, problemOf(file, mismatch(kind.description, expected + use)));
  }
  if (wrong.size === 0) return error;
  const otherDiagnostics = error.diagnostics.filter(
    (diagnostic) => ![...wrong.keys()].some((file) => isAbout(diagnostic, file)),
  );
  return new InputError([...wrong.values(), ...otherDiagnostics]);
}

/** Whether the diagnostic is about the file, or about something in the folder. */
function isAbout({ file }: Diagnostic, operand: string): boolean {
  const folder = operand.replace(/\/+$/, "");
  return file === operand || file.startsWith(`${folder}/`);
}
