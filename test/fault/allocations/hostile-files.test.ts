import fc from "fast-check";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { InputError, parseAllocations, readAllocations } from "../../../dist/io/index.js";
import { read, refusalOfText } from "../../unit/allocations/allocation-file.js";
import { refusalOf } from "../../unit/scenario/refused.js";

const example = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../../../scenarios/hadoop/${name}`, import.meta.url)), "utf8");
const EXAMPLES = [example("fair-scheduler.xml"), '<allocations><pool name="größe"/></allocations>'];

let folder: string;
let file: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "bide-allocations-"));
  file = join(folder, "fair-scheduler.xml");
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** The message with which a file of these bytes is refused. */
function refusalOfFile(bytes: Uint8Array | string): string {
  writeFileSync(file, bytes);
  return refusalOf(() => readAllocations(file, "f.xml"));
}

const LAUGHS = [
  '<!DOCTYPE allocations [<!ENTITY a "ha">',
  ..."bcdefghij".split("").map((n, i) => `<!ENTITY ${n} "${`&${"abcdefghi"[i]};`.repeat(10)}">`),
  "]>\n<allocations>&j;</allocations>",
].join("\n");
const NO_DOCTYPE = "found a DOCTYPE, allowed none: document types can define entities and name other files";

/** [what it is, text, start of the message] */
const TEXTS: readonly (readonly [string, string, string])[] = [
  ["a billion laughs", LAUGHS, `f.xml:1:1: ${NO_DOCTYPE}`],
  [
    "an external entity",
    '<?xml version="1.0"?>\n<!DOCTYPE allocations [<!ENTITY x SYSTEM "file:///etc/passwd">]>\n<allocations>&x;</allocations>',
    `f.xml:2:1: ${NO_DOCTYPE}`,
  ],
  [
    "an external document type",
    '<!DOCTYPE allocations SYSTEM "http://127.0.0.1/x.dtd"><allocations/>',
    `f.xml:1:1: ${NO_DOCTYPE}`,
  ],
  ["a plain document type", "\n <!DOCTYPE allocations><allocations/>", `f.xml:2:2: ${NO_DOCTYPE}`],
  [
    "a document type inside",
    "<allocations><!DOCTYPE a></allocations>",
    "f.xml:1:22: found broken XML (inappropriately located doctype",
  ],
  [
    "an undefined entity",
    "<allocations>&boom;</allocations>",
    'f.xml:1:14: found broken XML (undefined entity "&boom;")',
  ],
  ["an entity of prototypes", "<allocations>&constructor;</allocations>", "found broken XML (undefined entity"],
  ["a character reference to NUL", "<allocations>&#0;</allocations>", "found broken XML (malformed character entity"],
  [
    "a character reference beyond Unicode",
    "<allocations>&#x110000;</allocations>",
    "found broken XML (malformed character entity",
  ],
  ["100,000 nested queues", "<queue>".repeat(100_000), "f.xml:1:449: found elements nested deeper than 64 levels"],
  [
    "a text of 10 MB",
    `<allocations>${"x".repeat(10_000_000)}</allocations>`,
    "f.xml: found 10000027 characters, allowed at most 1048576 bytes",
  ],
  ["a NUL byte", "<allocations>\n \0</allocations>", "f.xml:2:2: found broken XML (the character \\u0000)"],
  ["UTF-16 without a mark", "<\0a\0/\0>\0", "f.xml:1:2: found broken XML (the character \\u0000)"],
  ["half a character", "<allocations>\ud800</allocations>", "f.xml:1:14: found broken XML (the character \\ud800)"],
  [
    "UTF-16 declared",
    '<?xml version="1.0" encoding="utf-16"?><allocations/>',
    'f.xml:1:1: found the encoding "utf-16", allowed UTF-8, US-ASCII',
  ],
  ["XML 1.1", '<?xml version="1.1"?><allocations/>', "f.xml:1:1: found XML version 1.1, allowed 1.0"],
  ["nothing", "", "f.xml:1:1: found broken XML (document must contain a root element)"],
  ["only a comment", "<!-- later -->", "found broken XML (document must contain a root element)"],
  ["another root", "<configuration/>", "f.xml:1:1: found the root element <configuration>, allowed <allocations>"],
  ["a root in another case", "<Allocations/>", "found the root element <Allocations>"],
  ["two roots", "<allocations/><allocations/>", "found broken XML (documents may contain only one root)"],
  ["text around the root", "<allocations/>x", "found broken XML (text data outside of root node)"],
  [
    "an attribute twice",
    '<allocations><pool name="a" name="b"/></allocations>',
    "f.xml:1:38: found broken XML (duplicate attribute: name)",
  ],
  ["an unclosed element", "<allocations>\n<pool name='a'>", "f.xml:2:15: found broken XML (unclosed tag: pool)"],
  ["elements that overlap", "<allocations><a></allocations></a>", "found broken XML (unexpected close tag)"],
  [
    "a bare ampersand",
    '<allocations>\n<pool name="a & b"/></allocations>',
    "f.xml:2:15: found broken XML (an ampersand that begins no entity",
  ],
  [
    "a bare ampersand before an entity",
    '<allocations>&amp;<pool name="&lt; & b"/>&lt;</allocations>',
    'f.xml:1:36: found broken XML (disallowed character in entity name "& b\\"/>&lt;")',
  ],
  ["an ampersand in what is not closed", "<allocations><!-- a & b -->", "found broken XML (unclosed tag: allocations)"],
  ["an ampersand in an endless comment", "<allocations>x<!-- a & b", "found broken XML (unclosed tag: allocations)"],
  ["YAML", "pools: []\n", "found broken XML (text data outside of root node)"],
  [
    "an XML declaration too late",
    '\n<?xml version="1.0"?><allocations/>',
    "found broken XML (an XML declaration must be at the start",
  ],
];

describe("a broken or hostile allocation file is refused", () => {
  it.each(TEXTS)("%s", (_, text, part) => {
    const message = refusalOfText(text);
    expect(message).toContain(part);
    // eslint-disable-next-line no-control-regex
    expect(message).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
  });

  it("bytes that are no UTF-8, and a byte order mark of UTF-16", () => {
    const allowed = "which is no UTF-8 text, allowed an allocation file in XML";
    const cutAt = (place: string, byte: string, offset: number): string =>
      `f.xml:${place}: found the byte ${byte} (byte ${String(offset)} of the file), ${allowed}`;
    expect(refusalOfFile(Buffer.from("<allocations>\n<a>\xe9</allocations>", "latin1"))).toBe(cutAt("2:4", "0xe9", 17));
    expect(refusalOfFile(Buffer.from("\ufeff<allocations/>", "utf16le"))).toBe(cutAt("1:1", "0xff", 0));
    // A character of two words, one of three bytes that is cut, one that is written longer than allowed.
    expect(refusalOfFile(Buffer.from([0xf0, 0x9f, 0x90, 0x98, 0xe2, 0x82]))).toBe(cutAt("1:3", "0xe2", 4));
    expect(refusalOfFile(Buffer.from([0x0d, 0x0a, 0xc0, 0xaf]))).toBe(cutAt("2:1", "0xc0", 2));
  });

  it("files that are too large, missing, or folders", () => {
    expect(refusalOfFile("x".repeat(10_000_000))).toBe(
      "f.xml: found more than 1048576 bytes, allowed at most 1048576 bytes",
    );
    const missing = refusalOf(() => readAllocations(join(folder, "none.xml"), "none.xml"));
    expect(missing).toBe(
      "none.xml: found no readable file (no such file or directory), allowed an allocation file in XML",
    );
    expect(refusalOf(() => readAllocations(folder, "here"))).toBe(
      "here: found a directory, allowed an allocation file",
    );
    expect(refusalOf(() => readAllocations("a\0b", "odd"))).toMatch(/^odd: found no readable file/);
  });

  it("takes a byte order mark of UTF-8", () => {
    writeFileSync(file, "\ufeff<allocations/>");
    expect(readAllocations(file, "f.xml").allocations.pools).toEqual([]);
  });
});

describe("as much as a file may hold", () => {
  it("is 10,000 pools", () => {
    const pools = (n: number) => Array.from({ length: n }, (_, i) => `<pool name="p${i}"/>`).join("\n");
    expect(read(pools(10_000)).allocations.pools).toHaveLength(10_000);
    const message = refusalOfText(`<allocations>${pools(20_000)}</allocations>`);
    expect(message).toBe("f.xml:10001:1: found more than 10000 pools, allowed at most 10000");
  });

  it.each([
    [
      "blanks around a number",
      (n: number) => `<pool name="a"><weight>${" ".repeat(n)}x${" ".repeat(n)}</weight></pool>`,
    ],
    ["digits", (n: number) => `<pool name="a"><weight>${"1".repeat(2 * n)}x</weight></pool>`],
    ["a name", (n: number) => `<pool name="${"x".repeat(2 * n)}"/>`],
    ["dots", (n: number) => `<queue name="${"a.".repeat(n)}"/>`],
    ["resources", (n: number) => `<queue name="a"><maxResources>${"1 mb ".repeat(n / 3)}</maxResources></queue>`],
    ["entities", (n: number) => `<pool name="a"><weight>${"&lt;".repeat(n / 2)}</weight></pool>`],
    ["rules", (n: number) => `<poolPlacementPolicy>${"<user/>".repeat(n / 4)}</poolPlacementPolicy>`],
    ["wrong values", (n: number) => "<poolMaxJobsDefault/>".repeat(n / 12)],
  ])("refuses half a megabyte of %s without counting it twice", (_, text) => {
    const message = refusalOfText(`<allocations>${text(400_000)}</allocations>`);
    expect(message.split("\n").length).toBeLessThanOrEqual(101);
    expect(message.length).toBeLessThan(30_000);
  });

  it.each([
    ["unknown elements", (n: number) => "<x/>".repeat(n / 5)],
    ["different unknown elements", (n: number) => Array.from({ length: n / 20 }, (_, i) => `<x${i}/>`).join("")],
    ["attributes", (n: number) => `<x ${Array.from({ length: n / 20 }, (_, i) => `a${i}=""`).join(" ")}/>`],
    ["one pool, again and again", (n: number) => '<pool name="a"/>'.repeat(n / 20)],
    ["one key, again and again", (n: number) => `<pool name="a">${"<weight>1</weight>".repeat(n / 30)}</pool>`],
    ["comments and instructions", (n: number) => "<!-- x --><?x y?>".repeat(n / 30)],
    ["line breaks", (n: number) => "\r\n".repeat(n)],
  ])("reads a file full of %s, with at most 101 notes", (_, text) => {
    expect(read(text(400_000)).notes.length).toBeLessThanOrEqual(101);
  });
});

/** A result or an InputError that names the file; anything else fails the test. */
function isSettled(act: () => unknown): boolean {
  try {
    act();
    return true;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    expect(error.diagnostics.length).toBeGreaterThan(0);
    for (const { file: named, line, column, message } of error.diagnostics) {
      expect(named).toBe("f.xml");
      expect(line === 0 ? column === 0 : line > 0 && column > 0).toBe(true);
      expect(message).toMatch(/allowed|more problems/);
    }
    return false;
  }
}

describe("whatever happens to a file, it is read or refused", () => {
  it("cut off after any byte", () => {
    for (const text of EXAMPLES) {
      const bytes = Buffer.from(text.trimEnd());
      for (let length = 0; length <= bytes.length; length++) {
        writeFileSync(file, bytes.subarray(0, length));
        expect(isSettled(() => readAllocations(file, "f.xml"))).toBe(length === bytes.length);
      }
    }
  });

  it("with pieces of it doubled, dropped, swapped or replaced", () => {
    const pieces = EXAMPLES.flatMap((text) => text.split(/(?=[<> "=/])/)).concat([
      ...[
        "<!DOCTYPE",
        "<![CDATA[",
        "]]>",
        "<!--",
        "&",
        "&amp;",
        "&#1;",
        "\0",
        "\r",
        "\ud83d",
        "]",
        "<?",
        "?>",
        "</",
        "/>",
      ],
      ...["<pool", "<queue", ' name="', ' name="root"', "<rule", "-1", "1e9", "50%", "vcores"],
    ]);
    const edit = fc.record({
      at: fc.nat(),
      drop: fc.nat(3),
      put: fc.array(fc.constantFrom(...pieces), { maxLength: 3 }),
    });
    fc.assert(
      fc.property(fc.constantFrom(...EXAMPLES), fc.array(edit, { minLength: 1, maxLength: 6 }), (text, edits) => {
        const parts = text.split(/(?=[<> "=/])/);
        for (const { at, drop, put } of edits) parts.splice(at % (parts.length + 1), drop, ...put);
        isSettled(() => parseAllocations(parts.join(""), "f.xml"));
      }),
      { numRuns: 2000 },
    );
  });

  it("of any characters at all", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 60 }), (junk) => {
        isSettled(() => parseAllocations(junk, "f.xml"));
        isSettled(() => parseAllocations(`<allocations><pool name="${junk}">${junk}</pool></allocations>`, "f.xml"));
        isSettled(() => parseAllocations(`<allocations>${junk}</allocations>`, "f.xml"));
      }),
      { numRuns: 1000 },
    );
  });
});
