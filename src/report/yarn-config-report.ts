import { capital } from "../core/record/index.js";
import { parentOf } from "../core/platforms/yarn/index.js";
import {
  type FairQueueText,
  type PlacementRule,
  type ReadCapacityFile,
  type ReadFairFile,
  type ReadSite,
  resourceWords,
} from "../io/index.js";
import { elementLines, limitWords, timeout } from "./config-report.js";
import { counted, entry, grouped, headedTable, joined, NOTHING, type Paint } from "./tables.js";

/** Explanations of YARN's own files: fair-scheduler.xml, capacity-scheduler.xml and yarn-site.xml. */

interface Named {
  /** As the user named it. */
  readonly file: string;
}

/** The meaning of a fair-scheduler.xml under YARN. */
export function yarnFairReport(
  { file, queues, users, defaults, placement, elements }: Named & ReadFairFile,
  paint: Paint,
): string {
  const [{ text: ofRoot }] = queues;
  const byName = new Map(queues.map(({ name, text }) => [name, text]));
  const inherited = (name: string, key: "minSharePreemptionTimeoutUs" | "fairSharePreemptionTimeoutUs"): string => {
    const value = byName.get(name)?.[key];
    if (value !== undefined) return timeout(value);
    return name === "" ? "never" : inBrackets(inherited(parentOf(name), key));
  };
  const {
    policy = "fair",
    maxAmShare = 0.5,
    userMaxApps = Infinity,
    queueMaxApps = Infinity,
    queueMaxResources,
  } = defaults;
  const max = queueMaxResources === undefined ? "no max" : `at most ${resourceWords(queueMaxResources, "any")}`;
  const blocks = [
    entry("Allocations", `${file}: queues of YARN's Fair Scheduler; ${counted(queues.length - 1, "queue")}`, paint),
    headedTable(
      [
        ["Queue", "weight", "min", "max", "policy"],
        ...queues.map(({ name, text }) => [
          label(name),
          String(text.weight ?? 1),
          text.minResources === undefined ? NOTHING : resourceWords(text.minResources, "0"),
          text.maxResources === undefined ? NOTHING : resourceWords(text.maxResources, "any"),
          text.policy ?? inBrackets(policy),
        ]),
      ],
      paint,
    ),
    headedTable(
      [
        ["Queue", "applications at once", "masters", "min-share timeout", "fair-share timeout", "preempted"],
        ...queues.map(({ name, isParent, text }) => [
          label(name),
          text.maxRunningApps === undefined ? inBrackets(limitWords(queueMaxApps)) : limitWords(text.maxRunningApps),
          isParent
            ? NOTHING
            : text.maxAmShare === undefined
              ? inBrackets(masters(maxAmShare))
              : masters(text.maxAmShare),
          inherited(name, "minSharePreemptionTimeoutUs"),
          inherited(name, "fairSharePreemptionTimeoutUs"),
          isProtected(name, byName) ? "no" : "yes",
        ]),
      ],
      paint,
    ),
    [
      ...entry(
        "Other queues",
        `weight 1, nothing promised, ${max}, applications at once: ${limitWords(queueMaxApps)}, masters ${masters(maxAmShare)}, ` +
          `policy ${policy}. A value in brackets is one of these, or that of the queue above`,
        paint,
      ),
      ...entry("Users", userWords(users, userMaxApps), paint),
      ...ruleLines(placement, paint),
      ...entry("Preemption", preemptionWords(ofRoot, queues), paint),
    ],
    elementLines(elements, paint),
  ];
  return joined(blocks, paint);
}

