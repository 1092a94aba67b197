import { sumOver, namesOf } from "../../../core/kernel/index.js";
import * as z from "zod";
import {
  BOOSTER_SETTINGS,
  HFS_SETTINGS,
  LIMITS,
  type LoadManagerSpec,
  type PreemptionSpec,
  SCHEDULER_KINDS,
  type SchedulerKind,
  type SchedulerSpec,
  SLOT_SETTINGS,
} from "../../../core/scenario/index.js";
import {
  isThenable,
  shownValue,
  thrownWords,
  type OptionProblem,
  type PluginOptions,
  type SchedulerPlugin,
  hasTimeout,
  isHadoopFifo,
  type Rules,
  RULES,
} from "../../../core/platforms/hadoop/index.js";
import type { YarnScenario } from "../../../core/platforms/yarn/index.js";
import {
  allocationPlaces,
  allocationsAt,
  allocationSettings,
  allocationsProblems,
  reloadProblems,
  resolveReloads,
  takenBackNotes,
} from "./allocations.js";
import { capacityProblems } from "./capacity.js";
import type { ClusterTotals, RackPlan } from "./cluster.js";
import { badNames, type Problem, problemIf, valueProblem } from "../diagnose.js";
import { dsfsProblems, dsfsWait } from "./dsfs.js";
import { WITH_FILES } from "./effects.js";
import type { Imports } from "./imports.js";
import { longTaskProblems, longTasksSchema, resolveLongTasks } from "./long-tasks.js";
import { offersProblems } from "./offers.js";
import { OWN_SECTIONS, ownSettings } from "./own-sections.js";
import { partitionProblems } from "./partition.js";
import { optional, recordOf, setting, shapeOf, withEffect } from "../setting.js";
import { allowedNames, printable } from "../show.js";
import { formatDuration } from "../units.js";
import { choice, duration, either, flag, label, listOf, mapping, quantity, settings, spelled } from "../values.js";
import { timelineOf } from "./declared-pools.js";
import { oneDelayProblems, resolveWait, waitProblems, waitSchema } from "./wait.js";
import { frozen } from "../yaml-document.js";

// `scheduler`: which task a free slot gets. This file holds the kind and what every kind has; the sections of single
// kinds, waits, long tasks and allocations have files of their own.

const KIND_NAMES = SCHEDULER_KINDS.map((kind) => kind.name);
const KIND_WORDS = SCHEDULER_KINDS.map(({ name, summary }) => `${name}: ${summary}.`).join(" ");

/** The name of a built-in kind, or of one of these plugins. */
function kindName(plugins: readonly string[]) {
  return choice([...KIND_NAMES, ...plugins], otherKinds).describe(KIND_WORDS);
}

const KINDS_OF_YARN: readonly unknown[] = ["yarn-fair", "yarn-capacity"] satisfies YarnScenario["scheduler"]["kind"][];

/** Only the command line registers code. */
function otherKinds(input: unknown): string {
  return ` (--plugin FILE adds your own)${KINDS_OF_YARN.includes(input) ? "; this one needs platform: yarn" : ""}`;
}

const rules = spelled(
  ["paper", "0.21", "1.2", "branch-1"],
  [
    [0.21, "0.21"],
    [1.2, "1.2"],
  ],
);

const preemptionMode = spelled<PreemptionSpec["mode"]>(
  ["off", "log", "kill"],
  [
    ["on", "kill"],
    [true, "kill"],
    [false, "off"],
  ],
);

/** Semantics section 2.2. */
const preemptionSettings = mapping({
  mode: preemptionMode.describe("log: count what would be killed, kill nothing."),
  interval: setting(duration(0, LIMITS.waitUs), "Least time between two checks.", "15s", "intervalUs"),
});

const preemption = either([preemptionMode, preemptionSettings], () => "off, log, kill, or a mapping {mode, interval}");

const loadCapSettings = mapping({
  maxDiff: setting(quantity(0, 1), "How far above the load of the cluster a node may go.", 0),
});

const loadCap = either([choice(["off"]), loadCapSettings], () => "off, or a mapping {maxDiff: 0}");

const boosterSettings = mapping(shapeOf(BOOSTER_SETTINGS, {}));

const weightBooster = either([choice(["off"]), boosterSettings], () => "off, or a mapping {factor: 3, duration: 5m}");

