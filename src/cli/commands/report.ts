import { Argument, type Command } from "commander";
import { completes, files } from "../completion-values.js";
import type { ReportCommandOptions } from "../report.js";

/** Defines `bide report`: its arguments, options and action. */
export function define(command: Command): void {
  command
    .addArgument(
      completes(
        new Argument("<folders...>", "folders of runs, that of a sweep or of a comparison, or a scorecard"),
        files(/\.json$/),
      ),
    )
    .option("--out <file>", "the page (default: report.html in the folder, or here for several); - is stdout")
    .option("--force", "replace the page")
    .addHelpText("after", REPORT_EXAMPLES)
    .action(async (folders: string[], options: ReportCommandOptions) => {
      const { report } = await import("../report.js");
      await report(folders, options);
    });
}

const REPORT_EXAMPLES = `
The page is one file that opens from disk and loads nothing. A scorecard is what
bide reproduce --json prints; its page is written beside it, as card.html.

Examples:
  npx bide run scenarios/tiny.yaml --tasks --out results/tiny
  npx bide report results/tiny

  npx bide run scenarios/tiny.yaml --set scheduler=fair --out results/fair
  npx bide report results/tiny results/fair --out both.html

  npx bide sweep scenarios/sweeps/tiny-waits.yaml --out results/waits
  npx bide report results/waits

  npx bide reproduce 3.5 --json > card.json
  npx bide report card.json`;
