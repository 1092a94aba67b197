import { MAX_TIME_US } from "../../core/kernel/index.js";
import type { YarnTypes } from "../../core/platforms/yarn/index.js";
import { LIMITS } from "../../core/scenario/index.js";
import {
  countLimit,
  javaDouble,
  javaInteger,
  type Read,
  refused as refusedElement,
  timeout,
  weight,
  wordOf,
} from "../allocations/elements.js";
import { percent, type ReadProperty, refused, truth } from "../capacity/properties.js";
import type { Form } from "../scenario/setting.js";
import { optional } from "../scenario/setting.js";
import {
  choice,
  count,
  countOr,
  duration,
  flag,
  mapping,
  megabytes,
  quantity,
  quantityOr,
} from "../scenario/values.js";
import { resourceText } from "./resource-text.js";

// The types of YARN's settings: their bounds, and how they are written in a scenario, as the value of a property, and
// in an element of fair-scheduler.xml.

const JAVA_MAX = 9_223_372_036_854_775_807n;
const JAVA_MAX_INT = 2 ** 31 - 1;

/** Reads a whole number of at least `min`. Values above `max`, longer than any run lasts, count as `max`. */
function whole(min: number, max: number): ReadProperty<number> {
  return (property, findings) => {
    const value = javaInteger(property.value, JAVA_MAX);
    if (value !== undefined && value >= BigInt(min)) return Math.min(Number(value), max);
    return refused(property, findings, `a whole number from ${min} to ${String(JAVA_MAX)}`);
  };
}

/** Milliseconds, as microseconds. */
function milliseconds(min: number, max = LIMITS.waitUs / 1000): ReadProperty<number> {
  const read = whole(min, max);
  return (property, findings) => {
    const ms = read(property, findings);
    return ms === undefined ? undefined : ms * 1000;
  };
}

/** The same, or any below 0, which is `none`. */
function orNegative<T>(read: ReadProperty<number>, none: T): ReadProperty<number | T> {
  return (property, findings) => (/^-\d{1,19}$/.test(property.value) ? none : read(property, findings));
}

function within(max: number): ReadProperty<number> {
  return (property, findings) => {
    const value = javaDouble(property.value);
    if (value !== undefined && value >= 0 && value <= max) return value;
    return refused(property, findings, `a number from 0 to ${max}`);
  };
}

const NEGATIVE = /^-(\d+\.?\d*|\.\d+)f?$/;

/** Values above 1 count as 1, values below 0 as -1. */
const shareOrNegative: ReadProperty<number> = (property, findings) => {
  if (NEGATIVE.test(property.value)) return -1;
  const value = javaDouble(property.value);
  return value === undefined ? refused(property, findings, "a number from 0 to 1, or -1") : Math.min(1, value);
};

const MOST_WEIGHT = 1e6;

const factorOrNegative: ReadProperty<number> = (property, findings) => {
  if (NEGATIVE.test(property.value)) return -1;
  const value = javaDouble(property.value);
  if (value !== undefined && value <= MOST_WEIGHT) return value;
  return refused(property, findings, `a number from 0 to ${MOST_WEIGHT}, or -1 for no limit`);
};

/** One of some words, in letters of either case. */
function oneOf<T>(words: Readonly<Record<string, T>>): ReadProperty<T> {
  return (property, findings) => {
    const word = property.value.toLowerCase();
    return Object.hasOwn(words, word) ? words[word] : refused(property, findings, Object.keys(words).join(" or "));
  };
}

/** A class by the last part of its name. */
function className<T>(names: Readonly<Record<string, T>>): ReadProperty<T> {
  return (property, findings) => {
    const last = property.value.slice(property.value.lastIndexOf(".") + 1);
    if (Object.hasOwn(names, last)) return names[last];
    return refused(property, findings, `a class named ${Object.keys(names).join(", ")}`);
  };
}

const priority: ReadProperty<number> = (property, findings) => {
  const value = javaInteger(property.value, BigInt(JAVA_MAX_INT));
  return value === undefined ? refused(property, findings, `a whole number from 0 to ${JAVA_MAX_INT}`) : Number(value);
};

const QUEUE_ORDERS = ["fifo", "fair", "utilization", "priority-utilization"] as const;

/** The order of the applications of a leaf, or of the queues of a parent. */
export type QueueOrder = (typeof QUEUE_ORDERS)[number];

const queueOrder: ReadProperty<QueueOrder> = (property, findings) =>
  QUEUE_ORDERS.find((name) => name === property.value) ??
  refused(property, findings, "fifo or fair for applications, utilization or priority-utilization for queues");

/** Reads a share; values above 1 are 1, as in YARN. @param none -1 is allowed: not checked. */
function shareElement(none: boolean): Read<number> {
  const allowed = `a number from 0 to 1${none ? ", or -1 for no limit" : ""}`;
  return (element, findings) => {
    const text = wordOf(element, findings);
    const value = javaDouble(text);
    if (none && value === -1) return -1;
    if (value === undefined || value < 0 || (none && text?.startsWith("-") === true)) {
      return refusedElement(element, findings, allowed);
    }
    if (value > 1) findings.note(element, `<${element.name}> above 1 is taken as 1, as in YARN`);
    return Math.min(1, value);
  };
}

