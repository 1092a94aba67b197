import { describe, expect, it } from "vitest";
import { SCHEDULER_KINDS } from "../../../dist/core/scenario/index.js";
import { type SchedulerPlugin } from "../../../dist/core/platforms/hadoop/index.js";
import { collect, names, placement, seedCount, slices, unknownScheduler } from "../../../dist/cli/index.js";

const KINDS = SCHEDULER_KINDS.map(({ name }) => name).join(", ");

describe("option values", () => {
  it("of --threads are auto, rack or a number of threads", () => {
    expect(["auto", "rack", "0", "2", "512"].map(placement)).toEqual(["auto", "rack", 0, 2, 512]);
  });

  it.each([
    "-1",
    "1.5",
    "abc",
    "513",
    "100000",
    "",
    " 2",
    "2 ",
    "1e1",
    "0x2",
    "NaN",
    "Infinity",
    "99999999999999999999",
    "RACK",
    "2\u001b[2J",
  ])("of --threads are not %j", (text) => {
    expect(() => placement(text)).toThrow(
      /^Found ".*", allowed auto, rack, 1 or 0 \(inline\), or a number of threads up to 512\.$/,
    );
  });

  it("show nothing that a terminal would obey", () => {
    // eslint-disable-next-line no-control-regex
    expect(() => placement("\u001b[2J")).toThrow(/^[^\u001b]*$/);
  });

  it("of --seeds and --slices have bounds", () => {
    expect([seedCount("1"), seedCount("1000"), slices("1"), slices("1000")]).toEqual([1, 1000, 1, 1000]);
    for (const read of [seedCount, slices]) {
      for (const text of ["0", "1001", "-3", "two"])
        expect(() => read(text)).toThrow(/allowed a whole number from 1 to 1000/);
    }
  });

  it("of --schedulers are names, each once, in the order given", () => {
    expect(names("hfs, fifo,hfs")).toEqual(["hfs", "fifo"]);
    expect(names("fifo,,fair")).toEqual(["fifo", "", "fair"]);
  });

  it("of --schedulers are built-in kinds, or plugins that were named", () => {
    const mine: SchedulerPlugin = { name: "mine", summary: "mine", create: () => ({ choose: () => null }) };
    expect(unknownScheduler(["hfs", "fifo"], [])).toBeNull();
    expect(unknownScheduler(["hfs", "mine"], [mine])).toBeNull();
    expect(unknownScheduler(["hfs", "mine"], [])).toBe(`Found "mine", allowed ${KINDS}`);
    expect(unknownScheduler(["dealy"], [])).toBe(`Found "dealy", allowed ${KINDS}; did you mean "delay"?`);
    expect(unknownScheduler([""], [])).toBe(`Found "", allowed ${KINDS}`);
  });

  it("of --set are collected in order", () => {
    expect(["a=1", "b=2"].reduce((before: string[], text) => collect(text, before), [])).toEqual(["a=1", "b=2"]);
  });
});
