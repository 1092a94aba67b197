/**
 * Prints the table of a mapping of scenario files, for docs/formats/scenario.md, which is that of platform hadoop:
 * keys, defaults, what is allowed, what they mean.
 *
 *   node tools/settings-table.mjs cluster           (after `npm run build`)
 *   node tools/settings-table.mjs cluster.racks without speed disk
 *   node tools/settings-table.mjs workload=jobs.jobs           (of those that have a `kind`, the one named)
 */
import { fileURLToPath } from "node:url";
import { platformJsonSchema } from "../dist/io/index.js";

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

function row([key, schema], required) {
  const { description = "", default: usual } = schema;
  const words = IN_WORDS.exec(description)?.[1];
  const isMapping = usual !== null && typeof usual === "object";
  const ofMapping = isMapping && Object.keys(usual).length === 0 ? "none" : "see below";
  const written = isMapping ? ofMapping : `\`${String(usual)}\``;
  const usually = required.includes(key) ? "required" : usual === undefined ? (words ?? "none") : written;
  const names = schema.enum?.map((name) => `\`${name}\``).join(", ");
  const allowed = schema.title ?? names ?? formOf(schema);
  return [`\`${key}\``, usually, allowed, description.replace(IN_WORDS, "")];
}

/** @param words as they stand behind the name of this file. */
export function settingsTable([path, , ...left]) {
  const mapping = path.split(".").reduce(
    (within, part) => {
      const [key, kind] = part.split("=");
      return mappingOf(within.properties[key], kind);
    },
    mappingOf(platformJsonSchema("hadoop")),
  );
  const { properties, required = [] } = mapping;
  const shown = Object.entries(properties).filter(
    ([key, { const: kind }]) => kind === undefined && !left.includes(key),
  );
  const cells = [
    ["key", "default", "allowed", "meaning"],
    ["---", "---", "---", "---"],
  ];
  for (const entry of shown) cells.push(row(entry, required));
  return cells.map((line) => `| ${line.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`).join("\n");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(settingsTable(process.argv.slice(2)));
