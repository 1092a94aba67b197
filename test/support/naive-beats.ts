import { counterHash, fractionOf, seedWord } from "../../dist/core/kernel/hash.js";
import type { Phases } from "../../dist/core/cluster/heartbeats.js";

/** A heartbeat: when, and of which node. */
export interface Beat {
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
export function naiveBeats(phases: Phases, jitter: number, seed: string, untilUs: number): Beat[] {
  const beats: Beat[] = [];
  for (let k = 0; k * phases.heartbeatUs < untilUs; k++) beats.push(...roundOf(phases, jitter, seed, k));
  return beats.filter(({ atUs }) => atUs < untilUs).sort(byTimeThenNode);
}

/** All heartbeats one after the other. */
export class NaiveHeartbeats {
  private beats: Beat[] = [];
  private rounds = 0;

  constructor(
    private readonly phases: Phases,
    private readonly jitter: number,
    private readonly seed: string,
  ) {}

  take(): Beat {
    while (this.beats.length === 0 || this.beats[0].atUs >= this.rounds * this.phases.heartbeatUs) {
      this.beats.push(...roundOf(this.phases, this.jitter, this.seed, this.rounds++));
      if (this.jitter > 0) this.beats.sort(byTimeThenNode);
    }
    return this.beats.shift()!;
  }
}

function roundOf({ nodes, heartbeatUs, phaseUs }: Phases, jitter: number, seed: string, round: number): Beat[] {
  const word = seedWord(seed, "heartbeat jitter");
  return Array.from({ length: nodes }, (_, node) => {
    const late = Math.floor(fractionOf(counterHash(word, node, round)) * jitter * heartbeatUs);
    return { atUs: phaseUs[node]! + round * heartbeatUs + late, node };
  });
}

export function byTimeThenNode(a: Beat, b: Beat): number {
  return a.atUs - b.atUs || a.node - b.node;
}
