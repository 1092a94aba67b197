import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { InputError, type Diagnostic, loadWorkload } from "../../../dist/io/index.js";
import type { JobSpec, Workload } from "../../../dist/core/workload/index.js";
import type { Scenario, SwimWorkloadSpec, TasksWorkloadSpec, WorkloadSpec } from "../../../dist/core/scenario/index.js";

/** The rules that the documentation gives as defaults. */
export const swim: SwimWorkloadSpec = {
  kind: "swim",
  file: "trace.tsv",
  timeScale: 1,
  bytesPerMap: 2 ** 27,
  bytesPerReduce: 2 ** 30,
  mapBytesPerSecond: 2 ** 24,
  shuffleBytesPerSecond: 2 ** 24,
  reduceBytesPerSecond: 2 ** 23,
  taskOverheadUs: 2_000_000,
  maxMaps: 25_000,
  maxReduces: 1_000,
  users: 200,
  lenient: false,
};

export const tasks: TasksWorkloadSpec = { kind: "tasks", file: "tasks.csv", lenient: false };

/** Racks of nodes without slots, which have room for any task. */
const RACKS = Array.from({ length: 31 }, (_, rack) => ({
  name: `rack${String(rack).padStart(2, "0")}`,
  nodes: [{ count: 20 }],
}));

/** A scenario of which only what workloads look at is filled in. */
export function scenarioOf(workload: WorkloadSpec, nodes: readonly object[] = []): Scenario {
  const storage = { blockBytes: 2 ** 27, replication: 3, placement: "hdfs", rereadProbability: 0.5 };
  return {
    name: "test",
    cluster: { racks: nodes.length === 0 ? RACKS : [{ name: "rack00", nodes }] },
    storage,
    workload,
    run: { seed: "1" },
  } as unknown as Scenario;
}

/** Loads a workload from a temporary file of the name that `spec` gives. */
export async function loadText(
  text: string | Uint8Array,
  spec: SwimWorkloadSpec | TasksWorkloadSpec,
  nodes: readonly object[] = [],
): Promise<Workload> {
  const directory = await mkdtemp(join(tmpdir(), "bide-workload-"));
  try {
    await writeFile(join(directory, spec.file), text);
    return await loadWorkload(scenarioOf(spec, nodes), directory);
  } finally {
    await rm(directory, { recursive: true });
  }
}

/** What a load that must fail was refused for. */
export async function problemsOf(loading: Promise<unknown>): Promise<readonly Diagnostic[]> {
  const error = await loading.then(
    () => new Error("was accepted"),
    (reason: unknown) => reason,
  );
  if (error instanceof InputError) return error.diagnostics;
  throw error;
}

/** All task lengths of a job, by phase. */
export function lengthsOf(job: JobSpec): { maps: number[]; copies: number[]; reduces: number[] } {
  return {
    maps: Array.from({ length: job.maps }, (_, i) => job.mapLengths.lengthUs(i)),
    copies: Array.from({ length: job.reduces }, (_, i) => job.copyLengths.lengthUs(i)),
    reduces: Array.from({ length: job.reduces }, (_, i) => job.reduceLengths.lengthUs(i)),
  };
}
