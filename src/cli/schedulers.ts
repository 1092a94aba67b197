import { SCHEDULER_KINDS } from "../core/scenario/index.js";
import type { SchedulerPlugin } from "../core/platforms/hadoop/index.js";
import { printable, waitWords } from "../io/index.js";
import { printFitted } from "./printing.js";

/** `bide schedulers`: the registry, and what was registered for this command. */
export async function schedulers(plugins: readonly SchedulerPlugin[]): Promise<void> {
  const width = Math.max(...[...SCHEDULER_KINDS, ...plugins].map(({ name }) => name.length)) + 2;
  const lines = SCHEDULER_KINDS.map(({ name, summary, defaultWait }) => {
    return `${name.padEnd(width)}${summary}\n${" ".repeat(width)}default: ${waitWords(defaultWait, name)}\n`;
  });
  const pluginLines = plugins.map(
    ({ name, summary }) => `${name.padEnd(width)}${printable(summary)}\n${" ".repeat(width)}plugin\n`,
  );
  await printFitted([...lines, ...pluginLines].join(""));
}
