import { getSystemErrorMap } from "node:util";

/** The operating system's words for an error of its own: `permission denied`; the code of any other. */
export function systemReason(error: unknown): string {
  const { errno, code } = error as NodeJS.ErrnoException;
  return getSystemErrorMap().get(errno ?? 0)?.[1] ?? code ?? String(error);
}
