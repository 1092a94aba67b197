import { dirname } from "node:path";
import { InputError, parseAnyScenario } from "../../dist/io/index.js";

type Leaves = Readonly<Record<string, string>>;

function leavesOf(value: unknown, path = "scenario"): Leaves {
  if (typeof value !== "object" || value === null) return { [path]: String(value) };
  const entries = value instanceof Map ? [...(value as Map<string, unknown>)] : Object.entries(value);
  if (entries.length === 0) return { [path]: Array.isArray(value) ? "[]" : "{}" };
  return Object.assign({}, ...entries.map(([key, part]) => leavesOf(part, `${path}.${key}`))) as Leaves;
}

/**
 * What a scenario answers to settings, a line each, for a snapshot: values that are others than without them and notes,
 * or why and where it is refused. Paths of the folder of its file are left out.
 */
export function answerOf(text: string, file: string, set: readonly string[], plain?: string): string {
  const shortened = (words: string): string => words.replaceAll(`${dirname(file)}/`, "");
  try {
    const { scenario, notes } = parseAnyScenario(text, file, { set: [...set] });
    const was = plain === undefined ? {} : leavesOf(parseAnyScenario(plain, file).scenario);
    const is = leavesOf(scenario);
    const lines = Object.keys({ ...was, ...is })
      .filter((path) => was[path] !== is[path])
      .map((path) => `${path}: ${plain === undefined ? "" : `${was[path] ?? "-"} -> `}${is[path] ?? "-"}`);
    return shortened([...lines, ...notes.map((note) => `note: ${note}`)].join("\n"));
  } catch (error) {
    if (error instanceof InputError) return shortened(`refused: ${error.message}`);
    throw error;
  }
}
