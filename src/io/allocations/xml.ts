import { createRequire } from "node:module";
import type { SaxesParser } from "saxes";
import { fileProblem, InputError } from "../input-error.js";
import { printable, quote } from "../scenario/show.js";
import { readTextFile } from "../text-file.js";
import { mismatch } from "../../core/kernel/index.js";
import { LIMITS } from "../../core/scenario/index.js";

// XML of a scheduler's configuration as a tree with places. Document types and encodings other than UTF-8 are refused.

/** A place in a text. Both numbers count from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** The places of the characters of a text. Lines end in LF, CRLF or CR, as XML has it. */
class Places {
  private readonly starts: number[] = [0];

  constructor(text: string) {
    for (const { 0: end, index } of text.matchAll(/\r\n?|\n/g)) this.starts.push(index + end.length);
  }

  /** The place of the character at `offset`; one past the end is allowed. */
  placeAt(offset: number): Place {
    let low = 0;
    let high = this.starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.starts[middle] <= offset) low = middle;
      else high = middle;
    }
    return { line: low + 1, column: offset - this.starts[low] + 1 };
  }
}

/** An element of an XML file, with everything an allocation file can say by it. */
export interface XmlElement {
  readonly name: string;
  /** The place of its `<`. */
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

/** Elements inside each other, and elements of a file. */
const MAX_DEPTH = LIMITS.depth;

const NO_XML_CHARACTER = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;

const ENCODINGS = ["UTF-8", "US-ASCII"];

interface OpenElement extends XmlElement {
  readonly children: XmlElement[];
  text: string;
}

/**
 * Reads an XML 1.0 text as a tree. Comments and processing instructions are passed over.
 * @param shown how messages name the text.
 * @throws InputError at the first thing that is not well-formed, at a DOCTYPE of any kind, at another encoding than
 * UTF-8, and when the text is too large or too deep.
 */
export function parseXml(text: string, shown: string): XmlElement {
  if (text.length > LIMITS.fileBytes) throw xmlTooLarge(shown, `${text.length} characters`);
  return new TreeBuilder(text, shown).build();
}

/** Reads a file. @param path what to open. @param shown, contents as messages name them. */
export function readXml(path: string, shown: string, file: string, contents = file): XmlElement {
  const kind = { file, contents, mostBytes: LIMITS.fileBytes, tooLarge: xmlTooLarge };
  return parseXml(readTextFile(path, shown, kind), shown);
}

/** @throws InputError where the root element has another name. @param more behind what is allowed. */
export function requireRoot({ name, place }: XmlElement, allowed: string, shown: string, more = ""): void {
  if (name === allowed) return;
  const message = mismatch(`the root element <${printable(name).slice(0, 60)}>`, `<${allowed}>${more}`);
  throw new InputError([{ file: shown, ...place, message }]);
}

/** @param actual how large it is, in words. */
export function xmlTooLarge(shown: string, actual: string): InputError {
  return fileProblem(shown, mismatch(actual, `at most ${LIMITS.fileBytes} bytes`));
}

class TreeBuilder {
  private readonly parser: SaxesParser<{ position: false; xmlns: false }>;
  private readonly places: Places;
  private readonly open: OpenElement[] = [];
  private start = 0;
  /** Everything before it was read without fault. */
  private read = 0;
  private root: XmlElement | undefined;

  constructor(
    private readonly source: string,
    private readonly shown: string,
  ) {
    // Few files that Bide reads are XML, and reading one is synchronous.
    const saxes = createRequire(import.meta.url)("saxes") as typeof import("saxes");
    this.parser = new saxes.SaxesParser({ position: false, xmlns: false });
    this.places = new Places(source);
  }

