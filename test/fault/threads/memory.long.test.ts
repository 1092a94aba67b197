import { afterAll, describe, expect, it } from "vitest";
import { buildTopology, sharedTopology } from "../../../dist/core/cluster/index.js";
import { parseScenario } from "../../../dist/io/index.js";
import { Place } from "../cli/command.js";

const RACKS = 8;
const CLUSTER = `{ racks: ${RACKS}, nodesPerRack: 12500 }`;

describe("the memory of rack threads", () => {
  const place = new Place();
  afterAll(() => {
    place.remove();
  });

  const peakMiB = async (threads: string): Promise<number> => {
    place.write("large.yaml", `cluster: ${CLUSTER}\nworkload: { kind: jobs, jobs: [ { maps: 20 } ] }\n`);
    const args = ["large.yaml", "--threads", threads, "--json", "--quiet", "--no-tables", "--out", `of-${threads}`];
    const { code, stdout, stderr } = await place.bideProcess("run", ...args);
    expect([code, stderr]).toEqual([0, ""]);
    return (JSON.parse(stdout) as { cost: { peakMemoryMiB: number } }).cost.peakMemoryMiB;
  };

  // A thread that builds a topology of its own takes 40 MiB for 100,000 nodes; one that has none takes 16.
  it("does not hold the whole cluster in each", { timeout: 60_000 }, async () => {
    const inline = await peakMiB("0");
    const rack = await peakMiB("rack");
    expect((rack - inline) / RACKS).toBeLessThan(30);
  });

  it("is one topology that all share, the same as that of the master", () => {
    const { scenario } = parseScenario(
      `cluster: { racks: 3, nodesPerRack: 5 }\nworkload: { kind: jobs, jobs: [ { maps: 20 } ] }\n`,
      "x",
    );
    const topology = buildTopology(scenario.cluster);
    const shared = sharedTopology(topology);
    expect(shared).toEqual(topology);
    expect(shared.rackOf.buffer).toBeInstanceOf(SharedArrayBuffer);
    expect(shared.phaseUs.buffer).toBeInstanceOf(SharedArrayBuffer);
  });
});
