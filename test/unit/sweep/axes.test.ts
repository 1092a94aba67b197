import { assert, integer, property, tuple } from "fast-check";
import { describe, expect, it } from "vitest";
import { linearRange, logarithmicRange } from "../../../dist/io/index.js";
import { refusedSweep, sweepOf } from "./sweep-texts.js";
import { ofHadoop } from "../../support/of-hadoop.js";

/** What one axis, written in YAML, says. */
function axisOf(axis: string) {
  const { plan, notes } = sweepOf(`axes: [${axis}]`);
  const [{ name, unit, steps }] = plan.axes as [(typeof plan.axes)[0]];
  return {
    name,
    unit,
    notes,
    labels: steps.map(({ label }) => label),
    quantities: steps.map(({ quantity }) => quantity),
    values: steps.map(({ settings }) => settings.map(({ value }) => value)),
  };
}
const W1 = "path: scheduler.wait.node";

describe("values of an axis", () => {
  it("are quantities in one unit, and none where they have no unit in common", () => {
    expect(axisOf(`{${W1}, values: [0, 500ms, 1m30s, 1h]}`)).toMatchObject({
      name: "node",
      unit: "seconds",
      labels: ["0", "500ms", "1m30s", "1h"],
      quantities: [0, 0.5, 90, 3600],
    });
    const sizes = axisOf("{name: block, path: storage.blockSize, values: [64MB, 1GB]}");
    expect(sizes).toMatchObject({ name: "block", unit: "bytes", quantities: [2 ** 26, 2 ** 30] });
    const words = axisOf("{path: scheduler, values: [fifo, {kind: delay, wait: {nodeSkips: 60}}, hfs]}");
    expect(words).toMatchObject({ unit: "none", labels: ["fifo", "delay", "hfs"], quantities: [null, null, null] });
    const mixed = axisOf("{path: scheduler.wait, values: [none, {node: 5s}]}");
    expect(mixed).toMatchObject({ labels: ["none", '{"node":"5s"}'], quantities: [null, null] });
    expect(axisOf("{path: run.until, values: [end, 2h]}")).toMatchObject({ unit: "seconds", quantities: [null, 7200] });
  });

  it("of linked paths change together, and count what their labels say", () => {
    const linked = "linked: {cluster.racks: [2, 4], cluster.nodesPerRack: [5, 10]}";
    expect(axisOf(`{${linked}}`)).toMatchObject({
      name: "racks_nodesPerRack",
      labels: ["2/5", "4/10"],
      quantities: [2, 4],
      values: [
        [2, 5],
        [4, 10],
      ],
    });
    const labelled = axisOf(`{name: nodes, ${linked}, labels: [10, 40]}`);
    expect(labelled).toMatchObject({ name: "nodes", labels: ["10", "40"], quantities: [10, 40] });
    const { plan, scenarioAt } = sweepOf(`axes: [{${linked}}]`);
    expect(ofHadoop(scenarioAt(plan.points[1]!, "1")).cluster.racks.map(({ nodes }) => nodes[0]!.count)).toEqual([
      10, 10, 10, 10,
    ]);
  });
});

describe("ranges", () => {
  it("do not drift in decimal steps, and end at most where they are to", () => {
    const tenths = axisOf(`{${W1}, range: {from: 0s, to: 1s, step: 0.1s}}`);
    expect(tenths.labels).toEqual("0s 100ms 200ms 300ms 400ms 500ms 600ms 700ms 800ms 900ms 1s".split(" "));
    expect(tenths.quantities).toEqual([0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1]);
    expect(axisOf(`{${W1}, range: {from: 1s, to: 2.5s, step: 700ms}}`).labels).toEqual(["1s", "1.7s", "2.4s"]);
    const shares = axisOf("{path: storage.rereadProbability, range: {from: 0.1, to: 0.7, step: 0.1}}");
    expect(shares.quantities).toEqual([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7]);
  });

  it("have so many values, whole ones between whole ends, each once", () => {
    expect(axisOf(`{${W1}, range: {from: 0s, to: 20s, count: 5}}`).labels).toEqual(["0s", "5s", "10s", "15s", "20s"]);
    expect(axisOf(`{${W1}, range: {from: 0s, to: 1us, count: 2}}`).quantities).toEqual([0, 1e-6]);
    const whole = axisOf("{path: cluster.nodesPerRack, range: {from: 3, to: 6, count: 7}}");
    expect([whole.quantities, whole.notes]).toEqual([
      [3, 4, 5, 6],
      ["cluster.nodesPerRack: 7 values are 4 after rounding to whole ones"],
    ]);
    expect(axisOf("{path: storage.rereadProbability, range: {from: 0.1, to: 0.4, count: 4}}").quantities).toEqual([
      0.1, 0.2, 0.3, 0.4,
    ]);
  });

  it("of logarithms multiply", () => {
    expect(axisOf("{path: cluster.nodesPerRack, logRange: {from: 10, to: 1000, count: 3}}").values).toEqual([
      [10],
      [100],
      [1000],
    ]);
    expect(axisOf(`{${W1}, logRange: {from: 1ms, to: 100s, count: 6}}`).labels).toEqual(
      "1ms 10ms 100ms 1s 10s 100s".split(" "),
    );
    expect(axisOf("{path: storage.blockSize, logRange: {from: 1MB, to: 4MB, count: 3}}").labels).toEqual([
      "1MB",
      "2MB",
      "4MB",
    ]);
    const few = axisOf("{path: cluster.mapSlots, logRange: {from: 1, to: 3, count: 9}}");
    expect([few.quantities, few.notes.length]).toEqual([[1, 2, 3], 1]);
  });

  it("rise from one end to the other, whatever the ends", () => {
    const ends = tuple(integer({ min: 1, max: 1e9 }), integer({ min: 1, max: 1e9 }), integer({ min: 2, max: 50 }));
    assert(
      property(ends, integer({ min: 0, max: 4 }), ([a, more, count], decimals) => {
        const [from, to] = [a, a + more].map((units) => units / 10 ** decimals) as [number, number];
        for (const range of [linearRange({ from, to, count }), logarithmicRange({ from, to, count })]) {
          if (!("amounts" in range)) throw new Error(range.allowed);
          const values = range.amounts.map(({ value }) => value);
          expect([values[0], values[values.length - 1]]).toEqual([from, to]);
          expect(values).toEqual([...new Set(values)].sort((x, y) => x - y));
          if (decimals === 0) expect(values.every(Number.isInteger)).toBe(true);
        }
        const units = 1 + (more % 1000);
        const [end, step] = [a + 100 * units, units].map((each) => each / 10 ** decimals) as [number, number];
        const stepped = linearRange({ from, to: end, step });
        if (!("amounts" in stepped)) throw new Error(stepped.allowed);
        expect(stepped.amounts).toHaveLength(101);
        // The decimals of the ends and of the step are enough for all of them.
        for (const { value } of stepped.amounts) expect(Number(value.toFixed(decimals))).toBe(value);
      }),
      { seed: 7, numRuns: 300 },
    );
  });
});

