/** Widest line of a report. */
export const WIDTH = 100;
const LABEL_WIDTH = 16;

/** How a report sets off parts of itself; the identity where there is no terminal. */
export interface Paint {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
}

export const NO_PAINT: Paint = { bold: (text) => text, dim: (text) => text };

/** `Label           text`, wrapped at WIDTH with the text in its own column. Words are never broken. */
export function entry(label: string, text: string, paint: Paint): string[] {
  return wrap(text, WIDTH - LABEL_WIDTH).map((line, i) => {
    const head = (i === 0 ? label : "").padEnd(LABEL_WIDTH);
    return (i === 0 ? paint.bold(head) : head) + line;
  });
}

/** Lines of whole words of at most `width` characters, but for words that are longer. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}
