import fc from "fast-check";
import type { AllocationsSpec, SchedulerSpec } from "../../dist/core/scenario/index.js";
import type { NodeShape } from "./random-history-cluster.js";
import { hfsSchedulers } from "./random-schedulers.js";

/** Gaps and timeouts are often round parts of it, so that things happen at one instant. */
export const BEAT_US = 1_000_000;

const KINDS = [
  "submit",
  "ready",
  "heartbeat",
  "finish",
  "finishNode",
  "killed",
  "reload",
  "lose",
  "copy",
  "drop",
  "fail",
  "slots",
  "refuse",
] as const;
export type StepKind = (typeof KINDS)[number];

/** One thing that happens; `draws` choose among what there is at the time. */
export interface Step {
  readonly what: StepKind;
  /** Since the step before. */
  readonly gapUs: number;
  readonly draws: readonly [number, number, number, number];
}

/** All that happens to a scheduler. */
export interface History {
  readonly nodes: readonly NodeShape[];
  readonly scheduler: SchedulerSpec;
  /** Pools that jobs name. */
  readonly jobPools: readonly string[];
  readonly steps: readonly Step[];
}

/**
 * What happens where nodes fail: outputs are lost, copies of tasks are wanted and no longer, jobs fail, slots of the
 * cluster change, and nodes refuse jobs.
 */
const WEIGHTS: Readonly<Record<StepKind, number>> = {
  submit: 8,
  ready: 8,
  heartbeat: 45,
  finish: 14,
  finishNode: 3,
  killed: 8,
  reload: 1,
  lose: 6,
  copy: 10,
  drop: 2,
  fail: 1,
  slots: 2,
  refuse: 4,
};

const gap = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 4 }).map((quarters) => (quarters * BEAT_US) / 4) },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: BEAT_US }) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 4 * BEAT_US }) },
);

const draw = fc.nat(100_000);

const kind = fc.oneof(...KINDS.map((what) => ({ weight: WEIGHTS[what], arbitrary: fc.constant(what) })));
const step = fc.record({ what: kind, gapUs: gap, draws: fc.tuple(draw, draw, draw, draw) });

const nodes: fc.Arbitrary<NodeShape[]> = fc.array(
  fc.record({
    rack: fc.nat(2),
    mapSlots: fc.integer({ min: 0, max: 4 }),
    reduceSlots: fc.integer({ min: 0, max: 2 }),
  }),
  { minLength: 1, maxLength: 6 },
);

/** Random histories of a Fair Scheduler of any rule set, with pools nested to depth 3, changed by `adapt`. */
export function histories(
  adapt: (spec: SchedulerSpec, updateIntervalUs: number) => SchedulerSpec,
): fc.Arbitrary<History> {
  return fc
    .record({
      nodes,
      steps: fc.array(step, { minLength: 20, maxLength: 150, size: "max" }),
      drawn: hfsSchedulers(BEAT_US),
      intervalUs: fc.constantFrom(BEAT_US / 4, BEAT_US / 2, BEAT_US, 300_000, 3 * BEAT_US),
      isWeightless: fc.constantFrom(false, false, false, true),
      isRound: fc.boolean(),
    })
    .map(({ drawn, isWeightless, isRound, intervalUs, ...rest }) => {
      const spec = isWeightless ? withoutWeight(drawn.spec) : drawn.spec;
      const steps = isRound ? rest.steps.map(atRoundTimes) : rest.steps;
      return { ...rest, steps, scheduler: adapt(spec, intervalUs), jobPools: drawn.jobPools };
    });
}

/** So that what happens meets updates and timeouts at one instant. */
function atRoundTimes(step: Step): Step {
  const quarterUs = BEAT_US / 4;
  return { ...step, gapUs: Math.round(step.gapUs / quarterUs) * quarterUs };
}

/** The same with other allocations, those of reloads too. */
export function withAllocations(
  spec: SchedulerSpec,
  change: (allocations: AllocationsSpec) => AllocationsSpec,
): SchedulerSpec {
  const reloads = spec.reloads.map((reload) => ({ ...reload, allocations: change(reload.allocations) }));
  return { ...spec, allocations: change(spec.allocations), reloads };
}

/** The first pool weighs nothing. */
function withoutWeight(spec: SchedulerSpec): SchedulerSpec {
  return withAllocations(spec, (allocations) => ({
    ...allocations,
    pools: allocations.pools.map((pool, i) => (i === 0 ? { ...pool, weight: 0 } : pool)),
  }));
}

/** Nobody is ever starved. */
export function withoutTimeouts(spec: SchedulerSpec): SchedulerSpec {
  const never = { minShareTimeoutUs: Infinity, fairShareTimeoutUs: Infinity };
  return withAllocations(spec, (allocations) => ({
    ...allocations,
    ...never,
    pools: allocations.pools.map((pool) => ({ ...pool, ...never })),
  }));
}
