import fc from "fast-check";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readCapacities, InputError } from "../../../dist/io/index.js";
import { hadoop, propertyOf, readText, refusalOfText } from "../../unit/capacity/capacity-file.js";
import { refusalOf } from "../../unit/scenario/refused.js";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "bide-capacity-"));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const NO_DOCTYPE = "found a DOCTYPE, allowed none";
const inRoot = (inside: string): string => `<configuration>${inside}</configuration>`;

describe("a hostile capacity-scheduler.xml is refused", () => {
  it.each([
    ["an entity", `<!DOCTYPE configuration [<!ENTITY a "1">]>${inRoot("&a;")}`, `c.xml:1:1: ${NO_DOCTYPE}`],
    ["an external entity", `<!DOCTYPE c [<!ENTITY x SYSTEM "file:///etc/passwd">]>${inRoot("&x;")}`, NO_DOCTYPE],
    ["an undefined entity", inRoot("&boom;"), 'c.xml:1:16: found broken XML (undefined entity "&boom;")'],
    ["100,000 nested elements", inRoot("<property>".repeat(100_000)), "found elements nested deeper than 64 levels"],
    ["10 MB", inRoot("x".repeat(10_000_000)), "allowed at most 1048576 bytes"],
    ["a NUL byte", inRoot("\0"), "found broken XML (the character \\u0000)"],
    [
      "a name of 100,000 dots",
      inRoot(propertyOf(`yarn.scheduler.capacity.root${".a".repeat(100_000)}`, 1)),
      "allowed at most 400",
    ],
    ["line breaks in a name", hadoop({ "queue.a\nb.capacity": 100 }), "found the queue name"],
  ])("%s", (_, text, part) => {
    const message = refusalOfText(text);
    expect(message).toContain(part);
    // eslint-disable-next-line no-control-regex
    expect(message).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
  });

  it("with at most 100 problems told, however many there are", () => {
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`queue.q${String(i)}.capacity`, "x"]));
    const lines = refusalOfText(hadoop(many)).split("\n");
    expect(lines).toHaveLength(101);
    expect(lines[100]).toMatch(/^c\.xml: found \d+ more problems$/);
  });

  it("more than 10,000 queues", () => {
    const names = Array.from({ length: 10_001 }, (_, i) => i.toString(36));
    const flat = Object.fromEntries(names.map((name) => [`queue.${name}.capacity`, 0]));
    expect(refusalOfText(hadoop(flat))).toContain("found more than 10000 queues, allowed at most 10000");
  });

  it("no text, no file, a folder", () => {
    const file = join(folder, "c.xml");
    writeFileSync(file, Buffer.from("<configuration>\xe9</configuration>", "latin1"));
    expect(refusalOf(() => readCapacities(file, "c.xml"))).toContain(
      "c.xml:1:16: found the byte 0xe9 (byte 15 of the file), which is no UTF-8 text",
    );
    expect(refusalOf(() => readCapacities(join(folder, "none"), "none"))).toContain(
      "allowed the queues of a capacity scheduler in XML",
    );
    expect(refusalOf(() => readCapacities(folder, "here"))).toBe(
      "here: found a directory, allowed a capacity-scheduler.xml",
    );
  });
});

const WORDS = [
  "root",
  "queues",
  "queue",
  "capacity",
  "maximum-capacity",
  "a",
  "b",
  "default-",
  "mapred.capacity-scheduler",
];
const name = fc
  .array(fc.oneof(fc.constantFrom(...WORDS), fc.string({ maxLength: 5 })), { maxLength: 5 })
  .map((w) => w.join("."));
const prefix = fc.constantFrom(
  "mapred.capacity-scheduler.",
  "yarn.scheduler.capacity.",
  "mapred.capacity-scheduler.queue.",
  "",
);
const value = fc.oneof(
  fc.integer().map(String),
  fc.double().map(String),
  fc.string({ maxLength: 8 }),
  fc.constantFrom("a,b", "100", "true"),
);
const escape = (text: string): string => text.replace(/[^\w.,-]/gu, (c) => `&#${String(c.codePointAt(0))};`);

it("any file of any properties is read or refused with its problems, never anything else", () => {
  const property = fc.tuple(prefix, name, value).map(([p, n, v]) => propertyOf(escape(p + n), escape(v)));
  fc.assert(
    fc.property(fc.array(property, { maxLength: 12 }), (properties) => {
      try {
        const { queues } = readText(inRoot(properties.join("\n")));
        const sum = queues.reduce((total, { capacityPercent }) => total + capacityPercent, 0);
        expect(sum).toBeGreaterThan(99.99);
        expect(sum).toBeLessThan(101);
      } catch (error) {
        if (!(error instanceof InputError)) throw error;
        expect(error.diagnostics.every(({ file }) => file === "c.xml")).toBe(true);
      }
    }),
    { numRuns: 500 },
  );
});

const EXAMPLE = readFileSync(
  fileURLToPath(new URL("../../../scenarios/hadoop/capacity-scheduler.xml", import.meta.url)),
  "utf8",
);

it("the example of the documents says three queues", () => {
  const { queues, notes } = readText(EXAMPLE);
  expect(queues.map(({ name, capacityPercent }) => [name, capacityPercent])).toEqual([
    ["ads", 50],
    ["research", 30],
    ["default", 20],
  ]);
  expect(queues.every(({ supportsPriority }) => supportsPriority)).toBe(true);
  expect(notes).toHaveLength(1);
});

it("the example with pieces cut out, repeated or replaced is read or refused, never anything else", () => {
  const edit = fc.record({
    at: fc.nat(EXAMPLE.length),
    cut: fc.nat(40),
    text: fc.oneof(fc.string({ maxLength: 4 }), fc.constantFrom("<", ">", "</value>", "0", "-", "&", "<property>")),
  });
  fc.assert(
    fc.property(fc.array(edit, { minLength: 1, maxLength: 4 }), (edits) => {
      let text = EXAMPLE;
      for (const { at, cut, text: put } of edits) text = text.slice(0, at) + put + text.slice(at + cut);
      try {
        expect(readText(text).queues.length).toBeGreaterThan(0);
      } catch (error) {
        if (!(error instanceof InputError)) throw error;
        expect(error.diagnostics.every(({ file, line }) => file === "c.xml" && line >= 0)).toBe(true);
      }
    }),
    { numRuns: 500 },
  );
});
