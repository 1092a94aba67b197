import { formatTime, namesOf } from "../core/kernel/index.js";
import type {
  AllocationsSpec,
  PlacementRuleName,
  PlacementRuleSpec,
  PoolSpec,
  AnyScenario,
  CapacityQueueSpec,
} from "../core/scenario/index.js";
import { joined, counted, entries, type Entry, entry, grouped, headedTable, type Paint } from "./tables.js";
import { type ConfigElement, type ReadConf, type ReadPools, wordsOf } from "../io/index.js";

/** Explanations of configuration files: an allocation file, a capacity-scheduler.xml, and a scenario in one line. */

/** The effect of each element of a file, in its order. */
export function elementLines(elements: readonly ConfigElement[], paint: Paint): string[] {
  const standings = (["honoured", "without effect", "refused"] as const).map(
    (wanted) => `${grouped(elements.filter(({ standing }) => standing === wanted).length)} ${wanted}`,
  );
  return entries(
    [
      ["Elements", elements.length === 0 ? [] : `all of the file: ${standings.join(", ")}`],
      ...elements.map(({ line, element, value, standing, why }): Entry => {
        const said = value === "" ? element : `${element} ${value}`;
        return [`Line ${line}`, `${said}: ${standing}${why === "" ? "" : `: ${why}`}`];
      }),
    ],
    paint,
  );
}

interface AllocationsReport {
  /** As the user named it. */
  readonly file: string;
  readonly allocations: AllocationsSpec;
  readonly elements: readonly ConfigElement[];
}

/**
 * An allocation file, explained as one would paste it into a ticket: plain lines of at most 100 characters, long names
 * excepted.
 */
export function allocationsReport({ file, allocations, elements }: AllocationsReport, paint: Paint): string {
  const { pools } = allocations;
  const said = pools.length === 0 ? "no pool is declared" : counted(pools.length, "pool");
  const blocks = [
    entry("Allocations", `${file}: pools of Hadoop 1; ${said}`, paint),
    ...(pools.length === 0 ? [] : [slotTable(pools, paint), ruleTable(allocations, paint)]),
    entries(
      [
        ["Other pools", otherPools(allocations)],
        ["Users", userWords(allocations)],
        ["Pool of a job", placementWords(allocations.placement)],
        ["Preemption", preemptionWords(allocations)],
      ],
      paint,
    ),
    elementLines(elements, paint),
  ];
  return joined(blocks, paint);
}

function slotTable(pools: readonly PoolSpec[], paint: Paint): string[] {
  return headedTable(
    [
      ["Pool", "weight", "min maps", "min reduces", "max maps", "max reduces"],
      ...pools.map((pool) => [
        pool.name,
        String(pool.weight),
        grouped(pool.minMaps),
        grouped(pool.minReduces),
        limitWords(pool.maxMaps),
        limitWords(pool.maxReduces),
      ]),
    ],
    paint,
  );
}

/** Values in brackets are those of all pools. */
function ruleTable({ pools, ...defaults }: AllocationsSpec, paint: Paint): string[] {
  return headedTable(
    [
      ["Pool", "jobs at once", "mode", "min-share timeout", "fair-share timeout"],
      ...pools.map((pool) => [
        pool.name,
        valueOrDefault(pool.maxJobs, defaults.poolMaxJobs, limitWords),
        valueOrDefault(pool.mode, defaults.defaultMode, String),
        valueOrDefault(pool.minShareTimeoutUs, defaults.minShareTimeoutUs, timeout),
        valueOrDefault(pool.fairShareTimeoutUs, defaults.fairShareTimeoutUs, timeout),
      ]),
    ],
    paint,
  );
}

function valueOrDefault<T>(value: T | null, ofAll: T, write: (value: T) => string): string {
  return value === null ? `(${write(ofAll)})` : write(value);
}

/** A limit in words; Infinity: there is none. */
export function limitWords(count: number): string {
  return count === Infinity ? "unlimited" : grouped(count);
}

/** A timeout in words, of microseconds; Infinity: it never ends. */
export function timeout(us: number): string {
  return us === Infinity ? "never" : formatTime(us);
}

