import type { Argument, Command, Option } from "commander";
import { describe, expect, it } from "vitest";
import { commandLine, valuesOf } from "../../../dist/cli/index.js";
import { nameOf } from "../../support/help-examples.js";

/** Every option and argument that takes a value, with its command. */
async function takers(): Promise<[string, Option | Argument][]> {
  const none = (): never => {
    throw new Error("nothing is run");
  };
  const names = (await commandLine([], none)).commands.map((command) => command.name());
  const program = await commandLine(names, none);
  const commands: Command[] = program.commands.flatMap((one) => [one, ...one.commands]);
  return commands.flatMap((command) =>
    [...command.options.filter(({ required }) => required), ...command.registeredArguments].map(
      (taker): [string, Option | Argument] => [
        `${nameOf(command)} ${"long" in taker ? (taker.long ?? "") : taker.name()}`.replace(/^bide /, ""),
        taker,
      ],
    ),
  );
}

describe("what completes values", () => {
  it("is said of every option and argument, but for what nobody knows before it is typed", async () => {
    const unknown = (await takers()).filter(([, taker]) => valuesOf(taker) === undefined).map(([name]) => name);
    expect(unknown).toMatchSnapshot();
  });

  it("gives values wherever it is said, with nothing typed", async () => {
    const said = (await takers()).filter(([, taker]) => valuesOf(taker) !== undefined);
    expect(said.length).toBeGreaterThan(40);
    for (const [name, taker] of said) {
      const { values } = (await valuesOf(taker)?.("")) ?? { values: [] };
      expect(values.length, name).toBeGreaterThan(0);
    }
  });
});
