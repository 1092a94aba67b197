/**
 * Prints the table of a mapping of scenario files. Of platform hadoop, for docs/formats/scenario.md: keys, defaults,
 * what is allowed, what they mean. Of Spark and YARN, for docs/schedulers: keys, defaults, the names of the real
 * system, what they mean, by a table of rows in core/platforms.
 *
 *   node tools/settings-table.mjs cluster           (after `npm run build`)
 *   node tools/settings-table.mjs cluster.racks without speed disk
 *   node tools/settings-table.mjs workload=jobs.jobs           (of those that have a `kind`, the one named)
 *   node tools/settings-table.mjs yarn FAIR_ROWS scheduler=yarn-fair without site   (CAPACITY_ROWS+SITE_ROWS: of both)
 */
import { fileURLToPath } from "node:url";
import * as spark from "../dist/core/platforms/spark/index.js";
import * as yarn from "../dist/core/platforms/yarn/index.js";
import { keyOf, platformJsonSchema } from "../dist/io/index.js";

const PLATFORMS = { spark, yarn };

/** The mapping among the forms that a value may have, of that kind if one is named. */
function mappingOf(schema, kind) {
  const isIt = kind === undefined || schema?.properties?.kind?.const === kind;
  if (schema?.properties !== undefined) return isIt ? schema : undefined;
  const forms = [
    ...(schema?.anyOf ?? []),
    ...(schema?.oneOf ?? []),
    ...(schema?.items === undefined ? [] : [schema.items]),
    ...(typeof schema?.additionalProperties === "object" ? [schema.additionalProperties] : []),
  ];
  return forms.map((form) => mappingOf(form, kind)).find((form) => form !== undefined);
}

const IN_WORDS = / Default: (.+)\.$/s;

function formOf({ type, properties = {} }) {
  if (type === "boolean") return "true or false";
  if (type === "array") return "a list";
  const keys = Object.keys(properties);
  return keys.length === 0 ? "a mapping from names" : `a mapping {${keys.join(", ")}}`;
}

/** @param names of the real system, with their meanings, by key; undefined: what is allowed stands in their place. */
function row([key, schema], required, names) {
  const { description = "", default: usual } = schema;
  const words = IN_WORDS.exec(description)?.[1];
  const isMapping = usual !== null && typeof usual === "object";
  const ofMapping = isMapping && Object.keys(usual).length === 0 ? "none" : "see below";
  const written = isMapping ? ofMapping : `\`${String(usual)}\``;
  const usually = required.includes(key) ? "required" : usual === undefined ? (words ?? "none") : written;
  const choices = schema.enum?.map((name) => `\`${name}\``).join(", ");
  const { name = "", means = description.replace(IN_WORDS, "") } = names?.get(key) ?? {};
  return [`\`${key}\``, usually, names === undefined ? (schema.title ?? choices ?? formOf(schema)) : name, means];
}

/** Names and meanings of rows, by key. */
function namesIn(rows) {
  const named = Object.entries(rows).map(([field, row]) => {
    const { property, element, means } = row;
    const [name] = [property ?? element ?? []].flat();
    return [keyOf(field, row), { name: name && `\`${name}\``, means }];
  });
  return new Map(named);
}

/** @param words as they stand behind the name of this file. */
export function settingsTable(words) {
  const rows = PLATFORMS[words[0]];
  const [platform, tables, path, , ...left] = rows === undefined ? ["hadoop", "", ...words] : words;
  const names = rows && new Map(tables.split("+").flatMap((name) => [...namesIn(rows[name])]));
  const mapping = path.split(".").reduce(
    (within, part) => {
      const [key, kind] = part.split("=");
      return mappingOf(within.properties[key], kind);
    },
    mappingOf(platformJsonSchema(platform)),
  );
  const { properties, required = [] } = mapping;
  const shown = Object.entries(properties).filter(
    ([key, { const: kind }]) => kind === undefined && !left.includes(key),
  );
  const cells = [
    ["key", "default", rows === undefined ? "allowed" : "name", "meaning"],
    ["---", "---", "---", "---"],
  ];
  for (const entry of shown) cells.push(row(entry, required, names));
  return cells.map((line) => `| ${line.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`).join("\n");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(settingsTable(process.argv.slice(2)));
