import { simulate, type ActorsRun } from "../../dist/lab/index.js";
import type { Scenario } from "../../dist/core/scenario/index.js";
import type { Workload } from "../../dist/core/workload/index.js";

const OUTCOMES = ["succeeded", "killed", "failed", "lost"] as const;

/** An attempt that ended, as the master learned of it. */
export interface EndedAttempt {
  readonly job: number;
  /** 0 map, 1 reduce, 2 set-up, 3 clean-up. */
  readonly type: number;
  readonly task: number;
  readonly attempt: number;
  readonly node: number;
  readonly launchUs: number;
  readonly endUs: number;
  readonly outcome: (typeof OUTCOMES)[number];
}

export interface FaultRun {
  readonly fingerprint: string;
  readonly endUs: readonly number[];
  readonly stoppedUs: number;
  readonly allEnded: boolean;
  readonly noNodesLeft: boolean;
  readonly attempts: readonly EndedAttempt[];
  readonly nodesGivenUp: number;
  readonly attemptsLost: number;
  readonly outputsLost: number;
  readonly copies: number;
  /** Every slot of a living node was free or held at the end, and none of another was free. */
  readonly slotsAddUp: boolean;
}

/** Runs a scenario to its end, by default with all actors on this thread. */
export async function runWithFaults(
  { scenario, workload }: { scenario: Scenario; workload: Workload },
  { threads = 0, slices = 1 } = {},
): Promise<FaultRun> {
  const run = await simulate(scenario, workload, { threads, slices, recordTasks: true });
  const { recorder, traffic } = run.master.master;
  const { tasks } = recorder;
  if (tasks === null) throw new Error("attempts were to be recorded");
  const of = <Name extends keyof ReturnType<typeof tasks.columns>>(name: Name) => tasks.columns()[name];
  const attempts = Array.from({ length: tasks.rows }, (_, row) => ({
    job: of("job")[row],
    type: of("type")[row],
    task: of("index")[row],
    attempt: of("attempt")[row],
    node: of("node")[row],
    launchUs: of("launchAtUs")[row],
    endUs: of("finishAtUs")[row],
    outcome: OUTCOMES[of("outcome")[row]],
  }));
  return {
    fingerprint: recorder.fingerprint.hex(),
    endUs: [...recorder.endUs],
    stoppedUs: run.stoppedUs,
    allEnded: run.allEnded,
    noNodesLeft: run.noNodesLeft,
    attempts,
    nodesGivenUp: recorder.nodesGivenUp,
    attemptsLost: recorder.attemptsLost,
    outputsLost: recorder.outputsLost,
    copies: traffic === null ? 0 : traffic.copies.copies,
    slotsAddUp: slotsAddUp(run),
  };
}

function slotsAddUp({ topology, master }: ActorsRun): boolean {
  const { losses, slots } = master.master;
  const { slotStart, mapSlots, reduceSlots } = topology;
  const counted = (node: number): boolean => {
    const free = slots.free[0][node] + slots.free[1][node];
    if (losses !== null && !losses.liveness.isLiving(node)) return free === 0;
    let held = 0;
    const end = slotStart[node] + mapSlots[node] + reduceSlots[node];
    for (let slot = slotStart[node]; slot < end; slot++) if (slots.isHeldOn(node, slot)) held++;
    return free + held === mapSlots[node] + reduceSlots[node];
  };
  return Array.from({ length: topology.nodes }, (_, node) => node).every(counted);
}
