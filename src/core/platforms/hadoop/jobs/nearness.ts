import { NO_LEVEL } from "../../../record/index.js";
/**
 * Locality levels: the place where a map ran, or may run, relative to its block. The numbers stand in fingerprints and
 * frames.
 */
export const NODE_LOCAL = 0;
export const RACK_LOCAL = 1;
/** As an allowed level: anywhere. As the level of a map in a cluster with rows: the map ran in another row. */
export const OFF_RACK = 2;
/** The map has no input: every place is as good. */
export const NO_INPUT = 3;
/** In another rack of the same row; only where the cluster has rows. */
export const ROW_LOCAL = 4;
/** Number of labels. */
export const LEVELS = 5;
/** Distance by level: 0 on the node, 1 in its rack, 2 in its row, 3 anywhere. Numbers of levels differ from these. */
const DISTANCES = [0, 1, 3, 3, 2];

/** Returns the distance of a map from its block, from 0 to 3, by its label: near and far are compared by this alone. */
export function distanceOf(level: number): number {
  return DISTANCES[level];
}

/** Labels of levels that a map with input runs at, nearest first. */
export const LABELS = [NODE_LOCAL, RACK_LOCAL, ROW_LOCAL, OFF_RACK];

/** A label as the index among those; NO_LEVEL: there is no input, or nothing to tell. */
export function levelOf(label: number): number {
  const level = LABELS.indexOf(label);
  return level < 0 ? NO_LEVEL : level;
}
