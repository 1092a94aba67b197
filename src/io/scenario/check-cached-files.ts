import { DEFAULT_NODE_CACHE_BYTES } from "../../core/scenario/defaults.js";
import { settingsOf } from "./allocation-places.js";
import { valueProblem } from "./check-cluster.js";
import type { Problem } from "./diagnose.js";
import type { ScenarioFile } from "./scenario-schema.js";
import { quote } from "./show.js";
import { formatSize } from "./units.js";

type StorageFile = ScenarioFile["storage"];
type WorkloadFile = ScenarioFile["workload"];
type InlineJobFile = Extract<WorkloadFile, { kind: "jobs" }>["jobs"][number];

const DEFAULT_BYTES = 100 * 2 ** 20;

/** Size of the file that the tasks of a listed job need on their nodes. */
export function cachedBytesOf({ cacheSize = DEFAULT_BYTES }: Pick<InlineJobFile, "cacheSize">): number {
  return cacheSize;
}

/** Some job may need a file on its nodes. */
export function needsFiles(storage: StorageFile, workload: WorkloadFile): boolean {
  if (workload.kind === "jobs") return workload.jobs.some(({ cacheFile }) => cacheFile !== undefined);
  return storage.cachedFiles !== "off" && (workload.kind === "facebook" || workload.kind === "benchmark");
}

/** What is given and looked at only where some job needs a file. */
export function cachedFileSettings({ storage, workload, scheduler }: ScenarioFile): string[] {
  if (needsFiles(storage, workload)) return [];
  return [
    ...(storage.nodeCache === undefined ? [] : ["storage.nodeCache"]),
    ...(settingsOf(scheduler).preference === "cache" ? ["scheduler.preference"] : []),
  ];
}

/** What is wrong with files that tasks need on their nodes: those that no node has room for, or of two sizes. */
export function cachedFileProblems(storage: StorageFile | undefined, workload: WorkloadFile | undefined): Problem[] {
  if (storage === undefined) return [];
  const { cachedFiles, nodeCache = DEFAULT_NODE_CACHE_BYTES } = storage;
  const allowed = `at most ${formatSize(nodeCache)}, what a node has room for (storage.nodeCache)`;
  const problems: Problem[] = [];
  if (cachedFiles !== "off" && cachedFiles.size > nodeCache) {
    const found = `${formatSize(cachedFiles.size)} for storage.cachedFiles.size`;
    problems.push(valueProblem(["storage", "cachedFiles", "size"], found, allowed));
  }
  if (workload?.kind !== "jobs") return problems;
  const sizes = new Map<string, number>();
  for (const [i, job] of workload.jobs.entries()) {
    const path = ["workload", "jobs", i, "cacheSize"];
    if (job.cacheFile === undefined) {
      if (job.cacheSize === undefined) continue;
      problems.push(valueProblem(path, "a cacheSize without a cacheFile", "both, or cacheFile alone"));
      continue;
    }
    const bytes = cachedBytesOf(job);
    const place = job.cacheSize === undefined ? ["workload", "jobs", i] : path;
    const found = `${formatSize(bytes)} for the file ${quote(job.cacheFile)}`;
    const before = sizes.get(job.cacheFile) ?? bytes;
    sizes.set(job.cacheFile, before);
    if (bytes > nodeCache) problems.push(valueProblem(place, found, allowed));
    else if (bytes !== before)
      problems.push(valueProblem(place, found, `one size for one file, ${formatSize(before)} above`));
  }
  return problems;
}