const { reloads, ...startSettings } = allocationSettings;

const { tasksPerHeartbeat, poolBy } = shapeOf(SLOT_SETTINGS, {});
const { mapsPerHeartbeat, reducesPerHeartbeat, sizeBasedWeight, ...otherSwitches } = shapeOf(HFS_SETTINGS, {});

/** Settings that the record has under the same keys. */
const switches = mapping({
  tasksPerHeartbeat,
  mapsPerHeartbeat,
  reducesPerHeartbeat,
  preference: withEffect(
    optional(
      choice(["input", "cache"]),
      "What makes a node near, for jobs that need a file there: that file (cache), or their input.",
      "input",
    ),
    { ...WITH_FILES, holds: (facts, value) => value === "input" || facts.needsFiles },
  ),
  sizeBasedWeight,
  poolBy,
  ...otherSwitches,
});

const composition = mapping({
  kind: kindName([]).prefault("hfs"),
  options: optional(
    settings("options that the plugin knows"),
    "What a scheduler of --plugin is told; the plugin says what it understands.",
  ),
  rules: setting(rules, "Whose rules hfs and fifo follow: the paper's, or those of a Hadoop release.", "paper"),
  wait: optional(
    waitSchema,
    "How long a job waits for data locality.",
    "that of the kind; auto under a Hadoop release's rules",
  ),
  updateInterval: optional(
    duration(0, LIMITS.waitUs),
    "Demands and shares are refreshed this often; 0: always fresh.",
    "that of the kind",
  ),
  longTasks: optional(longTasksSchema, "Long maps keep away from nodes that run more of them than the average.", "off"),
  countsThisHeartbeat: optional(
    flag(),
    "What a heartbeat has handed out counts for the load cap and for the choice between map and reduce.",
    "by rules",
  ),
  loadCap: optional(
    loadCap,
    "Keeps nodes from taking more than their part of the load.",
    "off; maxDiff 0 under Hadoop's rules",
  ),
  preemption: setting(
    preemption,
    "Tasks are killed for pools that have been starved too long; needs an updateInterval above 0.",
    "off",
  ),
  weightBooster: setting(weightBooster, "New jobs weigh more for a while.", "off"),
  strict: setting(
    flag(),
    "Declared pools without jobs, and jobs of pools that are not declared, are errors and not notes.",
    false,
  ),
  groups: setting(
    z.record(z.string(), listOf(label(), "group names"), {
      error: () => "a mapping from users to lists of group names",
    }),
    "Groups of users, the first one primary; for placement rules.",
    {},
  ),
  ...switches.shape,
  ...startSettings,
  reloads,
  ...OWN_SECTIONS,
});

/** `scheduler`: the name of a kind, built-in or of one of these plugins, or a mapping. */
export function schedulerSchemaWith(plugins: readonly string[]) {
  const kind = kindName(plugins);
  const names = [...KIND_NAMES, ...plugins];
  return either([kind, composition.extend({ kind: kind.prefault("hfs") })], (input) =>
    typeof input === "string"
      ? allowedNames(names, input) + otherKinds(input)
      : `one of ${names.join(", ")}, or a mapping {kind, rules, wait, pools, ...}`,
  )
    .transform((section): SchedulerFile => (typeof section === "string" ? { kind: section } : section))
    .prefault("hfs")
    .describe("Which task a free slot gets: a kind, or a mapping with kind, wait and pools.");
}

export const schedulerSchema = schedulerSchemaWith([]);

/** The section as a file says it; the name of a kind alone is a mapping with nothing else. */
export type SchedulerFile = z.output<typeof composition>;