/** Columns of the table of queues, and what the property of each means here. */
const COLUMNS_OF_CAPACITY: readonly (readonly [column: string, says: string])[] = [
  [
    "capacity %",
    "capacity: the queue's own part of what the queue above it has, or an amount, which shrinks with its siblings' where the queue above has less than all of them; a queue that uses less of its part goes first",
  ],
  ["of cluster %", "the same as a part of the whole cluster: what preemption gives back to the queue"],
  [
    "maximum %",
    "maximum-capacity: the queue never holds more than this part of what the queue above it may hold, or than this amount",
  ],
  [
    "by",
    "ordering-policy: which job of the queue goes first, fifo by priority and then submission, or fair by what it holds; of inner queues which queue, by use or priority. stopped: state, it takes no jobs",
  ],
  [
    "user minimum %",
    "minimum-user-limit-percent: a user who asks may hold at least this part of the queue, however many ask",
  ],
  ["user factor", "user-limit-factor: a user may hold so many times the capacity of the queue at most"],
  [
    "masters",
    "maximum-am-resource-percent: application masters may hold this part of the queue, and jobs whose master has no room wait. In brackets: said for all queues",
  ],
  ["preempted", "disable_preemption: no where it is true, here or, in brackets, in the queue above"],
  [
    "within",
    "intra-queue-preemption.disable_preemption: the same, between the applications of a queue; no where it is not preempted at all",
  ],
];

/** Whether a queue may be preempted; in brackets: as the queue above has it. */
function preemptedWords(queues: ReadCapacityFile["queues"], name: string): { preempted: string; within: string } {
  const ofQueue = (by: "isPreemptable" | "isPreemptableWithin", queueName: string): boolean | undefined =>
    queueName === ""
      ? true
      : (queues.find((queue) => queue.name === queueName)?.spec[by] ?? ofQueue(by, parentOf(queueName)));
  const spec = queues.find((queue) => queue.name === name)?.spec;
  const shown = (by: "isPreemptable" | "isPreemptableWithin"): string => {
    const word = ofQueue(by, name) === true ? "yes" : "no";
    return spec?.[by] === undefined && parentOf(name) !== "" ? inBrackets(word) : word;
  };
  const isPreempted = ofQueue("isPreemptable", name) === true;
  return { preempted: shown("isPreemptable"), within: isPreempted ? shown("isPreemptableWithin") : "no" };
}

/** The meaning of a capacity-scheduler.xml under YARN. */
export function yarnCapacityReport(
  { file, queues, settings, mappings, mappingsOverride, elements }: Named & ReadCapacityFile,
  paint: Paint,
): string {
  const absolute = new Map<string, number>();
  for (const { name, spec } of queues) absolute.set(name, spec.capacity * (absolute.get(parentOf(name)) ?? 1));
  const blocks = [
    entry("Capacities", `${file}: queues of YARN's Capacity Scheduler; ${counted(queues.length - 1, "queue")}`, paint),
    headedTable(
      [
        ["Queue", ...COLUMNS_OF_CAPACITY.map(([column]) => column)],
        ...queues.map(({ name, isParent, isStopped, spec }) => [
          label(name),
          spec.amount === undefined ? percent(spec.capacity) : amountWords(spec.amount),
          spec.amount === undefined ? percent(absolute.get(name) ?? 1) : NOTHING,
          spec.amount === undefined
            ? percent(spec.maximumCapacity ?? 1)
            : spec.mostAmount === undefined
              ? NOTHING
              : amountWords(spec.mostAmount),
          isStopped
            ? "stopped"
            : isParent
              ? spec.ordersByPriority === true
                ? "priority"
                : "use"
              : (spec.appOrder ?? "fifo"),
          isParent ? NOTHING : String(spec.minimumUserLimitPercent ?? 100),
          isParent ? NOTHING : factor(spec.userLimitFactor ?? 1),
          isParent
            ? NOTHING
            : spec.maxAmShare === undefined
              ? inBrackets(String(settings.maxAmShare ?? 0.1))
              : String(spec.maxAmShare),
          ...Object.values(preemptedWords(queues, name)),
        ]),
      ],
      paint,
    ),
    COLUMNS_OF_CAPACITY.flatMap(([column, says]) => entry(capital(column), says, paint)),
    [
      ...mappings.flatMap(({ user, queue }, i) =>
        entry(i === 0 ? "Queue of a job" : "", `${user ?? "every user"}: ${queue}`, paint),
      ),
      ...(mappings.length === 0
        ? []
        : entry("", mappingsOverride ? "whatever queue a job names" : "where a job names no queue, or default", paint)),
    ],
    elementLines(elements, paint),
  ];
  return joined(blocks, paint);
}

