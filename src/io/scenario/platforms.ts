import { assert, namesOf } from "../../core/kernel/index.js";
import { HADOOP } from "./hadoop/hadoop.js";
import { SPARK } from "./spark/spark.js";
import { YARN } from "./yarn/yarn.js";
import type { RecordWords } from "../../core/record/index.js";
import { platformMeasures } from "../../experiments/index.js";
import type { AnyScenario } from "../../core/scenario/index.js";
import type { Platform, ScenarioWords } from "./platform.js";
import { jsonSchemaOf } from "./setting.js";
import type { Plain } from "./yaml-document.js";

/** Every platform there is. The first is that of a scenario that names none. */
export const PLATFORMS: readonly Platform[] = [HADOOP, SPARK, YARN];

/** The platform of that name; undefined: there is none. */
export function platformNamed(name: string): Platform | undefined {
  return PLATFORMS.find((platform) => platform.name === name);
}

// A measure that is looked up by its name alone must be known for all of them.
for (const { recordWords } of PLATFORMS) platformMeasures(recordWords);

/** The words of a scenario's runs. */
export function recordWordsOf({ platform }: AnyScenario): RecordWords {
  return (platformNamed(platform) ?? PLATFORMS[0]).recordWords;
}

/** The descriptions of a scenario in reports. */
export function wordsOf(scenario: AnyScenario): Readonly<Record<keyof ScenarioWords, string>> {
  const { scheduler, waits, cluster, workload } = (platformNamed(scenario.platform) ?? PLATFORMS[0]).words;
  return {
    scheduler: scheduler(scenario),
    waits: waits(scenario),
    cluster: cluster(scenario),
    workload: workload(scenario),
  };
}

/**
 * The platform that the tree of a scenario file names, or the first where it names none that there is: its schema says
 * so.
 */
export function platformOfTree(tree: Plain): Platform {
  const named = typeof tree === "object" && tree !== null && !Array.isArray(tree) ? tree.platform : undefined;
  return (typeof named === "string" ? platformNamed(named) : undefined) ?? PLATFORMS[0];
}

/**
 * JSON Schema (draft 7) of the scenario files of a platform. It is a little wider than the reader, which also checks
 * what a schema cannot express: upper bounds of times and sizes, unique names, replication against nodes.
 */
export function platformJsonSchema(name: string): object {
  const platform = platformNamed(name);
  assert(platform !== undefined, "a schema is asked for a platform that there is");
  return { ...jsonSchemaOf(platform.schemaWith([])), title: `Bide scenario of ${name}` };
}

/**
 * JSON Schema (draft 7) of all scenario files, for completion and hints in editors: the key `platform` selects the
 * definition.
 */
export function scenarioJsonSchema(): object {
  const [{ name: usual }] = PLATFORMS;
  const names = namesOf(PLATFORMS);
  const otherNames = names.filter((name) => name !== usual);
  const ofPlatform = (name: string): object => ({ $ref: `#/definitions/${name}` });
  const byName = otherNames.reduceRight<object>(
    (otherwise, name) => ({
      if: { properties: { platform: { const: name } }, required: ["platform"] },
      then: ofPlatform(name),
      else: otherwise,
    }),
    ofPlatform(usual),
  );
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "Bide scenario",
    type: "object",
    properties: { platform: { description: `What is simulated. Default: ${usual}.`, enum: names } },
    ...byName,
    definitions: Object.fromEntries(names.map((name) => [name, asDefinition(name)])),
  };
}

/** With what it refers to inside of it. */
function asDefinition(name: string): unknown {
  const { $schema: _, ...schema } = platformJsonSchema(name) as { $schema?: string };
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/definitions/', `"#/definitions/${name}/definitions/`));
}
