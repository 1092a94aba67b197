import { readFileSync } from "node:fs";
import { z } from "zod";
import { quote, show } from "../../dist/io/index.js";
import { FUNCTION_KINDS } from "./function-kinds.mjs";
import { parseJson } from "./json-text.mjs";
import { brokenReferences } from "./references.mjs";
import { byName, listOf, name, object, oneOf, place, problemsIn, text } from "./shapes.mjs";
import { ROUND_STEPS, SPARK_KINDS, SPARK_VERSIONS, TASK_SET_STEPS } from "./spark-schema.mjs";
import { YARN_KINDS, YARN_VERSIONS } from "./yarn-schema.mjs";
import { FACEBOOK_STEPS, STEPS, TIMELINE } from "./timeline-schema.mjs";

/** Rule sets that are run here; cases of Facebook's scheduler, which is another one, are left out. */
export const RUN_VARIANTS = ["0.21", "1.2", "branch-1"];
const FACEBOOK_VARIANTS = ["facebook-deficit", "facebook-fair"];
const FACEBOOK_KINDS = ["slotsByCpu", "slotCap", "memoryGate", "poolNames"];
const KINDS = ["timeline", ...FUNCTION_KINDS.keys()];

/** What every case has. Title, topics, note and origin are for people. */
const BASE = {
  id: name,
  kind: oneOf(...KINDS, ...FACEBOOK_KINDS),
  suite: oneOf("apache", "apache-0.21", "facebook", "derived"),
  variants: listOf(oneOf(...RUN_VARIANTS, ...FACEBOOK_VARIANTS), "a list of rule sets").min(1, {
    error: "at least one rule set",
  }),
  "title?": text,
  "topics?": listOf(text, "a list of topics"),
  "note?": text,
  "origin?": byName(z.unknown()),
};

const SUITE = object({
  format: z.literal("hfs-scenarios", { error: '"hfs-scenarios"' }),
  version: z.literal(1, { error: "1" }),
  "documentation?": text,
  "sources?": byName(z.unknown()),
  scenarios: listOf(z.record(z.string(), z.unknown(), { error: "an object" }), "a list of scenarios").min(1, {
    error: "at least one scenario",
  }),
});

/** By kind: releases, what a case has beside what all have, and its steps, where it has any. */
const MODERN_KINDS = new Map([
  ...[...SPARK_KINDS].map(([kind, shape]) => {
    const steps = new Map([
      ["spark.taskSet", TASK_SET_STEPS],
      ["spark.rounds", ROUND_STEPS],
    ]).get(kind);
    return [kind, { versions: SPARK_VERSIONS, shape, steps }];
  }),
  ...[...YARN_KINDS].map(([kind, { shape, steps }]) => [kind, { versions: YARN_VERSIONS, shape, steps }]),
]);

/** What every case of Spark and YARN has. */
const MODERN_BASE = {
  id: name,
  kind: text,
  "title?": text,
  "note?": text,
  "source?": byName(z.unknown()),
  versions: listOf(name, "a list of releases").min(1, { error: "at least one release" }),
};

const MODERN_SUITE = SUITE.extend({
  format: z.literal("modern-scenarios", { error: '"modern-scenarios"' }),
});

const LOOSE_MODERN_BASE = z.looseObject(object(MODERN_BASE).shape, { error: "an object" });

const LOOSE_BASE = z.looseObject(object(BASE).shape, { error: "an object" });

/** Something is wrong with a file of cases; each problem says where, what was found and what is allowed. */
export class SuiteError extends Error {
  constructor(file, problems) {
    super(problems.map((problem) => `${file}: ${problem}`).join("\n"));
    this.name = "SuiteError";
  }
}

/** The cases of a file, all of them sound. Throws a SuiteError otherwise. */
export function readSuite(file) {
  let bytes;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    throw new SuiteError(file, [`found nothing to read (${error.code ?? error.message}), allowed is a file of cases`]);
  }
  if (!isUtf8(bytes)) throw new SuiteError(file, ["found bytes that are not UTF-8, allowed is JSON in UTF-8"]);
  return parseSuite(bytes.toString("utf8"), file);
}

