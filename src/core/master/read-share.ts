import { diskUs, nominalNode } from "../cluster/detailed/stage-lengths.js";
import type { Scenario } from "../scenario/scenario.js";
import type { JobSpec } from "../workload/job.js";

/**
 * Share of the time of a job's maps, after start-up and alone on a nominal node, that goes into reading; 0 to 1. By what the job
 * declares, or the scenario: bytes, then a share, the job's first. Where nobody declares anything the detailed model reads a block;
 * the light one only knows that maps take longer away from theirs, and the share is 1.
 */
export function readShare({ runtime, storage, cluster }: Scenario, job: JobSpec): number {
  const { model, io } = runtime;
  const { inputBytesPerMap, maps } = job;
  const share = job.ioShare ?? io.ioShare;
  if (inputBytesPerMap === undefined && share !== null) return share;
  if ((inputBytesPerMap === undefined && model === "light") || maps === 0) return 1;
  const readUs = diskUs(inputBytesPerMap ?? storage.blockBytes, nominalNode(cluster));
  const workUs = meanMapUs(job) - io.taskStartUs;
  return readUs < workUs ? readUs / workUs : 1;
}

function meanMapUs({ maps, mapLengths }: JobSpec): number {
  let sumUs = 0;
  for (let task = 0; task < maps; task++) sumUs += mapLengths.lengthUs(task);
  return sumUs / maps;
}