const elementTruth: Read<boolean> = (element, findings) => {
  const word = wordOf(element, findings)?.toLowerCase();
  return word === "true" || word === "false" ? word === "true" : refusedElement(element, findings, "true or false");
};

const POLICIES = ["fair", "drf", "fifo"] as const;
const POLICY_CLASSES = ["fairsharepolicy", "dominantresourcefairnesspolicy", "fifopolicy"].map(
  (name) => `org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.policies.${name}`,
);

const policyElement: Read<YarnTypes["policy"]> = (element, findings) => {
  const word = wordOf(element, findings)?.toLowerCase();
  return (
    POLICIES.find((name, i) => word === name || word === POLICY_CLASSES[i]) ??
    refusedElement(element, findings, "fair, drf or fifo; other policies are classes that Bide does not have")
  );
};

const rootPolicyElement: Read<YarnTypes["policy"]> = (element, findings) => {
  const policy = policyElement(element, findings);
  return policy === "fifo"
    ? refusedElement(element, findings, "fair or drf, as in YARN; fifo is for queues of their own")
    : policy;
};

const resources = mapping({
  memory: optional(megabytes(0, LIMITS.memoryMb * LIMITS.nodes), "In MB.", "nothing is said of it"),
  vcores: optional(count(0, LIMITS.vcores * LIMITS.nodes), "Vcores.", "nothing is said of it"),
});

const minusFor = (value: number | null) => (value === null || value === Infinity ? -1 : value);

export const YARN_FORMS = {
  flag: { scenario: flag(), property: truth, element: elementTruth },
  enabled: {
    scenario: flag(),
    property: (property, findings) => {
      const isDisabled = truth(property, findings);
      return isDisabled === undefined ? undefined : !isDisabled;
    },
  },
  share: { scenario: quantity(0, 1), property: within(1), element: shareElement(false) },
  shareOrOff: {
    scenario: quantityOr("off", 0, 1).transform(minusFor),
    none: "off",
    property: shareOrNegative,
    element: shareElement(true),
  },
  ratio: { property: within(1000) },
  weight: { scenario: quantity(0, MOST_WEIGHT), property: within(MOST_WEIGHT), element: weight },
  percent: { scenario: quantity(0, 100), property: percent },
  factorOrOff: { scenario: quantityOr("off", 0, MOST_WEIGHT).transform(minusFor), property: factorOrNegative },
  count: { scenario: count(1, 1e6), property: whole(1, 1e6) },
  countOrAll: {
    scenario: countOr("all", 1, 1e6).transform(minusFor),
    none: "all",
    property: orNegative(whole(1, 1e6), -1),
  },
  skips: { scenario: count(0, LIMITS.skips), property: orNegative(whole(0, LIMITS.skips), -1) },
  skipsOrOff: {
    scenario: countOr("off", 0, LIMITS.skips).transform(minusFor),
    none: "off",
    property: orNegative(whole(0, LIMITS.skips), -1),
  },
  apps: { scenario: countOr("all", 0, LIMITS.jobs), element: countLimit },
  priority: { property: priority },
  priorityLimit: { property: whole(0, JAVA_MAX_INT) },
  memory: { property: whole(1, LIMITS.memoryMb) },
  vcores: { property: whole(1, LIMITS.vcores) },
  // Below 0 the machine decides.
  nodeMemory: { property: orNegative(whole(1, LIMITS.memoryMb), undefined) },
  nodeVcores: { property: orNegative(whole(1, LIMITS.vcores), undefined) },
  timeUs: { property: milliseconds(0) },
  intervalUs: { property: milliseconds(1) },
  delayUs: { scenario: duration(0, LIMITS.waitUs), none: "nobody waits", property: orNegative(milliseconds(0), -1) },
  heartbeatUs: { property: milliseconds(LIMITS.minHeartbeatUs / 1000, LIMITS.maxHeartbeatUs / 1000) },
  timeoutUs: { scenario: duration(0, MAX_TIME_US), element: timeout },
  calculator: {
    scenario: choice(["default", "dominant"]).transform((name) => name === "dominant"),
    property: className({ DefaultResourceCalculator: false, DominantResourceCalculator: true }),
  },
  scheduler: {
    property: className({ FairScheduler: "yarn-fair", CapacityScheduler: "yarn-capacity" }),
  },
  amounts: {},
  resources: { scenario: resources, element: resourceText },
  policy: { scenario: choice(POLICIES), element: policyElement },
  rootPolicy: { scenario: choice(POLICIES), element: rootPolicyElement },
  appOrder: { scenario: choice(["fifo", "fair"]), property: queueOrder },
  preemptionOrder: { property: oneOf({ userlimit_first: "userLimit", priority_first: "priority" }) },
} satisfies { readonly [Type in keyof YarnTypes]: Form };