/** The same of the text of a file. */
export function parseSuite(source, file) {
  const { value, problems } = parseJson(source);
  const isModern = value?.format === "modern-scenarios";
  if (problems.length === 0) problems.push(...problemsIn(isModern ? MODERN_SUITE : SUITE, value));
  if (problems.length === 0) problems.push(...problemsOfScenarios(value.scenarios, isModern));
  if (problems.length > 0) throw new SuiteError(file, problems);
  if (!isModern) return value.scenarios;
  return value.scenarios.map((scenario) => ({ ...scenario, variants: scenario.versions }));
}

function isUtf8(bytes) {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

function problemsOfScenarios(scenarios, isModern) {
  const ids = new Set();
  return scenarios.flatMap((scenario, i) => {
    const found = isModern ? problemsOfModern(scenario) : problemsOf(scenario);
    if (ids.has(scenario.id)) found.push("id: found again, allowed is one of each");
    ids.add(scenario.id);
    const at = `scenario ${i + 1} (${typeof scenario.id === "string" ? quote(scenario.id) : show(scenario.id)})`;
    return found.map((problem) => `${at}: ${problem}`);
  });
}

function problemsOfModern(scenario) {
  const problems = problemsIn(LOOSE_MODERN_BASE, scenario);
  if (problems.length > 0) return problems;
  const { kind, versions } = scenario;
  if (new Set(versions).size < versions.length) problems.push("versions: found one twice, allowed is one of each");
  const known = MODERN_KINDS.get(kind);
  if (known === undefined) {
    return [...problems, `kind: found ${show(kind)}, allowed ${[...MODERN_KINDS.keys()].join(", ")}`];
  }
  problems.push(...problemsIn(listOf(oneOf(...known.versions)), versions, ["versions"]));
  problems.push(...problemsIn(object({ ...MODERN_BASE, ...known.shape }), scenario));
  if (problems.length > 0 || known.steps === undefined) return problems;
  const { steps } = known;
  return scenario.steps.flatMap((step, i) => {
    if (steps.has(step.op)) return problemsIn(steps.get(step.op), step, ["steps", i]);
    return [`${place(["steps", i, "op"])}found ${show(step.op)}, allowed ${[...steps.keys()].join(", ")}`];
  });
}

/** A case of Facebook's scheduler alone is only looked at as far as it must be to know that it is one. */
function problemsOf(scenario) {
  const problems = problemsIn(LOOSE_BASE, scenario);
  if (problems.length > 0) return problems;
  const { kind, variants } = scenario;
  if (new Set(variants).size < variants.length) problems.push("variants: found one twice, allowed is one of each");
  if (isLeftOut(scenario)) return problems;
  if (kind === "timeline") return [...problems, ...problemsOfTimeline(scenario)];
  if (FACEBOOK_KINDS.includes(kind)) {
    return [
      ...problems,
      `variants: found ${variants.join(", ")}, allowed for the kind ${kind} ${FACEBOOK_VARIANTS.join(", ")}`,
    ];
  }
  const { shape, broken } = FUNCTION_KINDS.get(kind);
  problems.push(...problemsIn(object({ ...BASE, ...shape }), scenario));
  return problems.length > 0 ? problems : (broken?.(scenario) ?? []);
}

function problemsOfTimeline(scenario) {
  const problems = problemsIn(object({ ...BASE, ...TIMELINE }), scenario);
  if (problems.length > 0) return problems;
  const inSteps = scenario.steps.flatMap((step, i) => problemsOfStep(step, ["steps", i]));
  return inSteps.length > 0 ? inSteps : brokenReferences(scenario);
}

function problemsOfStep(step, path) {
  if (STEPS.has(step.op)) return problemsIn(STEPS.get(step.op), step, path);
  const at = place([...path, "op"]);
  const whose = FACEBOOK_STEPS.includes(step.op) ? ", which only Facebook's scheduler has" : "";
  return [`${at}found ${show(step.op)}${whose}, allowed ${[...STEPS.keys()].join(", ")}`];
}

/** None of the rule sets that the case names is run here. */
export function isLeftOut({ variants }) {
  return variants.every((variant) => FACEBOOK_VARIANTS.includes(variant));
}