describe("axes that cannot be", () => {
  it.each([
    "{path: cluster.racks}",
    "{path: cluster.racks, values: [1], range: {from: 1, to: 2, step: 1}}",
    "{values: [1]}",
    "{path: cluster.racks, linked: {cluster.racks: [1]}}",
    "{linked: {cluster.racks: [1, 2], cluster.mapSlots: [1]}}",
    "{linked: {}}",
    "{path: cluster.racks, values: []}",
    `{${W1}, values: [1s, 1000ms]}`,
    "{path: scheduler, values: [{kind: hfs}, {kind: hfs, wait: none}]}",
    "{path: cluster.racks, values: [1, 2], labels: [a]}",
    "{path: cluster.racks, values: [1, 2], labels: [a, a]}",
    "{name: and, path: cluster.racks, values: [1]}",
    "{name: __proto__, path: cluster.racks, values: [1]}",
    "{name: a b, path: cluster.racks, values: [1]}",
    `{${W1}, range: {from: 0s, to: 5, step: 1s}}`,
    `{${W1}, range: {from: 5s, to: 0s, step: 1s}}`,
    `{${W1}, range: {from: 0s, to: 5s, step: 0s}}`,
    `{${W1}, range: {from: 0s, to: 5s}}`,
    `{${W1}, range: {from: 0s, to: 5s, step: 1s, count: 6}}`,
    `{${W1}, range: {from: 0s, to: 365d, step: 1us}}`,
    `{${W1}, range: {from: 0s, to: fast, step: 1us}}`,
    `{${W1}, range: {from: 0, to: .inf, count: 3}}`,
    `{${W1}, range: {from: 0, to: 1.0e+300, count: 3}}`,
    `{${W1}, range: {from: 0s, to: 1s, count: 1}}`,
    `{${W1}, logRange: {from: 0s, to: 1s, count: 3}}`,
    "{path: run.seed, values: [1, 2]}",
    "{path: compare.seeds, values: [1, 2]}",
    "{path: a..b, values: [1]}",
    "{path: cluster.racks, values: [1, 2]}, {name: b, path: cluster.racks, values: [3]}",
    "{path: cluster.racks, values: [1, 2]}, {path: x.racks, values: [3]}",
    "{path: scheduler.wiat, values: [5s, 6s]}",
    "{path: scheduler.wait.node.x, values: [5s, 6s]}",
    "{path: name, values: [a]}",
  ])("%s", (axes) => {
    expect(refusedSweep(`axes: [${axes}]`)).toMatch(/^x\.yaml:/);
  });

  it("are refused at once where there would be too many points, or runs", () => {
    const axes = Array.from(
      { length: 20 },
      (_, i) => `{name: a${i}, path: x.y${i}, range: {from: 1, to: 1000, step: 1}}`,
    );
    expect(refusedSweep(`axes: [${axes.join(", ")}]`)).toContain("found more than 2^53 combinations of all axes");
    expect(refusedSweep(`axes: [${axes.slice(0, 2).join(", ")}]`)).toContain("expected at most 100000 points");
    expect(refusedSweep(`axes: [${axes[0]!}]\nreplications: 1001`)).toContain(
      "expected at most 1000000, found 1001000 runs for axes",
    );
    expect(refusedSweep(`axes: [${Array.from({ length: 31 }, () => "{}").join(", ")}]`)).toContain(
      "expected at most 30 axes",
    );
  });
});
