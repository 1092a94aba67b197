import { MAP, REDUCE } from "../../dist/core/platforms/hadoop/index.js";
import { CLUSTER_READINGS, READINGS } from "./readings.mjs";
import { byName, expectedNumber, listOf, name, object } from "./shapes.mjs";

const TYPES = new Map([
  ["map", MAP],
  ["reduce", REDUCE],
]);
/** The format asks for exact numbers; two ways to add them up may still differ in their last bits. */
const EXACT = 1e-9;

const leaves = (readings) => Object.fromEntries(Object.entries(readings).map(([key, { leaf }]) => [`${key}?`, leaf]));

function ofOne({ typed, plain }) {
  const byType = object(leaves(typed));
  const types = Object.keys(typed).length === 0 ? {} : { "map?": byType, "reduce?": byType };
  return object({ ...types, ...leaves(plain) });
}

/** `expect` of any step but a heartbeat. */
export const expectSchema = object({
  ...Object.fromEntries(Object.entries(READINGS).map(([room, readings]) => [`${room}?`, byName(ofOne(readings))])),
  "cluster?": object(leaves(CLUSTER_READINGS)),
  "greater?": listOf(
    listOf(name, "a pair of paths").length(2, { error: "a pair of paths" }),
    "a list of pairs of paths",
  ),
});

/**
 * Every single value that `expect` speaks of, as a path to it and what is wanted there. `greater` is apart: see
 * `pairsIn`.
 */
export function wantedIn(expect) {
  const wanted = [];
  const visit = (value, path) => {
    if (isLeaf(value)) wanted.push({ path, want: value });
    else for (const [key, inner] of Object.entries(value)) visit(inner, [...path, key]);
  };
  for (const [room, value] of Object.entries(expect)) if (room !== "greater") visit(value, [room]);
  return wanted;
}

const isLeaf = (value) => typeof value !== "object" || Object.hasOwn(value, "approx");

/** The paths that `expect.greater` compares, each as a list of keys or, if it leads nowhere, null. */
export function pairsIn(expect) {
  return (expect.greater ?? []).map((pair) => pair.map(splitPath));
}

/** `jobs.job1.map.fairShare` as keys. A name may hold dots itself: what comes after it is known. */
function splitPath(path) {
  const keys = path.split(".");
  const [room, ...rest] = keys;
  if (room === "cluster") return rest.length === 1 && isNumber(CLUSTER_READINGS, rest[0]) ? keys : null;
  if (!Object.hasOwn(READINGS, room)) return null;
  const key = rest.at(-1);
  const { typed, plain } = READINGS[room];
  if (rest.length > 2 && TYPES.has(rest.at(-2)) && isNumber(typed, key)) {
    return [room, rest.slice(0, -2).join("."), rest.at(-2), key];
  }
  return rest.length > 1 && isNumber(plain, key) ? [room, rest.slice(0, -1).join("."), key] : null;
}

const isNumber = (readings, key) => Object.hasOwn(readings, key) && readings[key].leaf === expectedNumber;

/** The value that a path of `wantedIn` or `pairsIn` leads to. */
export function valueAt(world, [room, ...rest]) {
  if (room === "cluster") return CLUSTER_READINGS[rest[0]].read(world);
  const [of, ...keys] = rest;
  const { typed, plain } = READINGS[room];
  return keys.length === 2 ? typed[keys[1]].read(world, of, TYPES.get(keys[0])) : plain[keys[0]].read(world, of);
}

/** Whether a value is the wanted one. */
export function isAsWanted(got, want) {
  if (want === "unlimited") return got === Infinity;
  if (typeof want === "number") return got === want || Math.abs(got - want) <= EXACT;
  if (typeof want === "object" && want !== null) return Math.abs(got - want.approx) <= want.tol;
  return got === want;
}

/** A wanted or found value as a report shows it. */
export function inWords(value) {
  if (value === Infinity || value === "unlimited") return "unlimited";
  if (typeof value === "object" && value !== null && Object.hasOwn(value, "approx")) {
    return `${value.approx} +- ${value.tol}`;
  }
  if (Array.isArray(value)) return value.length === 0 ? "nothing" : value.join(", ");
  return value === null ? "none" : String(value);
}