/** Fills in what the kind and the rules decide. `plans` are the racks of the cluster. */
export function resolveScheduler(settings: SchedulerFile, imports: Imports, plans: readonly RackPlan[]): SchedulerSpec {
  const kind = kindOf(settings);
  const rules = rulesOf(settings);
  const kindSettings = ownSettings(kind.name, settings, { outer: settings, imports, plans });
  const [start, ...reloads] = resolveReloads(settings, imports, rules);
  const { groups, strict, weightBooster } = recordOf(composition, settings);
  return {
    kind: kind.name,
    ...(isBuiltIn(kind.name) ? {} : { options: settings.options ?? {} }),
    wait: kindSettings.dsfs === undefined ? resolveWait(settings.wait, kind, rules) : dsfsWait(kindSettings.dsfs),
    updateIntervalUs: updateIntervalOf(settings),
    longTasks: resolveLongTasks(settings.longTasks),
    rules: rules.name,
    ...recordOf(switches, settings),
    countsThisHeartbeat: settings.countsThisHeartbeat ?? rules.countsThisHeartbeat,
    loadManager: resolveLoadCap(settings.loadCap, rules),
    preemption: preemptionOf(settings),
    weightBooster: weightBooster === "off" ? null : weightBooster,
    ...(strict ? { strict } : {}),
    groups: Object.entries(groups).map(([user, userGroups]) => ({ user, groups: userGroups })),
    allocations: start.allocations,
    reloads,
    ...kindSettings,
  };
}

/** The kind that valid settings name: one of the registry, or a plugin, of which this is all there is to know here. */
export function kindOf({ kind: name }: Pick<SchedulerFile, "kind">): SchedulerKind {
  const known = SCHEDULER_KINDS.find((kind) => kind.name === name);
  if (known !== undefined) return known;
  return { name, summary: "", defaultWait: { kind: "none" }, defaultUpdateIntervalUs: 0, hasPools: false };
}

function isBuiltIn(kindName: string): boolean {
  return SCHEDULER_KINDS.some(({ name }) => name === kindName);
}

/** The rules that a scheduler follows; the paper's where it says nothing, or is not sound. */
export function rulesOf(settings: SchedulerFile | undefined): Rules {
  return RULES[recordOf(composition, settings).rules];
}

function updateIntervalOf(settings: SchedulerFile): number {
  return settings.updateInterval ?? kindOf(settings).defaultUpdateIntervalUs;
}

function resolveLoadCap(file: SchedulerFile["loadCap"], rules: Rules): LoadManagerSpec | null {
  if (file === undefined) return rules.name === "paper" ? null : { maxDiff: 0 };
  return file === "off" ? null : { maxDiff: Math.fround(recordOf(loadCapSettings, file).maxDiff) };
}

function preemptionOf(settings: SchedulerFile): PreemptionSpec {
  const { preemption } = recordOf(composition, settings);
  return typeof preemption === "object" ? preemption : recordOf(preemptionSettings, { mode: preemption });
}

/** Problems of the scheduler, beyond single values. */
export function schedulerProblems(settings: SchedulerFile, imports: Imports): Problem[] {
  const kind = kindOf(settings);
  const rules = rulesOf(settings);
  return [
    ...longTaskProblems(settings.longTasks),
    ...waitProblems(settings.wait, ["scheduler", "wait"]),
    ...(settings.partition === undefined ? [] : partitionProblems(settings.partition)),
    ...(settings.offers === undefined ? [] : offersProblems(settings.offers)),
    ...(kind.name === "dsfs" ? dsfsProblems(settings.dsfs, settings.wait) : []),
    ...groupProblems(settings),
    ...allocationsProblems(settings, kind, rules, imports),
    ...reloadProblems(settings, imports),
    ...capacityProblems(settings.capacity),
    // Other kinds follow no rules.
    ...(kind.hasPools ? [...ruleProblems(settings, rules), ...timeoutProblems(settings, imports)] : []),
  ];
}

/** Describes how nodes are reserved for owners; null: every job may use all nodes. */
export function privateNodes({ kind, offers }: SchedulerFile): string | null {
  if (kind === "partition") return "nodes are private";
  const lists = Object.values(offers?.frameworks ?? {}).some(({ nodes }) => nodes !== undefined);
  return kind === "offers" && lists ? "frameworks list their nodes" : null;
}

function groupProblems({ groups = {} }: SchedulerFile): Problem[] {
  return badNames(Object.keys(groups), "user", ["scheduler", "groups"]);
}