function amountWords({ memory, vcores }: { readonly memory: number; readonly vcores: number }): string {
  return `${memory} MB, ${vcores} vcores`;
}

/** The meaning of a yarn-site.xml for the schedulers, line by line. */
export function yarnSiteReport({ file, lines, elements }: Named & ReadSite, paint: Paint): string {
  if (lines.length === 0) {
    const problem = `${file}: a configuration file of Hadoop that says nothing of YARN's schedulers; yarn-site.xml and capacity-scheduler.xml do`;
    return joined([entry("Settings", problem, paint)], paint);
  }
  const used = lines.filter(({ isUsed }) => isUsed);
  const usage = `${grouped(used.length)} of ${grouped(lines.length)} properties about scheduling are used here`;
  const blocks = [entry("Settings", `${file}: a yarn-site.xml; ${usage}`, paint), elementLines(elements, paint)];
  return joined(blocks, paint);
}

/** Inner queues are indented below the one they lie in. */
function label(name: string): string {
  return "  ".repeat(name.split(".").length - 1) + name.slice(name.lastIndexOf(".") + 1);
}

function inBrackets(text: string): string {
  return text.startsWith("(") ? text : `(${text})`;
}

function masters(share: number): string {
  return share < 0 ? "unlimited" : String(share);
}

function percent(part: number): string {
  return String(Number((part * 100).toFixed(3)));
}

function factor(value: number): string {
  return value < 0 ? "unlimited" : String(value);
}

function isProtected(name: string, byName: ReadonlyMap<string, Readonly<FairQueueText>>): boolean {
  return name !== "" && (byName.get(name)?.allowPreemptionFrom === false || isProtected(parentOf(name), byName));
}

function userWords(users: ReadonlyMap<string, number>, otherUsers: number): string {
  const otherWords = `${users.size === 0 ? "each" : "every other user"} runs applications at once: ${limitWords(otherUsers)}`;
  if (users.size === 0) return otherWords;
  const named = [...users].map(([name, limit]) => `${name} ${limitWords(limit)}`).join(", ");
  return `applications at once: ${named}; ${otherWords}`;
}

function ruleLines(placement: readonly PlacementRule[] | null, paint: Paint): string[] {
  if (placement === null) {
    const words = "the one that it names, or else that of its user; yarn-site.xml may say otherwise";
    return entry("Queue of a job", words, paint);
  }
  return placement.flatMap((rule, i) => entry(i === 0 ? "Queue of a job" : "", `${i + 1}. ${ruleWords(rule)}`, paint));
}

function ruleWords(rule: PlacementRule): string {
  if (rule.rule === "reject") return "the job is refused";
  return `${placeWords(rule)}, ${rule.create ? "made if it is not declared" : "if it is declared"}`;
}

function placeWords({ rule, inside, queue }: PlacementRule): string {
  switch (rule) {
    case "specified":
      return "the queue that the job names; not if that is default";
    case "user":
      return "root.USER";
    case "nestedUserQueue":
      return `USER inside ${inside === null ? "root" : placeWords(inside)}`;
    case "default":
      return queue;
    case "primaryGroup":
    case "secondaryGroupExistingQueue":
    case "reject":
      return "none: users of a scenario have no groups";
  }
}

function preemptionWords(ofRoot: Readonly<FairQueueText>, queues: ReadFairFile["queues"]): string {
  const has = (text: Readonly<FairQueueText>) =>
    (text.minSharePreemptionTimeoutUs ?? Infinity) < Infinity ||
    (text.fairSharePreemptionTimeoutUs ?? Infinity) < Infinity;
  if (!has(ofRoot) && !queues.some(({ text }) => has(text)))
    return "no queue ever takes from others: it waits until their containers end";
  return "a queue below its min share, or an application below its part of the fair share, for longer than the timeout takes containers from others. Only where preemption is on: scheduler.preemption, or yarn-site.xml";
}
