import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readAllocations } from "../../../dist/io/index.js";
import { read, refusalOfText } from "../../unit/allocations/allocation-file.js";
import { refusalOf } from "../../unit/scenario/refused.js";

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
/** A document that is refused, or that makes a reader busy. */
const TEXTS: readonly (readonly [what: string, text: string])[] = [
  ["a billion laughs", LAUGHS],
  [
    "an external entity",
    '<?xml version="1.0"?>\n<!DOCTYPE allocations [<!ENTITY x SYSTEM "file:///etc/passwd">]>\n<allocations>&x;</allocations>',
  ],
  ["an external document type", '<!DOCTYPE allocations SYSTEM "http://127.0.0.1/x.dtd"><allocations/>'],
  ["a document type inside", "<allocations><!DOCTYPE a></allocations>"],
  ["an undefined entity", "<allocations>&boom;</allocations>"],
  ["an entity of prototypes", "<allocations>&constructor;</allocations>"],
  ["a character reference to NUL", "<allocations>&#0;</allocations>"],
  ["a character reference beyond Unicode", "<allocations>&#x110000;</allocations>"],
  ["100,000 nested queues", "<queue>".repeat(100_000)],
  ["a text of 10 MB", `<allocations>${"x".repeat(10_000_000)}</allocations>`],
  ["a NUL byte", "<allocations>\n \0</allocations>"],
  ["half a character", "<allocations>\ud800</allocations>"],
  ["UTF-16 declared", '<?xml version="1.0" encoding="utf-16"?><allocations/>'],
  ["XML 1.1", '<?xml version="1.1"?><allocations/>'],
  ["nothing", ""],
  ["a root in another case", "<Allocations/>"],
  ["two roots", "<allocations/><allocations/>"],
  ["text around the root", "<allocations/>x"],
  ["an attribute twice", '<allocations><pool name="a" name="b"/></allocations>'],
  ["an unclosed element", "<allocations>\n<pool name='a'>"],
  ["elements that overlap", "<allocations><a></allocations></a>"],
  ["a bare ampersand", '<allocations>\n<pool name="a & b"/></allocations>'],
  ["a bare ampersand before an entity", '<allocations>&amp;<pool name="&lt; & b"/>&lt;</allocations>'],
  ["an ampersand in what is not closed", "<allocations><!-- a & b -->"],
  ["an ampersand in an endless comment", "<allocations>x<!-- a & b"],
  ["an XML declaration too late", '\n<?xml version="1.0"?><allocations/>'],
];

describe("a broken or hostile allocation file is refused", () => {
  it.each(TEXTS)("%s", (_, text) => {
    const message = refusalOfText(text);
    expect(message).toMatchSnapshot();
    // eslint-disable-next-line no-control-regex
    expect(message).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
  });

  it("bytes that are no UTF-8, files that are too large, missing, or folders", () => {
    expect([
      refusalOfFile(Buffer.from("<allocations>\n<a>\xe9</allocations>", "latin1")),
      refusalOfFile(Buffer.from("\ufeff<allocations/>", "utf16le")),
      // A character of two words, one of three bytes that is cut, one that is written longer than allowed.
      refusalOfFile(Buffer.from([0xf0, 0x9f, 0x90, 0x98, 0xe2, 0x82])),
      refusalOfFile(Buffer.from([0x0d, 0x0a, 0xc0, 0xaf])),
      refusalOfFile("x".repeat(10_000_000)),
      refusalOf(() => readAllocations(join(folder, "none.xml"), "none.xml")),
      refusalOf(() => readAllocations(folder, "here")),
    ]).toMatchSnapshot();
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
    expect(message).toBe("f.xml:10001:1: expected at most 10000, found more than 10000 pools");
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

it("a file that is cut off after any byte is refused", () => {
  const bytes = readFileSync(fileURLToPath(new URL("../../../scenarios/hadoop/fair-scheduler.xml", import.meta.url)));
  const whole = bytes.toString().trimEnd().length;
  for (let length = 0; length < whole; length++) expect(refusalOfFile(bytes.subarray(0, length))).toContain("f.xml");
});
