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
import { platformJsonSchema } from "../dist/io/index.js";

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

function cellsOf([key, schema], required) {
  const { description = "", default: usual } = schema;
  const words = IN_WORDS.exec(description)?.[1];
  const isMapping = usual !== null && typeof usual === "object";
  const ofMapping = isMapping && Object.keys(usual).length === 0 ? "none" : "see below";
  const written = isMapping ? ofMapping : `\`${String(usual)}\``;
  const usually = required.includes(key) ? "required" : usual === undefined ? (words ?? "none") : written;
  const names = schema.enum?.map((name) => `\`${name}\``).join(", ");
  const allowed = schema.title ?? names ?? formOf(schema);
  return { key: `\`${key}\``, default: usually, allowed, meaning: description.replace(IN_WORDS, "") };
}

/** Finds a row by its key. */
function namedIn(rows) {
  const byKey = new Map(
    Object.entries(rows).map(([field, row]) => [row.key ?? field.replace(/Us$/, ""), { field, ...row }]),
  );
  return (key) => {
    const { property, element, means } = byKey.get(key) ?? {};
    return { means, name: [property ?? element ?? []].flat().map((name) => `\`${name}\``)[0] ?? "" };
  };
}

/** @param words as they stand behind the name of this file. */
export function settingsTable(words) {
  const isOther = Object.hasOwn(PLATFORMS, words[0]);
  const [platform, table, path, , ...left] = isOther ? words : ["hadoop", undefined, ...words];
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
  const named = isOther
    ? namedIn(Object.assign({}, ...table.split("+").map((name) => PLATFORMS[platform][name])))
    : undefined;
  const lines = shown.map((entry) => {
    const { key, default: usual, allowed, meaning } = cellsOf(entry, required);
    if (named === undefined) return [key, usual, allowed, meaning];
    const { name, means = meaning } = named(entry[0]);
    return [key, usual, name, means];
  });
  const head = named === undefined ? ["key", "default", "allowed", "meaning"] : ["key", "default", "name", "meaning"];
  return [head, head.map(() => "---"), ...lines]
    .map((line) => `| ${line.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`)
    .join("\n");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(settingsTable(process.argv.slice(2)));
