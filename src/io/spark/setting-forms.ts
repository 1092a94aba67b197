import type * as z from "zod";
import { US_PER_HOUR, US_PER_MINUTE, US_PER_MS, US_PER_SECOND } from "../../core/kernel/index.js";
import {
  ALLOCATION_ROWS,
  EXCLUSION_ROWS,
  SPECULATION_ROWS,
  type SparkTypes,
} from "../../core/platforms/spark/index.js";
import { LIMITS } from "../../core/scenario/index.js";
import { type AnyForm, shapeOf } from "../scenario/setting.js";
import { choice, count, duration, durationOr, either, flag, mapping, quantity } from "../scenario/values.js";

// The types of Spark's settings: their bounds, and how a scenario and a property write them.

/** The values that a property may have. */
export interface PropertyForm {
  readonly allowed: string;
  /** Undefined: the text is not allowed; null: it is Spark's word for its default. */
  readonly read: (text: string) => string | number | boolean | null | undefined;
}

/** `(-?[0-9]+)([a-z]+)?`, as Spark reads it. */
const UNITS_US: Readonly<Record<string, number>> = {
  us: 1,
  ms: US_PER_MS,
  s: US_PER_SECOND,
  m: US_PER_MINUTE,
  min: US_PER_MINUTE,
  h: US_PER_HOUR,
  d: 24 * US_PER_HOUR,
};

/** A time as Spark writes it; undefined: it is none. @param unitUs of a number without a unit. */
export function sparkTimeUs(text: string, unitUs = US_PER_MS): number | undefined {
  const [, digits, unit] = /^(\d{1,15})([a-z]+)?$/.exec(text.trim().toLowerCase()) ?? [];
  if (digits === undefined) return undefined;
  const us = Number(digits) * (unit === undefined ? unitUs : (UNITS_US[unit] ?? NaN));
  return us <= LIMITS.waitUs ? us : undefined;
}

function time(unitUs: number, leastUs = 0): PropertyForm {
  return {
    allowed: "a time such as 3s, 500ms or 1m, without a unit in milliseconds",
    read: (text) => {
      const us = sparkTimeUs(text, unitUs) ?? NaN;
      return us >= leastUs ? us : undefined;
    },
  };
}

function numberLike(pattern: RegExp, noun: string, low: number, high: number): PropertyForm {
  return {
    allowed: `${noun} from ${low} to ${high}`,
    read: (text) => (pattern.test(text) && Number(text) >= low && Number(text) <= high ? Number(text) : undefined),
  };
}

function whole(low: number, high: number): PropertyForm {
  return numberLike(/^\+?\d{1,10}$/, "a whole number", low, high);
}

function fraction(high: number): PropertyForm {
  return numberLike(/^\+?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i, "a number", 0, high);
}

const TRUTH: PropertyForm = {
  allowed: "true or false",
  read: (text) => (["true", "false"].includes(text.toLowerCase()) ? text.toLowerCase() === "true" : undefined),
};

const MOST_COUNTED = 1_000_000;
const MODES = ["FIFO", "FAIR"] as const;

const wait = duration(0, LIMITS.waitUs);
const backlog = duration(1_000, LIMITS.waitUs);
const milliseconds = time(US_PER_MS);
const seconds = time(US_PER_SECOND);
const failures = whole(1, MOST_COUNTED);
const executors = whole(1, LIMITS.nodes);

const SINGLE = {
  flag: { scenario: flag(), property: TRUTH },
  share: { scenario: quantity(0, 1), property: fraction(1) },
  multiple: { scenario: quantity(0, 1000), property: fraction(MOST_COUNTED) },
  cores: { scenario: count(1, LIMITS.cores), property: whole(1, LIMITS.cores) },
  attempts: { scenario: count(1, LIMITS.attempts), property: failures },
  limit: { scenario: count(1, LIMITS.tasksPerPhase), property: failures },
  executors: { scenario: count(0, LIMITS.nodes), property: whole(0, LIMITS.nodes) },
  executorsOrAll: {
    scenario: count(1, LIMITS.nodes),
    // Spark's own default is written 2147483647 or infinity.
    property: {
      ...executors,
      read: (text) => (["infinity", String(2 ** 31 - 1)].includes(text) ? null : executors.read(text)),
    },
  },
  waitUs: { scenario: wait, property: milliseconds },
  runUs: { scenario: duration(0, LIMITS.taskUs), property: milliseconds },
  secondsUs: { scenario: wait, property: seconds },
  idleUs: { scenario: durationOr("never", 0, LIMITS.waitUs), property: seconds },
  // A timeout of none would ask for executors, or let them go, at each look.
  backlogUs: { scenario: backlog, property: time(US_PER_SECOND, 1) },
  roundUs: { scenario: backlog, property: time(US_PER_SECOND, US_PER_MS) },
  lookUs: { scenario: backlog, property: time(US_PER_MS, US_PER_MS) },
  latencyUs: { scenario: wait },
  mode: {
    scenario: choice(MODES),
    property: { allowed: "FIFO or FAIR", read: (text) => MODES.find((mode) => mode === text.toUpperCase()) },
  },
  path: { property: { allowed: "a path", read: (text) => text } },
} satisfies SparkForms<Exclude<keyof SparkTypes, "speculation" | "exclusion">>;

export interface SparkForm extends AnyForm {
  readonly property?: PropertyForm;
}

type SparkForms<Type extends keyof SparkTypes> = Readonly<Record<Type, SparkForm>>;

export const speculation = mapping(shapeOf(SPECULATION_ROWS, SINGLE));
export const exclusion = mapping(shapeOf(EXCLUSION_ROWS, SINGLE, {}, true));

/** On, off, or a mapping of settings that turns it on. */
export function switched<Mapping extends z.ZodObject>(settings: Mapping) {
  return either([flag(), settings], () => `true, false, or a mapping {${Object.keys(settings.shape).join(", ")}}`);
}

export const SPARK_FORMS = {
  ...SINGLE,
  speculation: { scenario: switched(speculation), property: TRUTH },
  exclusion: { scenario: switched(exclusion), property: TRUTH },
} satisfies SparkForms<keyof SparkTypes>;

export const dynamic = mapping(shapeOf(ALLOCATION_ROWS, SINGLE));
