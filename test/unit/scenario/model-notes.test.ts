import { describe, expect, it } from "vitest";
import { parseScenario } from "../../../dist/io/index.js";

const notesOf = (lines: string): readonly string[] =>
  parseScenario(`workload: {kind: facebook}\n${lines}`, "x.yaml").notes;

/** [what is given, lines after the workload, the note] */
const CASES: readonly (readonly [string, string, string])[] = [
  [
    "disks, links and I/O for light racks",
    `cluster:
  disk: 100MB/s
  racks:
    - { uplink: 1Gbps, nodes: [{}, { link: 1Gbps }, {}] }
runtime: { io: { taskStart: 1s } }
faults:
  events: [{ kind: slowDisk, rack: 0, node: 0, at: 1s, factor: 2 }]
  rates: { slowDisk: { every: 1d, for: 1h, factor: 2 }, crash: { every: 1d, for: 1h } }`,
    "cluster.disk, cluster.racks.0.uplink, cluster.racks.0.nodes.1.link, runtime.io, faults.events.0, faults.rates.slowDisk have no effect in the light model",
  ],
  [
    "an oversubscription of light racks",
    "cluster: {oversubscription: 2}",
    "cluster.oversubscription has no effect in the light model",
  ],
  [
    "a factor where reading takes its time by itself",
    "runtime: {model: detailed, localityFactor: {any: 2}}",
    "runtime.localityFactor has no effect in the detailed model",
  ],
  [
    "a factor of rows that are not there",
    "runtime: {localityFactor: {row: 2}}",
    "runtime.localityFactor.row has no effect where racks stand in no rows",
  ],
  [
    "an uplink of rows that are not there",
    "cluster: {network: {rowUplink: 1Gbps}}\nruntime: {model: detailed}",
    "cluster.network.rowUplink has no effect where racks stand in no rows",
  ],
  [
    "splitting that leaves every slot its place",
    "cluster: {reduceSlots: 3}\nruntime: {copyCompute: {computing: 3}}",
    "runtime.copyCompute has no effect where no node has more reduce slots than that",
  ],
  [
    "what only LATE looks at",
    "runtime: {speculation: {rule: hadoop, slowerBy: 2, minAge: 1s}}",
    "runtime.speculation.slowerBy has no effect under the rule hadoop",
  ],
  [
    "what only Hadoop's rule looks at",
    "runtime: {speculation: {rule: late, progressGap: 0.3}}",
    "runtime.speculation.progressGap has no effect under the rule late",
  ],
  [
    "tasks that need memory of nodes without end",
    "runtime: {attempts: {mapMemory: 1GB}}",
    "tasks declare memory (runtime.attempts), but no node has a limit of it: it has no effect",
  ],
  [
    "memory that nobody needs",
    "cluster: {memory: 8GB}",
    "nodes have a limit of memory, but tasks declare none (runtime.attempts.mapMemory, reduceMemory): it has no effect",
  ],
  [
    "nine racks with a disk each",
    `cluster: {racks: [${"{disk: 60MB/s}, ".repeat(9)}]}`,
    "cluster.racks.0.disk, cluster.racks.1.disk, cluster.racks.2.disk, cluster.racks.3.disk, cluster.racks.4.disk, cluster.racks.5.disk, cluster.racks.6.disk, 2 more have no effect in the light model",
  ],
];

describe("the user is told of settings without effect", () => {
  it.each(CASES)("%s", (_, lines, note) => {
    expect(notesOf(lines)).toEqual([note]);
  });
});

it("settings with effect are passed over in silence", () => {
  expect(
    notesOf(`cluster:
  memory: 8GB
  disk: 100MB/s
  network: { rowUplink: 1Gbps }
  racks: [{ row: a, uplink: 1Gbps }]
runtime:
  model: detailed
  io: { taskStart: 1s }
  attempts: { mapMemory: 1GB }
  speculation: { rule: late, slowerBy: 2 }
faults: { rates: { slowDisk: { every: 1d, for: 1h, factor: 2 } } }`),
  ).toEqual([]);
  expect(
    notesOf("cluster: {racks: [{row: a}], loadLimit: 3, diskSpace: 1TB}\nruntime: {localityFactor: {row: 2}}"),
  ).toEqual([]);
});