/** Problems of settings that the rules of hfs do not have. */
function ruleProblems(settings: SchedulerFile, rules: Rules): Problem[] {
  const refusing = Object.values(RULES).filter(({ mayRefusePools }) => mayRefusePools);
  const { mode } = preemptionOf(settings);
  return [
    ...oneDelayProblems(settings.wait, rules),
    ...problemIf(
      settings.undeclaredPools === false && !rules.mayRefusePools,
      ["scheduler", "undeclaredPools"],
      `false for scheduler.undeclaredPools under rules ${rules.name}`,
      `true; pools are refused only under rules ${namesOf(refusing).join(" and ")}`,
    ),
    ...problemIf(
      mode !== "off" && updateIntervalOf(settings) === 0,
      ["scheduler", "updateInterval"],
      `0 for scheduler.updateInterval with preemption ${mode}`,
      "more than 0; preemption is checked after updates",
    ),
  ];
}

/** Pools are found to be starved at updates. */
function timeoutProblems(settings: SchedulerFile, imports: Imports): Problem[] {
  const isTimed = allocationPlaces(settings)
    .map((place) => allocationsAt(place, imports, rulesOf(settings)))
    .some((spec) => spec !== undefined && hasTimeout(spec));
  return problemIf(
    isTimed && updateIntervalOf(settings) === 0,
    ["scheduler", "updateInterval"],
    "0 for scheduler.updateInterval with timeouts of pools",
    "more than 0; starved pools are found by updates",
  );
}

const OPTIONS = ["scheduler", "options"];

/** Problems of `scheduler.options`: a built-in kind has none, a plugin checks its own. */
export function optionProblems({ kind, options }: SchedulerFile, plugins: readonly SchedulerPlugin[]): Problem[] {
  if (isBuiltIn(kind)) {
    if (options === undefined) return [];
    return [valueProblem(OPTIONS, `scheduler.options for ${kind}`, "options only for a scheduler of --plugin")];
  }
  const plugin = plugins.find(({ name }) => name === kind);
  return plugin === undefined ? [] : problemsBy(plugin, frozen(options ?? {}));
}

const OPTION_PROBLEMS = z.array(z.union([z.string(), z.object({ key: z.string(), message: z.string() })]));

function problemsBy(plugin: SchedulerPlugin, options: PluginOptions): Problem[] {
  const { name } = plugin;
  if (plugin.checkOptions === undefined) {
    const keys = Object.keys(options);
    return keys.map((key) => ({
      path: [...OPTIONS, key],
      atKey: true,
      message: `${name} takes no options`,
    }));
  }
  let returned: unknown;
  try {
    returned = plugin.checkOptions(options);
  } catch (thrown) {
    return [problemAt(`checkOptions of ${name} threw ${printable(thrownWords(thrown))}`)];
  }
  const problems = OPTION_PROBLEMS.safeParse(returned);
  if (problems.success) return problems.data.map((problem) => optionProblem(problem, name));
  const actual =
    typeof returned === "object" && returned !== null && isThenable(returned) ? "a promise" : shownValue(returned);
  return [
    problemAt(`checkOptions of ${name} gave ${printable(actual)}, expected a list of texts or of { key, message }`),
  ];
}

function optionProblem(problem: string | OptionProblem, plugin: string): Problem {
  if (typeof problem === "string") return problemAt(`${plugin}: ${printable(problem)}`);
  return { path: [...OPTIONS, problem.key], atKey: false, message: `${plugin}: ${printable(problem.message)}` };
}

function problemAt(message: string): Problem {
  return { path: OPTIONS, atKey: false, message };
}

/** Keys that every kind of scheduler heeds. */
const COMMON_KEYS = ["kind", "wait", "tasksPerHeartbeat", "updateInterval", "longTasks", "preference"];
/** Keys that apply to a plugin too; it has waits and intervals of its own. */
const PLUGIN_KEYS = ["kind", "options", "tasksPerHeartbeat", "longTasks"];

/** Notes on a scheduler that has no problems. */
export function schedulerNotes(
  settings: SchedulerFile,
  spec: SchedulerSpec,
  imports: Imports,
  totals: ClusterTotals,
): string[] {
  const kind = kindOf(settings);
  if (!kind.hasPools) return [...ignoredKeys(settings, heededKeys(kind, spec)), ...capacityNotes(settings, imports)];
  return [
    ...otherSections(settings),
    ...importNotes(settings, imports),
    ...takenBackNotes(settings),
    ...placementNotes(spec),
    ...minShareNotes(spec, totals),
    ...timeoutNotes(spec),
    ...waitClockNotes(spec, totals),
  ];
}

