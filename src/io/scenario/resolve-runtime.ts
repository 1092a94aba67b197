import { DEFAULT_ATTEMPTS, DEFAULT_IO, PLAIN_RUNTIME } from "../../core/scenario/defaults.js";
import type {
  AttemptRulesSpec,
  CommitSpec,
  IoSpec,
  RuntimeSpec,
  SpeculationSpec,
} from "../../core/scenario/runtime-spec.js";
import { resolveCopyCompute } from "./resolve-copy-compute.js";
import type { ScenarioFile } from "./scenario-schema.js";

type RuntimeFile = ScenarioFile["runtime"];

/** A tracker polls once a second for the leave to commit (semantics section 13). */
const DEFAULT_COMMIT: CommitSpec = { pollUs: 1_000_000, commitUs: 1_000_000 };

/** As in Hadoop 1.x and in 0.21 (semantics section 10); the cap is that of the paper on LATE. */
const DEFAULT_SPECULATION: Omit<SpeculationSpec, "rule"> = {
  minAgeUs: 60_000_000,
  progressGap: 0.2,
  slowerBy: 1,
  maxShareOfSlots: 0.1,
  checkEveryUs: 5_000_000,
};

/** The runtime of a valid file. */
export function resolveRuntime(file: RuntimeFile, nodes: number): RuntimeSpec {
  const { node = 1, rack = 1.2, any = 2, row = (rack + any) / 2 } = file.localityFactor ?? {};
  return {
    model: file.model ?? PLAIN_RUNTIME.model,
    jobSetupUs: file.jobSetup,
    jobCleanupUs: file.jobCleanup,
    setupTasks: file.setupTasks ?? PLAIN_RUNTIME.setupTasks,
    localityFactor: { node, rack, row, any },
    slowStart: file.slowStart,
    commit: resolveCommit(file.commit),
    io: resolveIo(file.io ?? {}, nodes),
    attempts: resolveAttempts(file.attempts),
    speculation: resolveSpeculation(file.speculation),
    copyCompute: resolveCopyCompute(file.copyCompute),
  };
}

function resolveCommit(file: RuntimeFile["commit"]): CommitSpec | null {
  if (file === undefined || file === "off") return null;
  if (file === "on") return DEFAULT_COMMIT;
  return { pollUs: file.poll ?? DEFAULT_COMMIT.pollUs, commitUs: file.commit ?? DEFAULT_COMMIT.commitUs };
}

function resolveIo(file: NonNullable<RuntimeFile["io"]>, nodes: number): IoSpec {
  return {
    taskStartUs: file.taskStart ?? DEFAULT_IO.taskStartUs,
    ioShare: file.ioShare ?? DEFAULT_IO.ioShare,
    outputRatio: file.outputRatio ?? DEFAULT_IO.outputRatio,
    outputReplication: file.outputReplication ?? Math.min(DEFAULT_IO.outputReplication, nodes),
  };
}

/** Also for checks across values. */
export function resolveAttempts(file: RuntimeFile["attempts"]): AttemptRulesSpec {
  return {
    maxPerTask: file?.maxPerTask ?? DEFAULT_ATTEMPTS.maxPerTask,
    maxFailuresPerNode: file?.maxFailuresPerNode ?? DEFAULT_ATTEMPTS.maxFailuresPerNode,
    trackerExpiryUs: file?.trackerExpiry ?? DEFAULT_ATTEMPTS.trackerExpiryUs,
    mapMemoryBytes: file?.mapMemory ?? DEFAULT_ATTEMPTS.mapMemoryBytes,
    reduceMemoryBytes: file?.reduceMemory ?? DEFAULT_ATTEMPTS.reduceMemoryBytes,
  };
}

function resolveSpeculation(file: RuntimeFile["speculation"]): SpeculationSpec | null {
  const given = typeof file === "object" ? file : { rule: file ?? "off" };
  if (given.rule === "off") return null;
  return {
    rule: given.rule,
    minAgeUs: given.minAge ?? DEFAULT_SPECULATION.minAgeUs,
    progressGap: given.progressGap ?? DEFAULT_SPECULATION.progressGap,
    slowerBy: given.slowerBy ?? DEFAULT_SPECULATION.slowerBy,
    maxShareOfSlots: given.maxShareOfSlots ?? DEFAULT_SPECULATION.maxShareOfSlots,
    checkEveryUs: given.checkEvery ?? DEFAULT_SPECULATION.checkEveryUs,
  };
}
