import { expect, it } from "vitest";
import type { SchedulerPlugin } from "../../../dist/core/platforms/hadoop/index.js";
import { names, placement, seedCount, slices, unknownScheduler } from "../../../dist/cli/index.js";

it("--threads are auto, rack or a number of threads", () => {
  expect(["auto", "rack", "0", "2", "512"].map(placement)).toEqual(["auto", "rack", 0, 2, 512]);
  for (const text of ["-1", "1.5", "abc", "513", "", " 2", "2 ", "1e1", "0x2", "NaN", "Infinity", "RACK", "2\u001b[2J"])
    // eslint-disable-next-line no-control-regex
    expect(() => placement(text)).toThrow(/^[^\u001b]*$/);
});

it("--seeds and --slices have bounds", () => {
  expect([seedCount("1"), seedCount("1000"), slices("1"), slices("1000")]).toEqual([1, 1000, 1, 1000]);
  for (const text of ["0", "1001", "-3", "two"])
    for (const read of [seedCount, slices]) expect(() => read(text)).toThrow();
});

it("--schedulers are built-in kinds or plugins that were named, each once, in the order given", () => {
  expect(names("hfs, fifo,hfs")).toEqual(["hfs", "fifo"]);
  const mine: SchedulerPlugin = { name: "mine", summary: "mine", create: () => ({ choose: () => null }) };
  const isKnown = (plugins: SchedulerPlugin[]) =>
    ["hfs", "mine", "dealy", ""].map((name) => unknownScheduler([name], plugins) === null);
  expect(isKnown([mine])).toEqual([true, true, false, false]);
  expect(isKnown([])).toEqual([true, false, false, false]);
});
