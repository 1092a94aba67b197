import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import {
  fileKindOf,
  InputError,
  loadScenario,
  loadWorkload,
  parseScenario,
  parseSweep,
  readAllocations,
  readBaseline,
  readBench,
  readCapacities,
  readExplained,
  readJournal,
} from "../../dist/io/index.js";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "bide-damaged-"));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const shipped = (path: string, end = ".yaml"): string[] =>
  readdirSync(join(ROOT, path))
    .filter((name) => name.endsWith(end))
    .map((name) => readFileSync(join(ROOT, path, name), "utf8").slice(0, 20_000));

const fromFile = (read: (path: string) => unknown) => (text: string) => {
  const path = join(folder, "damaged");
  writeFileSync(path, text);
  return read(path);
};

const workloadOf = (kind: string) => (text: string) => {
  writeFileSync(join(folder, "jobs.txt"), text);
  const file = `{cluster: {racks: 1, nodesPerRack: 2}, workload: {kind: ${kind}, file: jobs.txt}}`;
  return loadWorkload(parseScenario(file, "w.yaml").scenario, folder);
};

const CELLS = shipped("test/data", "tasks-small.csv");

const READERS: readonly (readonly [name: string, corpus: readonly string[], read: (text: string) => unknown])[] = [
  ["scenario", shipped("scenarios"), fromFile((path) => loadScenario(path))],
  ["sweep", shipped("scenarios/sweeps"), (text) => parseSweep(text, join(ROOT, "scenarios/sweeps/x.yaml"))],
  ["baseline", shipped("scenarios/regress", ".baseline.json"), fromFile(readBaseline)],
  ["bench", shipped("bench/baselines", ".json"), fromFile(readBench)],
  [
    "allocations",
    shipped("scenarios/hadoop", "fair-scheduler.xml"),
    fromFile((path) => readAllocations(path, "a.xml")),
  ],
  [
    "capacity",
    shipped("scenarios/hadoop", "capacity-scheduler.xml"),
    fromFile((path) => readCapacities(path, "c.xml")),
  ],
  ["explained", shipped("scenarios/hadoop", ".xml"), fromFile(readExplained)],
  ["kind of file", [...shipped("scenarios"), ...shipped("scenarios/hadoop", ".xml")], fromFile(fileKindOf)],
  ["journal", ['{"v":1}\n{"a":[1,2,{"b":null}]}\n'], fromFile(readJournal)],
  ["swim", shipped("test/data", "swim-small.tsv"), workloadOf("swim")],
  ["tasks", CELLS, workloadOf("tasks")],
];

/** What breaks readers: ends of tokens, numbers without end, text that acts on a terminal. */
const BITS = [
  "",
  "\0",
  "\x1b]0;x\x07",
  "\u202e",
  "\n",
  "\t",
  '"',
  "<",
  "&a;",
  "*a",
  "{",
  "[",
  "- ",
  ": ",
  "-1",
  "1e999",
  "NaN",
  "null",
];
const UNPRINTABLE = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u;

it.each(READERS)(
  "a damaged file is read or refused with its place, in text that can be printed: %s",
  async (_, corpus, read) => {
    const place = fc.double({ min: 0, max: 1, noNaN: true });
    const damage = fc.record({ place, length: fc.nat(40), bit: fc.constantFrom(...BITS) });
    const cases = fc.record({
      text: fc.constantFrom(...corpus),
      damages: fc.array(damage, { minLength: 1, maxLength: 4 }),
    });
    await fc.assert(
      fc.asyncProperty(cases, async ({ text, damages }) => {
        const damaged = damages.reduce((whole, { place: share, length, bit }) => {
          const start = Math.floor(share * whole.length);
          return whole.slice(0, start) + bit + whole.slice(start + length);
        }, text);
        try {
          await read(damaged);
        } catch (error) {
          expect(error).toBeInstanceOf(InputError);
          expect((error as Error).message.replaceAll("\n", "")).not.toMatch(UNPRINTABLE);
        }
      }),
      { numRuns: 30 },
    );
  },
);
