import type { Place } from "./places.js";

/** An element of an XML file, with everything an allocation file can say by it. */
export interface XmlElement {
  readonly name: string;
  /** Of its `<`. */
  readonly place: Place;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly XmlElement[];
  /** All character data directly inside, CDATA included, comments left out. */
  readonly text: string;
}

/** The text without what Java's `trim` takes off: blanks and control characters at both ends. */
export function trimmed(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && text.charCodeAt(start) <= 0x20) start++;
  while (end > start && text.charCodeAt(end - 1) <= 0x20) end--;
  return text.slice(start, end);
}
