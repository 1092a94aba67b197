import { readFileSync } from "node:fs";
import { wordsOf } from "../../../dist/core/platforms/hadoop/index.js";

const words = wordsOf(/** @type {any} */ ({ rowNames: [] }));

/** A small run as a scenario runner would return it, for tests of what is written and printed. Built, not simulated. */
const DATA = readFileSync(new URL("../../data/sample-run.json", import.meta.url), "utf8");

const TYPES = { Uint8Array, Int32Array, Float64Array };

/** A new copy each time, for a test to change. Typed arrays stand under the name of their type. */
function sample() {
  return JSON.parse(DATA, (_, value) => {
    const [name, values] = Object.entries(value ?? {})[0] ?? [];
    return Object.hasOwn(TYPES, name) ? TYPES[name].from(values) : value;
  });
}

/**
 * @param {Partial<import("../../../dist/core/record/index.js").Summary>} [changes]
 * @returns {import("../../../dist/core/record/index.js").Summary}
 */
export function sampleSummary(changes = {}) {
  const { summary } = sample();
  return { ...summary, words, ...changes };
}

/**
 * Four jobs: 1, 1, 40 and 1583 maps; the last has not ended.
 * @returns {any}
 */
export function sampleRecord({ tasks = true } = {}) {
  const { record } = sample();
  return { ...record, words, tasks: tasks ? sampleTasks() : null };
}

/** More rows than a chunk holds. */
function sampleTasks() {
  const rows = 5000;
  const index = (of) => Array.from({ length: rows }, (_, i) => of(i));
  return {
    rows,
    job: Int32Array.from(index((i) => i % 4)),
    type: Uint8Array.from(index((i) => (i % 10 === 9 ? 1 : 0))),
    index: Int32Array.from(index((i) => i)),
    attempt: Int32Array.from(index(() => 0)),
    node: Int32Array.from(index((i) => i % 40)),
    level: Uint8Array.from(index((i) => (i % 10 === 9 ? 255 : [0, 1, 3][i % 3]))),
    launchAtUs: Float64Array.from(index((i) => i * 1000)),
    finishAtUs: Float64Array.from(index((i) => i * 1000 + 19_000_000)),
    outcome: Uint8Array.from(index((i) => (i % 100 === 0 ? 1 : 0))),
  };
}
