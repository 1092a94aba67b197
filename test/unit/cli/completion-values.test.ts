import type { Argument, Command, Option } from "commander";
import { describe, expect, it } from "vitest";
import { commandLine, completionOf, valuesOf } from "../../../dist/cli/index.js";
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
    expect(said.length).toBeGreaterThan(50);
    for (const [name, taker] of said) {
      const { values } = (await valuesOf(taker)?.("", [])) ?? { values: [] };
      expect(values.length, name).toBeGreaterThan(0);
    }
  });
});

describe("settings after --set", () => {
  const completed = async (...words: string[]): Promise<string[]> => {
    const program = await commandLine(["run", "compare"], () => {
      throw new Error("nothing is run");
    });
    return (await completionOf(program, words)).values.map(({ value }) => value);
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