function heededKeys({ name, ownKeys = [], ignoredKeys = [] }: SchedulerKind, spec: SchedulerSpec): readonly string[] {
  if (!isBuiltIn(name)) return PLUGIN_KEYS;
  const ignored = isHadoopFifo(spec) ? ["updateInterval"] : ignoredKeys;
  return [...COMMON_KEYS.filter((key) => !ignored.includes(key)), ...ownKeys];
}

function ignoredKeys(settings: SchedulerFile, heeded: readonly string[]): string[] {
  const presentSettings = Object.entries(settings).filter(([, value]) => value !== undefined);
  const ignored = presentSettings.map(([key]) => key).filter((key) => !heeded.includes(key));
  if (ignored.length === 0) return [];
  const keys = ignored.map((key) => `scheduler.${key}`).join(", ");
  return [`${keys} ${ignored.length === 1 ? "has" : "have"} no effect on how ${settings.kind} decides`];
}

/** Sections of other kinds of scheduler, beside keys that the kind knows all of. */
function otherSections(settings: SchedulerFile): string[] {
  const sections = namesOf(SCHEDULER_KINDS).filter((name) => name !== settings.kind);
  const known = new Set(Object.keys(settings).filter((key) => !sections.includes(key)));
  return ignoredKeys(settings, [...known]);
}

function capacityNotes({ kind, capacity }: SchedulerFile, imports: Imports): readonly string[] {
  if (kind !== "capacity" || capacity?.file === undefined) return [];
  return imports.capacities.get(capacity.file)?.notes ?? [];
}

function importNotes(settings: SchedulerFile, imports: Imports): string[] {
  const notes = new Set<string>();
  for (const { content } of allocationPlaces(settings)) {
    if (typeof content !== "string") continue;
    const imported = imports.files.get(content);
    if (imported === undefined) continue;
    for (const note of imported.notes) notes.add(note);
  }
  return [...notes];
}

function placementNotes(spec: SchedulerSpec): string[] {
  const isPlaced = timelineOf(spec).some(({ allocations }) => allocations.placement !== null);
  return spec.undeclaredPools || !isPlaced
    ? []
    : ["scheduler.undeclaredPools has no effect where placement rules choose the pools: their create decides"];
}

function minShareNotes(spec: SchedulerSpec, { mapSlots, reduceSlots }: ClusterTotals): string[] {
  const types = [
    ["map", "minMaps", mapSlots],
    ["reduce", "minReduces", reduceSlots],
  ] as const;
  return timelineOf(spec).flatMap(({ atUs, allocations: { pools } }) =>
    types.flatMap(([noun, min, slots]) => {
      const sum = sumOver(pools, (pool) => (pool.parent === null ? pool[min] : 0));
      if (sum <= slots) return [];
      const from = atUs === 0 ? "" : ` from ${formatDuration(atUs)} on`;
      const scaled = `are scaled down by ${(slots / sum).toFixed(3)}`;
      const outcome = RULES[spec.rules].scalesMinShares ? scaled : "are left as they are, as in Hadoop";
      return [`min shares promise ${sum} of ${slots} ${noun} slots${from}; they ${outcome}`];
    }),
  );
}

function waitClockNotes({ wait, rules }: SchedulerSpec, { reduceSlots }: ClusterTotals): string[] {
  const isTimed = wait.kind === "auto" || (wait.kind === "time" && wait.nodeUs + wait.rackUs > 0);
  if (!isTimed || reduceSlots === 0 || !RULES[rules].reduceSlotsMoveWaits) return [];
  return [
    `under rules ${rules}, as in Hadoop, a free reduce slot stops the clock of a job that waits for locality: ` +
      "while reduce slots are idle, jobs wait far longer than node and rack say",
  ];
}

function timeoutNotes(spec: SchedulerSpec): string[] {
  const { preemption, rules } = spec;
  const isTimed = timelineOf(spec).some(({ allocations }) => hasTimeout(allocations));
  if (preemption.mode !== "off") {
    return isTimed ? [] : ["preemption is on, but no pool has a timeout: nothing will ever be killed"];
  }
  if (!isTimed || RULES[rules].alwaysWatches) return [];
  return [
    `pools have timeouts, but preemption is off: under rules ${rules} a pool counts as starved for good once its timeout has ` +
      "passed, and its jobs no longer wait for locality",
  ];
}