  build(): XmlElement {
    const { parser, source } = this;
    const stray = NO_XML_CHARACTER.exec(source);
    if (stray !== null) throw this.broken(`the character ${codeOf(stray[0])}`, stray.index);
    parser.on("error", ({ message }) => {
      throw this.wellFormedness(message.replace(/\.$/, ""));
    });
    parser.on("xmldecl", ({ version, encoding }) => {
      this.checkDeclaration(version, encoding);
    });
    parser.on("doctype", () => {
      const why =
        "document types can define entities and name other files, and a scheduler's configuration needs neither";
      throw this.refusal(`a DOCTYPE is not allowed: ${why}`, this.lastStart("<!DOCTYPE"));
    });
    parser.on("opentagstart", () => {
      this.start = this.lastStart("<");
    });
    parser.on("attribute", () => {
      this.read = parser.position;
    });
    parser.on("comment", () => {
      this.read = parser.position;
    });
    parser.on("opentag", ({ name, attributes }) => {
      this.read = parser.position;
      this.opened(name, attributes);
    });
    parser.on("closetag", () => {
      this.read = parser.position;
      this.root = this.open.pop();
    });
    for (const event of ["text", "cdata"] as const) {
      parser.on(event, (part) => {
        this.read = parser.position;
        const inner = this.open.at(-1);
        if (inner !== undefined) inner.text += part;
      });
    }
    parser.write(source).close();
    if (this.root === undefined) throw this.broken("no root element", source.length);
    return this.root;
  }

  private opened(name: string, attributes: Readonly<Record<string, string>>): void {
    if (this.open.length >= MAX_DEPTH) {
      throw this.refusal(`elements are nested deeper than ${MAX_DEPTH} levels`, this.start);
    }
    const element: OpenElement = {
      name,
      place: this.places.placeAt(this.start),
      attributes: new Map(Object.entries(attributes)),
      children: [],
      text: "",
    };
    this.open.at(-1)?.children.push(element);
    this.open.push(element);
  }

  private checkDeclaration(version: string | undefined, encoding: string | undefined): void {
    if (version !== "1.0") {
      throw this.refusal(`expected XML version 1.0, found ${printable(String(version)).slice(0, 20)}`, 0);
    }
    if (encoding === undefined || ENCODINGS.includes(encoding.toUpperCase())) return;
    throw this.refusal(mismatch(`the encoding ${quote(encoding)}`, ENCODINGS.join(", ")), 0);
  }

  /** The start of the mark that the parser has just read. */
  private lastStart(mark: string): number {
    return Math.max(0, this.source.lastIndexOf(mark, this.parser.position - 1));
  }

  /** The parser's problem, with the details that its message leaves out. */
  private wellFormedness(message: string): InputError {
    const { source } = this;
    const end = this.parser.position;
    const entity = this.lastEntity(end);
    if (message.includes("entity") && entity !== undefined) {
      return this.broken(`${message} ${quote(source.slice(entity, end))}`, entity);
    }
    // Looking for the end of an entity, the parser runs past everything.
    if (/^(unclosed|unexpected end)/.test(message) && entity !== undefined && !source.includes(";", entity)) {
      return this.broken('an ampersand that begins no entity; "&amp;" is one', entity);
    }
    const actual = message.startsWith("disallowed character") ? ` ${quote(source.slice(end - 1, end))}` : "";
    return this.broken(message + actual, end - 1);
  }

  /** The start of the last entity read, within the text or tag that is being read. */
  private lastEntity(end: number): number | undefined {
    const reading = this.source.slice(this.read, end);
    let start: number | undefined;
    for (const { index } of reading.matchAll(/&[^;]*(;|$)/g)) start = this.read + index;
    const isMarkup = /(^|<)[!?]/.test(reading.slice(0, start === undefined ? 0 : start - this.read));
    return isMarkup ? undefined : start;
  }

  private broken(actual: string, offset: number): InputError {
    return this.refusal(`expected well-formed XML 1.0: ${printable(actual).slice(0, 200)}`, offset);
  }

  private refusal(message: string, offset: number): InputError {
    const place = this.places.placeAt(Math.min(Math.max(0, offset), this.source.length));
    return new InputError([{ file: this.shown, ...place, message }]);
  }
}

function codeOf(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
