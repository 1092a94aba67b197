import { noteText } from "../core/record/index.js";
import type { SchedulerPlugin } from "../core/platforms/hadoop/index.js";
import {
  InputError,
  type Diagnostic,
  poolNotesOfList,
  loadAnyScenario,
  loadSystems,
  platformNamed,
  wordsOf,
} from "../io/index.js";
import { isHadoop } from "../core/scenario/index.js";
import { foreseeTime, longRunWords } from "../lab/index.js";
import { scenarioDigest } from "../report/index.js";
import { printFitted } from "./printing.js";
import { tell } from "./terminal.js";

/**
 * `bide validate`: a line for each good file, and all problems of the others.
 * @throws InputError when there are any, after every file has been read.
 */
export async function validate(
  files: readonly string[],
  set: readonly string[],
  plugins: readonly SchedulerPlugin[],
): Promise<void> {
  const problems: Diagnostic[] = [];
  for (const file of files) {
    try {
      const { scenario, directory, notes } = loadAnyScenario(file, { set, plugins });
      const build = platformNamed(scenario.platform)?.build;
      const hasFile = scenario.workload.file !== undefined;
      // What a run would read is read, where it can be read without running.
      if (hasFile) await build?.(scenario, directory);
      const unread = hasFile && build === undefined ? "; its file was not opened" : "";
      await printFitted(`${file}: ok: ${scenario.name}: ${scenarioDigest(scenario)}${unread}\n`);
      const compared = loadSystems(file, { set, plugins });
      for (const { name, scenario: system } of compared?.systems ?? []) {
        await printFitted(`${file}:   ${name}: ${wordsOf(system).scheduler}\n`);
      }
      const long = isHadoop(scenario) ? longRunWords(foreseeTime(scenario, null)) : null;
      const stray = isHadoop(scenario) ? poolNotesOfList(scenario).map(noteText) : [];
      for (const note of [...notes, ...stray, ...(long === null ? [] : [long])]) tell(`${file}: note: ${note}\n`);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      problems.push(...error.diagnostics);
    }
  }
  if (problems.length > 0) throw new InputError(problems);
}