function otherPools({
  pools,
  poolMaxJobs,
  defaultMode,
  minShareTimeoutUs,
  fairShareTimeoutUs,
}: AllocationsSpec): string {
  const jobs = poolMaxJobs === Infinity ? "any number of jobs" : `at most ${counted(poolMaxJobs, "job")}`;
  const order = defaultMode === "fair" ? "jobs share slots (fair)" : "jobs in order (fifo)";
  const timeouts = `timeouts: min share ${timeout(minShareTimeoutUs)}, fair share ${timeout(fairShareTimeoutUs)}`;
  const brackets = pools.length === 0 ? "" : ". A value in brackets in the tables is one of these";
  return `weight 1, no min share, no max, ${jobs} at once, ${order}; ${timeouts}${brackets}`;
}

function userWords({ users, userMaxJobs }: AllocationsSpec): string {
  const otherUsers = userMaxJobs === Infinity ? "any number of jobs" : `at most ${counted(userMaxJobs, "job")}`;
  if (users.length === 0) return `each runs ${otherUsers} at once`;
  const limits = users.map(({ name, maxJobs }) => `${name} ${limitWords(maxJobs)}`).join(", ");
  return `jobs at once: ${limits}; every other user ${otherUsers}`;
}

const RULE_WORDS: Readonly<Record<Exclude<PlacementRuleName, "reject">, string>> = {
  specified: "the pool that the job names, or else its user's name; not if that is default",
  user: "the pool named like the user",
  primaryGroup: "the pool named like the user's first group, default without one",
  secondaryGroupExistingPool: "the pool named like another of the user's groups",
  default: "the pool default",
};

const WHERE_OBEYED =
  "A scenario obeys these rules under scheduler.rules: branch-1. Under other rules it refuses the file.";

function placementWords(placement: readonly PlacementRuleSpec[] | null): string[] {
  if (placement === null) return ["no rules here: the scenario says which pool a job goes to"];
  const rules = placement.map(({ rule, create }, i) => {
    const isMade = create && rule !== "secondaryGroupExistingPool";
    const made = isMade ? "made if it is not declared" : "if it is declared";
    const words = rule === "reject" ? "the job is refused" : `${RULE_WORDS[rule]}, ${made}`;
    return `${i + 1}. ${words}`;
  });
  return [...rules, WHERE_OBEYED];
}

/** The meaning of the timeouts, in sentences. */
function preemptionWords({ pools, minShareTimeoutUs, fairShareTimeoutUs }: AllocationsSpec): string[] {
  const promised = pools.filter(({ minMaps, minReduces }) => minMaps + minReduces > 0);
  const isFinite = (value: number | null, ofAll: number) => (value ?? ofAll) < Infinity;
  const hasMin = promised.some((pool) => isFinite(pool.minShareTimeoutUs, minShareTimeoutUs));
  const hasFair =
    fairShareTimeoutUs < Infinity || pools.some((pool) => isFinite(pool.fairShareTimeoutUs, fairShareTimeoutUs));
  const setsMin =
    minShareTimeoutUs < Infinity || pools.some((pool) => isFinite(pool.minShareTimeoutUs, minShareTimeoutUs));
  const sentences: string[] = [];
  if (hasMin) {
    sentences.push(
      "A pool that has had less than its min share (or than it could use, if that is less) for longer than its min-share timeout " +
        "gets the missing slots back: that many tasks of pools above their fair share are killed, latest launched first, and run again.",
    );
  } else if (setsMin) {
    sentences.push("The min-share timeouts have no effect: no pool with such a timeout has a min share.");
  }
  if (hasFair) {
    sentences.push(
      "A pool that has been below its fair share (below half of it, in Hadoop's rule sets) for longer than its fair-share timeout " +
        "gets its whole fair share in the same way.",
    );
  }
  if (!hasMin && !hasFair) return [...sentences, "No pool ever takes slots back: it waits until tasks of others end."];
  return [
    ...sentences,
    "Never means that the pool waits until tasks of others end. All of this holds only where the scenario turns preemption on.",
  ];
}

interface CapacitiesReport {
  /** As the user named it. */
  readonly file: string;
  readonly queues: readonly CapacityQueueSpec[];
  readonly elements: readonly ConfigElement[];
}

/**
 * A capacity-scheduler.xml, explained as one would paste it into a ticket: plain lines of at most 100 characters, long
 * names excepted.
 */
export function capacitiesReport({ file, queues, elements }: CapacitiesReport, paint: Paint): string {
  const blocks = [
    entry("Capacities", `${file}: queues of Hadoop 1; ${counted(queues.length, "queue")}`, paint),
    queueTable(queues, paint),
    entries([["Meaning", meaning(queues)]], paint),
    elementLines(elements, paint),
  ];
  return joined(blocks, paint);
}

