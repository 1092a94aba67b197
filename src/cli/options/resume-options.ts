import type { Command } from "commander";

/** What becomes of a sweep that is in the folder already. */
export interface ResumeOptions {
  readonly resume?: boolean;
  readonly resumeChanged?: boolean;
  readonly force?: boolean;
}

export function addResumeOptions(command: Command): Command {
  return command
    .option("--resume", "continue the sweep in the folder, or start it if there is none")
    .option(
      "--resume-changed",
      "like --resume, after the sweep file was changed: keep the runs that still belong to it",
    )
    .option("--force", "delete the sweep in the folder and start again");
}

/** Refuses to keep a sweep and to remove it, in one breath. */
export function refuseBoth(command: Command, { resume, resumeChanged, force }: ResumeOptions): void {
  if (force !== true || (resume !== true && resumeChanged !== true)) return;
  const word = resumeChanged === true ? "--resume-changed" : "--resume";
  command.error(
    `error: found ${word} and --force, allowed one of them: --force removes the sweep in the folder, ` +
      "--resume-changed keeps what it has in common with a sweep file that was changed",
  );
}

/** How the folder of the sweep is to be opened. */
export function opening({ resume, resumeChanged, force }: ResumeOptions): { resume: boolean; force: boolean } {
  return { resume: resume === true || resumeChanged === true, force: force === true || resumeChanged === true };
}

/** What the user types when the sweep was stopped. */
export function howToGoOn({ resume, resumeChanged, force }: ResumeOptions): string {
  if (resume === true || resumeChanged === true) return "the same command goes on";
  return `the same command with --resume${force === true ? " in place of --force" : ""} goes on`;
}
