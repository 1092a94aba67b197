import { Argument, type Command } from "commander";
import type { SchemaName } from "../schema.js";

const SCHEMA_NAMES: readonly SchemaName[] = ["scenario", "sweep", "summary", "bench", "regress"];

/** Defines `bide schema`: its arguments, options and action. */
export function define(command: Command): void {
  command
    .addArgument(new Argument("[name]", "kind of file").choices(SCHEMA_NAMES).default("scenario"))
    .addHelpText("after", "\nExamples:\n  npx bide schema > scenario.schema.json\n  npx bide schema summary")
    .action(async (name: SchemaName) => {
      const { schema } = await import("../schema.js");
      await schema(name);
    });
}