function queueTable(queues: readonly CapacityQueueSpec[], paint: Paint): string[] {
  const rows = [
    ["Queue", "capacity %", "maximum %", "jobs by", "user minimum %", "user factor", "set up per user"],
    ...queues.map((queue) => [
      queue.name,
      plain(queue.capacityPercent),
      queue.maximumCapacityPercent === Infinity ? "no limit" : plain(queue.maximumCapacityPercent),
      queue.supportsPriority ? "priority" : "submission",
      String(queue.minimumUserLimitPercent),
      plain(queue.userLimitFactor),
      queue.maximumInitializedJobsPerUser === Infinity ? "no limit" : grouped(queue.maximumInitializedJobsPerUser),
    ]),
  ];
  return headedTable(rows, paint);
}

function plain(value: number): string {
  return String(Number(value.toFixed(3)));
}

function meaning(queues: readonly CapacityQueueSpec[]): string[] {
  const sentences = [
    "A free slot goes to the queue that occupies least of its capacity, of those that can use it; capacity that a queue does not use is " +
      "lent to the others, up to their maximum, and comes back as their tasks end.",
  ];
  const capped = namesOf(queues.filter(({ userLimitFactor }) => userLimitFactor <= 1));
  if (capped.length > 0 && queues.length > 1) {
    const whose = capped.length === queues.length ? "any queue" : named(capped);
    sentences.push(
      `A single user of ${whose} gets no more than its capacity even where the cluster is idle: the user factor is 1 or less.`,
    );
  }
  const shared = queues.filter(({ minimumUserLimitPercent }) => minimumUserLimitPercent < 100);
  if (shared.length > 0) {
    sentences.push(
      "Where the user minimum is below 100 %, users share a queue equally while each gets at least the minimum; further users wait. " +
        "With 100 % the first user may have all of the queue.",
    );
  }
  return sentences;
}

const MOST_NAMES = 5;

function named(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMES).join(", ");
  return names.length > MOST_NAMES ? `${shown} and ${names.length - MOST_NAMES} more` : shown;
}

/** Spark's file of pools, explained. */
export function sparkPoolsReport({ file, pools, notes }: ReadPools & { readonly file: string }, paint: Paint): string {
  const rows = [
    ["Pool", "weight", "min share", "task sets by", "line"],
    ...pools.map(({ name, weight, minShare, mode, line }) => [
      ...[name, grouped(weight), grouped(minShare), mode === "FAIR" ? "running tasks" : "job"],
      String(line),
    ]),
  ];
  const meaning =
    "Where spark.scheduler.mode is FAIR, cores go first to pools that run fewer tasks than their min share, then by running tasks per " +
    "weight. In FIFO mode the file means nothing. Jobs name their pool with spark.scheduler.pool.";
  const blocks = [
    entry("Pools", `${file}: pools of Spark; ${counted(pools.length, "pool")}`, paint),
    ...(pools.length === 0 ? [] : [headedTable(rows, paint)]),
    entries([["Meaning", meaning], ...notes.map((note): Entry => ["Note", note])], paint),
  ];
  return joined(blocks, paint);
}

/** A spark-defaults.conf, explained line by line. */
export function sparkConfReport({ file, lines, notes }: ReadConf & { readonly file: string }, paint: Paint): string {
  const used = lines.filter(({ use }) => use === "used").length;
  const head = `${file}: settings of Spark; ${counted(lines.length, "setting")}, ${grouped(used)} used here`;
  const blocks: Entry[][] = [
    [["Settings", head]],
    lines.map(({ line, key, value, meaning }) => [`Line ${line}`, `${key} ${value}: ${meaning}`]),
    notes.map((note) => ["Note", note]),
  ];
  return joined(
    blocks.map((block) => entries(block, paint)),
    paint,
  );
}

/** A resolved scenario in one line. */
export function scenarioDigest(scenario: AnyScenario): string {
  const { scheduler, cluster, workload } = wordsOf(scenario);
  const { seed, untilUs } = scenario.run;
  return [
    scheduler,
    cluster,
    workload,
    `seed ${seed}${untilUs === Infinity ? "" : `, until ${formatTime(untilUs)}`}`,
  ].join("; ");
}
