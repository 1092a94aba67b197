import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readCapacities, InputError } from "../../../dist/io/index.js";
import { hadoop, propertyOf, readText, refusalOfText } from "../../unit/capacity/capacity-file.js";

const inRoot = (inside: string): string => `<configuration>${inside}</configuration>`;

describe("a hostile capacity-scheduler.xml is refused", () => {
  it.each([
    ["an external entity", `<!DOCTYPE c [<!ENTITY x SYSTEM "file:///etc/passwd">]>${inRoot("&x;")}`],
    ["an undefined entity", inRoot("&boom;")],
    ["100,000 nested elements", inRoot("<property>".repeat(100_000))],
    ["10 MB", inRoot("x".repeat(10_000_000))],
    ["a NUL byte", inRoot("\0")],
    ["a name of 100,000 dots", inRoot(propertyOf(`yarn.scheduler.capacity.root${".a".repeat(100_000)}`, 1))],
    ["line breaks in a name", hadoop({ "queue.a\nb.capacity": 100 })],
  ])("%s", (_, text) => {
    const message = refusalOfText(text);
    expect(message).toMatchSnapshot();
    // eslint-disable-next-line no-control-regex
    expect(message).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
  });

  it("with at most 100 problems told, however many there are", () => {
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`queue.q${i}.capacity`, "x"]));
    const lines = refusalOfText(hadoop(many)).split("\n");
    expect(lines).toHaveLength(101);
    expect(lines[100]).toMatch(/^c\.xml: \d+ more problems$/);
  });

  it("more than 10,000 queues", () => {
    const names = Array.from({ length: 10_001 }, (_, i) => i.toString(36));
    const flat = Object.fromEntries(names.map((name) => [`queue.${name}.capacity`, 0]));
    expect(refusalOfText(hadoop(flat))).toContain("expected at most 10000, found more than 10000 queues");
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

it("the example of the documents says three queues", () => {
  const { queues } = readCapacities("scenarios/hadoop/capacity-scheduler.xml", "c.xml");
  expect(queues.map(({ name, capacityPercent }) => [name, capacityPercent])).toEqual([
    ["ads", 50],
    ["research", 30],
    ["default", 20],
  ]);
});
