import type { InlineJobSpec, WorkloadSpec } from "../../core/scenario/scenario.js";
import { cachedBytesOf } from "./check-cached-files.js";
import type { ScenarioFile } from "./scenario-schema.js";

type WorkloadFile = ScenarioFile["workload"];
type InlineJobFile = Extract<WorkloadFile, { kind: "jobs" }>["jobs"][number];

/** The workload with its units in its names. */
export function resolveWorkload(file: WorkloadFile, blockBytes: number): WorkloadSpec {
  switch (file.kind) {
    case "facebook": {
      const { kind, jobs, span, users, timeScale, longTasks } = file;
      return { kind, jobs, spanUs: span, users, timeScale, longTasks };
    }
    case "swim":
      return {
        kind: file.kind,
        file: file.file,
        timeScale: file.timeScale,
        bytesPerMap: file.bytesPerMap ?? blockBytes,
        bytesPerReduce: file.bytesPerReduce,
        mapBytesPerSecond: file.mapRate,
        shuffleBytesPerSecond: file.shuffleRate,
        reduceBytesPerSecond: file.reduceRate,
        taskOverheadUs: file.taskOverhead,
        maxMaps: file.maxMaps,
        maxReduces: file.maxReduces,
        users: file.users,
        lenient: file.lenient,
      };
    case "benchmark": {
      const { kind, meanGap, mapTime, mapSigma, repeat, maxMaps, ioShare, longTasks } = file;
      return { kind, meanGapUs: meanGap, mapUs: mapTime, mapSigma, repeat, maxMaps, ioShare, longTasks };
    }
    case "jobs":
      return { kind: file.kind, jobs: resolveJobs(file.jobs) };
    case "tasks": {
      const { kind, file: path, lenient } = file;
      return { kind, file: path, lenient };
    }
  }
}

function resolveJobs(jobs: readonly InlineJobFile[]): InlineJobSpec[] {
  const taken = new Set(jobs.map((job) => job.name));
  return jobs.map((job, i) => {
    const name = job.name ?? freeName(i + 1, taken);
    taken.add(name);
    return {
      name,
      atUs: job.at,
      user: job.user,
      pool: job.pool ?? job.user,
      priority: job.priority,
      maps: job.maps,
      mapUs: job.mapTime,
      reduces: job.reduces,
      copyUs: job.copyTime,
      reduceUs: job.reduceTime,
      file: job.file ?? "",
      count: job.count,
      everyUs: job.every,
      sigma: job.spread,
      deadlineUs: job.deadline ?? null,
      longTasks: job.longTasks,
      inputBytesPerMap: job.mapInput,
      mapOutputBytes: job.mapOutput,
      outputBytesPerReduce: job.reduceOutput,
      mapMemoryBytes: job.mapMemory,
      reduceMemoryBytes: job.reduceMemory,
      ioShare: job.ioShare,
      ...(job.cacheFile === undefined ? {} : { cacheFile: job.cacheFile, cacheBytes: cachedBytesOf(job) }),
    };
  });
}

/** `job3` for the third entry, or the next number that nobody has. */
function freeName(position: number, taken: ReadonlySet<string | undefined>): string {
  let number = position;
  while (taken.has(`job${String(number)}`)) number++;
  return `job${String(number)}`;
}
