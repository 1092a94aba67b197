import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { noteText } from "../../../dist/core/record/index.js";
import { type AnyScenario, isHadoop } from "../../../dist/core/scenario/index.js";
import { InputError, parseAnyScenario, parseSystems, poolNotesOfList, settingsOf } from "../../../dist/io/index.js";
import { expectTranscript } from "../../support/transcript.js";

const FOLDER = "test/golden/scenario";

/** The scenario of a case: its sections, and those of the shared lines that it does not have. */
function textOf(input: string, shared: string): string {
  const keyOf = (section: string): string => section.slice(0, section.indexOf(":"));
  const sections = (text: string): string[] => text.split(/\n(?=\S)/).filter((section) => section !== "");
  const given = new Set(sections(input).map(keyOf));
  return [...sections(shared).filter((section) => !given.has(keyOf(section))), input].join("\n");
}

type Settings = ReturnType<typeof settingsOf>;

const load = (text: string, options: object = {}) => parseAnyScenario(text, `${FOLDER}/x.yaml`, options);

/** What goes without saying, item by item of lists: the settings that usual.txt has in full. */
const ofFirstItem = (path: string): string => path.replace(/\.\d+(-\d+)?(?=\.)/g, ".0");
const usual = new Set(
  readFileSync(`${FOLDER}/usual.txt`, "utf8")
    .split("\n")
    .filter((line) => !line.startsWith(">"))
    .map(ofFirstItem),
);

const changes = (settings: Settings, before: Settings): string[] =>
  Object.entries(settings).flatMap(([path, value]) => {
    if (Object.is(before[path], value)) return [];
    const line = `${path}: ${String(value)}`;
    const isNew = before[path] === undefined && Object.keys(before).length > 0;
    return isNew && usual.has(ofFirstItem(line)) ? [] : [line];
  });

/** What is refused, or the notes and the settings in which the scenario differs from that of the shared lines. */
function outcomeOf(input: string, shared: string): string {
  const lines = input.split("\n");
  const given = (option: string): string[] =>
    lines.flatMap((line) => (line.startsWith(option) ? [line.slice(option.length)] : []));
  const [seed] = given("--seed ");
  const set = given("--set ");
  const options = seed === undefined ? { set } : { set, seed };
  const text = textOf(lines.filter((line) => !line.startsWith("--")).join("\n"), shared);
  const before = (): Settings => (shared === "" ? {} : settingsOf(load(shared).scenario));
  const named = (name: string, scenario: AnyScenario, than: Settings): string =>
    [`${name}:`, ...changes(settingsOf(scenario), than)].join("\n  ");
  try {
    if (!/^compare:/m.test(text)) {
      const { scenario, notes } = load(text, options);
      const poolNotes = isHadoop(scenario) ? poolNotesOfList(scenario).map(noteText) : [];
      const noted = [...notes, ...poolNotes].map((note) => `note: ${note}`);
      const result = [...noted, ...changes(settingsOf(scenario), before())];
      return result.join("\n") || "nothing changes";
    }
    const { systems, scenario, notes, seeds, baseline } = parseSystems(text, `${FOLDER}/x.yaml`, options)!;
    return [
      `seeds ${String(seeds)}, baseline ${baseline}`,
      ...notes.map((note) => `note: ${note}`),
      ...systems.map((system) => named(system.name, system.scenario, settingsOf(scenario))),
    ].join("\n");
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return error.message.replaceAll(`${FOLDER}/`, "");
  }
}

it.each(readdirSync(FOLDER).filter((name) => name.endsWith(".txt")))(
  "%s: what each case is refused for, or changes",
  async (name) => {
    await expectTranscript(`${FOLDER}/${name}`, outcomeOf);
  },
);

it("Object.prototype stays as it was", () => {
  outcomeOf("--set constructor.prototype.polluted=1\n--set __proto__.polluted=1", "workload: {kind: facebook}");
  expect(Object.keys(Object.prototype)).toEqual([]);
});
