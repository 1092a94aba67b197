import { counterHash, fractionOf, seedWord } from "../../dist/core/kernel/hash.js";
import type { Phases } from "../../dist/core/cluster/beats.js";

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

/** Every regular heartbeat before `untilUs`, in order of time, then node. */
export function naiveBeats(
  { nodes, heartbeatUs, phaseUs }: Phases,
  jitter: number,
  seed: string,
  untilUs: number,
): Beat[] {
  const word = seedWord(seed, "heartbeat jitter");
  const beats: Beat[] = [];
  for (let k = 0; k * heartbeatUs < untilUs; k++) {
    for (let node = 0; node < nodes; node++) {
      const late = Math.floor(fractionOf(counterHash(word, node, k)) * jitter * heartbeatUs);
      beats.push({ atUs: phaseUs[node]! + k * heartbeatUs + late, node });
    }
  }
  return beats.filter(({ atUs }) => atUs < untilUs).sort((a, b) => a.atUs - b.atUs || a.node - b.node);
}
