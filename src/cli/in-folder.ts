import type { SweepFolder } from "../io/index.js";
import { counted } from "../report/index.js";
import { interruptible } from "./interrupt.js";
import { howToGoOn, type ResumeOptions } from "./option-values.js";

/** Work that Ctrl-C stops, and that releases the folder of its sweep. @param folder null: there is none. */
export async function inFolder<T>(
  folder: SweepFolder | null,
  options: ResumeOptions,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (folder === null) return interruptible(work);
  const close = () => {
    folder.close();
  };
  process.once("exit", close);
  const remains = () => {
    return `${counted(folder.contents().rows.length, "run")} kept in ${folder.path}; ${howToGoOn(options)}`;
  };
  try {
    return await interruptible(work, remains);
  } finally {
    close();
    process.off("exit", close);
  }
}
