import { Argument, type Command } from "commander";
import { completes, scenarioFiles } from "../completion-values.js";
import { setOption } from "./shared-options.js";
import type { ReplayCommandOptions } from "../replay.js";

/** Defines `bide replay`: its arguments, options and action. */
export function define(command: Command): void {
  command
    .addArgument(
      completes(
        new Argument("<scenario>", "scenario that bide import wrote; recorded.json lies beside it"),
        scenarioFiles,
      ),
    )
    .addOption(setOption())
    .option("--json", "print only JSON on stdout")
    .option("--quiet", "print no progress")
    .addHelpText("after", REPLAY_HELP)
    .action(async (file: string, options: ReplayCommandOptions) => {
      const { replayScenario } = await import("../replay.js");
      await replayScenario(file, options);
    });
}

const REPLAY_HELP = `
Runs the scenario and compares its times with those of the log: of the whole
application, of jobs and of stages, with the levels at which tasks ran and the
order of their launches. Lists the values that were copied from the log; "Held
out" is the error with values that were copied from other stages.

Examples:
  npx bide import hadoop scenarios/yarn/history/*.jhist --out imported
  npx bide replay imported/scenario.yaml
  npx bide replay imported/scenario.yaml --set runtime.launch=2s --json`;
