import { beforeAll, expect, it } from "vitest";
import type { Comparison } from "../../dist/experiments/index.js";
import { comparisonTables } from "../../dist/report/index.js";
import { compared, meanOf } from "../support/compared.js";

let found: Comparison;
beforeAll(async () => {
  found = await compared("compare-all.yaml", 1);
}, 120_000);

it("every system does all the work, and there is something to show of each thing", () => {
  const names = found.systems.map(({ name }) => name);
  expect(names.map((name) => meanOf(found, name, "unfinishedJobs"))).toEqual(names.map(() => 0));
  const titles = comparisonTables(found).map(({ title }) => title);
  for (const word of [
    "Locality",
    "Response",
    "Mean response",
    "Slowdown",
    "fairness",
    "Waits",
    "moved",
    "Replicas",
    "Cost",
  ])
    expect(titles.join("\n")).toContain(word);
});

it("shows what each system is known for", () => {
  const of = (name: string, key: string) => meanOf(found, name, key);
  for (const waiting of ["delay", "hfs", "dsfs"]) {
    expect(of(waiting, "nodeLocalAll")).toBeGreaterThan(of("fair", "nodeLocalAll") + 0.15);
    expect(of(waiting, "inputMoved")).toBeLessThan(of("fair", "inputMoved") / 2);
  }
  expect(of("fifo", "responseP50Small")).toBeGreaterThan(5 * of("fair", "responseP50Small"));
  expect(of("partition", "slowdownMean")).toBe(1);
  expect(of("partition", "makespanSeconds")).toBeGreaterThan(2 * of("fair", "makespanSeconds"));
  expect(of("hfs + preemption", "kills")).toBeGreaterThan(0);
  expect(of("hfs + preemption", "lostSlotSeconds")).toBeGreaterThan(0);
  expect(of("quincy QFP", "inputMoved")).toBeLessThan(of("greedy GF", "inputMoved"));
  expect(of("quincy QFP", "kills")).toBeGreaterThan(0);
  expect(of("kill", "lostSlotSeconds")).toBeGreaterThan(of("hfs + preemption", "lostSlotSeconds"));
  expect(of("kill", "fairShareP95")).toBeLessThan(of("hfs", "fairShareP95") / 2);
  expect(of("offers", "nodeLocalAll")).toBeGreaterThan(of("fair", "nodeLocalAll") + 0.15);
  expect(of("fair + copy-compute", "responseP50Medium")).toBeLessThan(of("fair", "responseP50Medium") / 2);
  expect(of("hfs + cache", "cachedFilesFetched")).toBeLessThan(of("hfs", "cachedFilesFetched"));
  for (const replicating of ["hfs + dsbra", "hfs + hot spots"]) {
    expect(of(replicating, "replicasAdded")).toBeGreaterThan(0);
    expect(of(replicating, "nodeLocalSmall")).toBeGreaterThan(of("hfs", "nodeLocalSmall"));
  }
});
