import { describe, expect, it } from "vitest";
import { commandLine, VALUES, valuesFor } from "../../../dist/cli/index.js";
import { nameOf } from "../../support/help-examples.js";

describe("the table of values", () => {
  it("has an entry for every option and argument that takes a value, and no other", async () => {
    const none = (): never => {
      throw new Error("nothing is run");
    };
    const names = (await commandLine([], none)).commands.map((command) => command.name());
    const program = await commandLine(names, none);
    const commands = program.commands.flatMap((one) => [one, ...one.commands]);
    const takers = commands.flatMap((command) =>
      [...command.options.filter(({ required }) => required), ...command.registeredArguments].map(
        (taker) => [command, taker] as const,
      ),
    );
    expect(takers.length).toBeGreaterThan(50);
    const missing = takers.filter(([command, taker]) => valuesFor(command, taker) === undefined);
    expect(missing.map(([command, taker]) => `${nameOf(command)} ${taker.name()}`)).toEqual([]);
    const used = takers.flatMap(([command, taker]) => {
      const name = "long" in taker ? (taker.long ?? "") : taker.name();
      return [name, `${command.name()} ${name}`];
    });
    expect(Object.keys(VALUES).filter((key) => !used.includes(key))).toEqual([]);
  });
});
