import { SCHEDULER_KINDS } from "../core/scheduler/kinds.js";
import { waitWords } from "../report/scheduler-words.js";
import { print } from "./terminal.js";

/** `bide schedulers`: the registry. */
export async function schedulers(): Promise<void> {
  const width = Math.max(...SCHEDULER_KINDS.map(({ name }) => name.length)) + 2;
  const lines = SCHEDULER_KINDS.map(({ name, summary, defaultWait }) => {
    return `${name.padEnd(width)}${summary}\n${" ".repeat(width)}default: ${waitWords(defaultWait)}\n`;
  });
  await print(lines.join(""));
}
