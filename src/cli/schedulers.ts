import { SCHEDULER_KINDS } from "../core/scheduler/kinds.js";
import { waitWords } from "../report/scheduler-words.js";
import { print } from "./terminal.js";

/** `bide schedulers`: the registry. */
export async function schedulers(): Promise<void> {
  const lines = SCHEDULER_KINDS.map(({ name, summary, defaultWait }) => {
    return `${name.padEnd(8)}${summary}\n${" ".repeat(8)}default: ${waitWords(defaultWait)}\n`;
  });
  await print(lines.join(""));
}
