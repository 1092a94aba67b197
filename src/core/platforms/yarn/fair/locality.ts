import { NODE_LOCAL, OFF_SWITCH, RACK_LOCAL, type YarnLevel } from "../asks.js";

/**
 * The locality level that one request may be served at, and the counts and times it depends on (`FSAppAttempt`). A
 * launch changes none of them.
 */
interface LocalityState {
  opportunities: number;
  level: YarnLevel | null;
  levelSinceUs: number;
}

/**
 * Returns the allowed level by counts: it rises when more than a fraction of the nodes have been offered at the level.
 * The current offer is counted already.
 * @param nodeThreshold `yarn.scheduler.fair.locality.threshold.node`, a fraction; negative: nobody waits.
 */
export function levelByCount(
  state: LocalityState,
  nodes: number,
  nodeThreshold: number,
  rackThreshold: number,
): YarnLevel {
  if (nodeThreshold < 0 || rackThreshold < 0) return OFF_SWITCH;
  // The first question only sets the level.
  if (state.level === null) return (state.level = NODE_LOCAL);
  if (state.level === OFF_SWITCH) return OFF_SWITCH;
  const threshold = state.level === NODE_LOCAL ? nodeThreshold : rackThreshold;
  if (state.opportunities > nodes * Math.min(threshold, 1)) setLevel(state, farther(state.level));
  return state.level;
}

/**
 * Returns the allowed level by time, under continuous scheduling.
 * @param nodeDelayUs `yarn.scheduler.fair.locality-delay-node-ms`; negative: nobody waits.
 */
export function levelByTime(state: LocalityState, nodeDelayUs: number, rackDelayUs: number, nowUs: number): YarnLevel {
  if (nodeDelayUs < 0 || rackDelayUs < 0) return OFF_SWITCH;
  if (state.level === null) {
    state.levelSinceUs = nowUs;
    return (state.level = NODE_LOCAL);
  }
  if (state.level === OFF_SWITCH) return OFF_SWITCH;
  const delayUs = state.level === NODE_LOCAL ? nodeDelayUs : rackDelayUs;
  if (nowUs - state.levelSinceUs > delayUs) setLevel(state, farther(state.level), nowUs);
  return state.level;
}

/** Sets the level and restarts the count; restarts the time too if `nowUs` is given. */
export function setLevel(state: LocalityState, level: YarnLevel, nowUs = state.levelSinceUs): void {
  state.level = level;
  state.opportunities = 0;
  state.levelSinceUs = nowUs;
}

/** A container was found at a level. */
export function launchedAt(state: LocalityState, level: YarnLevel): void {
  if (state.level !== null && level < state.level) state.level = level;
}

function farther(level: YarnLevel): YarnLevel {
  return level === NODE_LOCAL ? RACK_LOCAL : OFF_SWITCH;
}
