import { DURATION_PATTERN } from "../../dist/io/index.js";

/**
 * Generators of values that scenario files may have. Each has `draw(stream)` and `paths(prefix)`, the keys that it
 * knows.
 */

/** One of these values. */
export const of = (...values) => ({ draw: (stream) => values[stream.below(values.length)], paths: () => [] });

/** A whole number. */
export const whole = (min, max) => ({ draw: (stream) => min + stream.below(max - min + 1), paths: () => [] });

/** One of these generators. */
export const any = (...forms) => ({
  draw: (stream) => forms[stream.below(forms.length)].draw(stream),
  paths: (prefix) => forms.flatMap((form) => form.paths(prefix)),
});

export const list = (item, least, most) => ({
  draw: (stream) => Array.from({ length: least + stream.below(most - least + 1) }, () => item.draw(stream)),
  paths: (prefix) => item.paths(`${prefix}[]`),
});

/** A mapping from some of these names. */
export const named = (names, value) => ({
  draw: (stream) =>
    Object.fromEntries(names.filter(() => stream.next() < 0.6).map((name) => [name, value.draw(stream)])),
  paths: (prefix) => value.paths(`${prefix}.*`),
});

/** A mapping with some of these keys: a value may be [generator, probability], where 0.3 is not right. */
export const mapping = (shape) => {
  const entries = Object.entries(shape).map(([key, value]) => [key, ...(Array.isArray(value) ? value : [value, 0.3])]);
  return {
    draw: (stream) =>
      Object.fromEntries(
        entries
          .filter(([, , probability]) => stream.next() < probability)
          .map(([key, value]) => [key, value.draw(stream)]),
      ),
    paths: (prefix) => entries.flatMap(([key, value]) => [`${prefix}.${key}`, ...value.paths(`${prefix}.${key}`)]),
  };
};

const TIMES = ["0s", "1ms", "200ms", "500ms", "1s", "2s", "3s", "7s", "20s"];
const SIZES = ["10MB", "100MB", "1GB", "4GB"];
const NUMBERS = [0, 0.1, 0.3, 0.5, 0.8, 1, 1.7, 3, 10];
const NAMES = ["a", "b", "c"];

/**
 * What the JSON Schema allows, small enough for a case. `own`: by key, of mappings within, what is drawn otherwise: a
 * generator, a probability, both, or the same for the mapping there.
 */
export function from(schema, own = {}) {
  const { properties, items, required = [], minimum = 0, maximum = Infinity } = schema;
  // 0 is among the times.
  const forms = (schema.anyOf ?? schema.oneOf)?.filter((form) => form.const !== 0);
  if (forms !== undefined) return any(...forms.map((form) => from(form, own)));
  if (items !== undefined) return list(from(items, own), 1, 3);
  if (properties !== undefined) {
    const value = ([key, inner]) => {
      const [given, odds] = [own[key]].flat();
      const probability = typeof given === "number" ? given : (odds ?? (required.includes(key) ? 1 : 0.3));
      return [key, [given?.draw === undefined ? from(inner, Object(given)) : given, probability]];
    };
    return mapping(Object.fromEntries(Object.entries(properties).map(value)));
  }
  if (schema.enum !== undefined) return of(...schema.enum);
  if (schema.const !== undefined) return of(schema.const);
  if (schema.type === "boolean") return of(true, false);
  if (schema.type === "integer") return whole(minimum, Math.min(maximum, minimum + 3));
  if (schema.type === "number") return of(...NUMBERS.filter((number) => number >= minimum && number <= maximum));
  if (schema.pattern === undefined) return of(...NAMES);
  return of(...(schema.pattern === DURATION_PATTERN ? TIMES : SIZES));
}
