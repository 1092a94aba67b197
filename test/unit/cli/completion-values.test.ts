import { describe, expect, it } from "vitest";
import { commandLine, completionOf, VALUES, valuesFor } from "../../../dist/cli/index.js";
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

describe("settings after --set", () => {
  const completed = async (...words: string[]): Promise<string[]> => {
    const program = await commandLine(["run", "compare"], () => {
      throw new Error("nothing is run");
    });
    return completionOf(program, words).values.map(({ value }) => value);
  };

  it.each([
    ["scenarios/spark/pools.yaml", "scheduler.mode=", "scheduler.mapsPerHeartbeat="],
    ["scenarios/yarn/drf.yaml", "scheduler.allocations=", "scheduler.mode="],
    ["scenarios/tiny.yaml", "scheduler.mapsPerHeartbeat=", "scheduler.mode="],
    ["none.yaml", "scheduler.mapsPerHeartbeat=", "scheduler.mode="],
    ["scenarios/spark", "scheduler.mapsPerHeartbeat=", "scheduler.mode="],
  ])("are those of the platform of %s", async (file, own, other) => {
    const found = await completed("compare", file, "--set", "scheduler.");
    expect(found).toContain(own);
    expect(found).not.toContain(other);
    expect(await completed("run", file, `--set=${own.slice(0, -3)}`)).toContain(`--set=${own}`);
  });

  it("have the words that the platform's schema allows", async () => {
    expect(await completed("run", "scenarios/spark/pools.yaml", "--set", "scheduler.mode=")).toEqual([
      "scheduler.mode=FIFO",
      "scheduler.mode=FAIR",
    ]);
    expect(await completed("run", "scenarios/tiny.yaml", "--set", "scheduler.mode=")).toEqual([]);
  });
});
