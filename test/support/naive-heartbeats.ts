import { counterHash, fractionOf, seedWord } from "../../dist/core/kernel/index.js";
import type { Phases } from "../../dist/core/platforms/hadoop/index.js";

/** A heartbeat: when, and of which node. */
export interface Heartbeat {
  readonly atUs: number;
  readonly node: number;
}

/** Phases as the topology deals them out. */
export function phasesOf(nodes: number, heartbeatUs: number): Phases {
  return {
    nodes,
    heartbeatUs,
    phaseUs: Float64Array.from({ length: nodes }, (_, p) => Math.floor((heartbeatUs * p) / nodes)),
  };
}

/** Every regular heartbeat before `untilUs`, in order. */
export function naiveHeartbeats(phases: Phases, jitter: number, seed: string, untilUs: number): Heartbeat[] {
  const heartbeats: Heartbeat[] = [];
  for (let k = 0; k * phases.heartbeatUs < untilUs; k++) heartbeats.push(...roundOf(phases, jitter, seed, k));
  return heartbeats.filter(({ atUs }) => atUs < untilUs).sort(byTimeThenNode);
}

/** All heartbeats one after the other. */
export class NaiveHeartbeats {
  private heartbeats: Heartbeat[] = [];
  private rounds = 0;

  constructor(
    private readonly phases: Phases,
    private readonly jitter: number,
    private readonly seed: string,
  ) {}

  take(): Heartbeat {
    while (this.heartbeats.length === 0 || this.heartbeats[0].atUs >= this.rounds * this.phases.heartbeatUs) {
      this.heartbeats.push(...roundOf(this.phases, this.jitter, this.seed, this.rounds++));
      if (this.jitter > 0) this.heartbeats.sort(byTimeThenNode);
    }
    return this.heartbeats.shift()!;
  }
}

function roundOf({ nodes, heartbeatUs, phaseUs }: Phases, jitter: number, seed: string, round: number): Heartbeat[] {
  const word = seedWord(seed, "heartbeat jitter");
  return Array.from({ length: nodes }, (_, node) => {
    const late = Math.floor(fractionOf(counterHash(word, node, round)) * jitter * heartbeatUs);
    return { atUs: phaseUs[node]! + round * heartbeatUs + late, node };
  });
}

export function byTimeThenNode(a: Heartbeat, b: Heartbeat): number {
  return a.atUs - b.atUs || a.node - b.node;
}
