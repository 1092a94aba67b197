import { printable } from "../../core/kernel/printable.js";

/** Longest text of a user in a picture. */
const LONGEST = 60;

/** Text of a user as a picture can show it: on one line, not too long, and allowed in XML. */
export function plotText(text: string): string {
  const letters = [...printable(text).replace(/[\ufffe\uffff]|\p{Surrogate}/gu, "\ufffd")];
  return letters.length > LONGEST ? `${letters.slice(0, LONGEST - 1).join("")}…` : letters.join("");
}

/** The same of the steps of an axis, of which no two are to look alike. */
export function plotTexts(labels: readonly string[]): string[] {
  const taken = new Set<string>();
  return labels.map((label) => {
    const own = plotText(label);
    let text = own;
    for (let i = 2; taken.has(text); i++) text = `${own} (${String(i)})`;
    taken.add(text);
    return text;
  });
}
