import type { Problem } from "../scenario/diagnose.js";
import type { Plain } from "../scenario/yaml-document.js";
import { printable, quote, show } from "../scenario/show.js";
import { amountOf } from "./amounts.js";
import { wrong } from "./sweep-problems.js";
import type { AxisFile } from "./sweep-schema.js";

/** Of what has no label of its own. */
const LONGEST = 40;

/** What tables call the steps: the file's labels, or what the values of each step look like. `values` by path, then step. */
export function labelsOf(values: readonly (readonly Plain[])[], own: readonly string[] | undefined): readonly string[] {
  const { length } = values[0];
  if (own?.length === length) return own;
  return Array.from({ length }, (_, i) => values.map((track) => look(track[i])).join("/"));
}

function look(value: Plain): string {
  if (typeof value !== "object" || value === null) return printable(String(value)).slice(0, LONGEST);
  const { kind, name } = value as { kind?: Plain; name?: Plain };
  const word = kind ?? name;
  if (typeof word === "string") return printable(word).slice(0, LONGEST);
  return printable(JSON.stringify(value)).slice(0, LONGEST);
}

/** Every step can be told from the others, and none is there twice. */
export function labelProblems(
  labels: readonly string[],
  values: readonly Plain[],
  { labels: own, linked }: AxisFile,
  at: readonly PropertyKey[],
): Problem[] {
  if (own !== undefined && own.length !== values.length) {
    return [wrong([...at, "labels"], show(own), `${String(values.length)} labels, one for each value`)];
  }
  const seen = new Map<string, number>();
  const problems: Problem[] = [];
  for (const [i, label] of labels.entries()) {
    const amount = linked === undefined && own === undefined ? amountOf(values[i]) : null;
    // 1s and 1000ms are one value.
    const same = amount === null ? label : amount.value === 0 ? "0" : `${amount.unit} ${String(amount.value)}`;
    const before = seen.get(same);
    seen.set(same, i);
    if (before === undefined) continue;
    problems.push(wrong(placeOf(i), `${quote(label)} again`, "steps that differ, or labels that tell them apart"));
  }
  return problems;

  function placeOf(i: number): readonly PropertyKey[] {
    if (own !== undefined) return [...at, "labels", i];
    return linked === undefined ? [...at, "values", i] : [...at, "linked", Object.keys(linked)[0], i];
  }
}
