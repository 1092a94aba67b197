import { cachedFileSettings, needsFiles } from "./check-cached-files.js";
import { resolveCopyCompute } from "./resolve-copy-compute.js";
import type { RackPlan } from "./rack-plan.js";
import type { ScenarioFile } from "./scenario-schema.js";

/** Settings that are given and change nothing, as sentences for the user. */
export function modelNotes(file: ScenarioFile, plans: readonly RackPlan[]): string[] {
  const isDetailed = file.runtime.model === "detailed";
  return [
    ...withoutEffect(
      isDetailed ? localitySettings(file) : detailedSettings(file),
      `in the ${isDetailed ? "detailed" : "light"} model`,
    ),
    ...withoutEffect(rowSettings(file, plans), "where racks stand in no rows"),
    ...withoutEffect(speculationSettings(file.runtime.speculation), speculationWords(file.runtime.speculation)),
    ...withoutEffect(cachedFileSettings(file), "where no job needs a file on its nodes"),
    ...withoutEffect(splittingSettings(file, plans), "where no node has more reduce slots than that"),
    ...memoryNotes(file, plans),
  ];
}

function withoutEffect(settings: readonly string[], where: string): string[] {
  if (settings.length === 0) return [];
  return [`${settings.join(", ")} ${settings.length === 1 ? "has" : "have"} no effect ${where}`];
}

/** `prefix.key` for those keys that are given. */
function given(prefix: string, settings: object, keys: readonly string[]): string[] {
  const values = new Map<string, unknown>(Object.entries(settings));
  return keys.filter((key) => values.get(key) !== undefined).map((key) => `${prefix}.${key}`);
}

/** What only the detailed model looks at. */
function detailedSettings({ cluster, storage, workload, runtime, faults }: ScenarioFile): string[] {
  const { racks } = cluster;
  const groups = typeof racks === "number" ? [] : racks;
  // Files that tasks need come over links in both models.
  const link = needsFiles(storage, workload) ? [] : ["link"];
  const bandwidths = ["disk", ...link, "uplink"];
  const inside = groups.flatMap((rack, i) => [
    ...given(`cluster.racks.${String(i)}`, rack, bandwidths),
    ...(typeof rack.nodes === "object" ? rack.nodes : []).flatMap((group, j) =>
      given(`cluster.racks.${String(i)}.nodes.${String(j)}`, group, bandwidths),
    ),
  ]);
  const slowDisks = (faults.events ?? []).flatMap(({ kind }, i) =>
    kind === "slowDisk" ? [`faults.events.${String(i)}`] : [],
  );
  return shortened([
    ...given("cluster", cluster, ["disk", ...link, "oversubscription", "network"]),
    ...inside,
    ...given("runtime", runtime, ["io"]),
    ...slowDisks,
    ...given("faults.rates", faults.rates ?? {}, ["slowDisk"]),
  ]);
}

/** A scenario may have thousands of rack groups. */
function shortened(settings: readonly string[]): string[] {
  const most = 8;
  return settings.length <= most
    ? [...settings]
    : [...settings.slice(0, most - 1), `${String(settings.length - most + 1)} more`];
}

function localitySettings({ runtime }: ScenarioFile): string[] {
  return given("runtime", runtime, ["localityFactor"]);
}

function rowSettings({ cluster, runtime }: ScenarioFile, plans: readonly RackPlan[]): string[] {
  if (plans.some(({ row }) => row !== undefined)) return [];
  return [
    ...given("cluster.network", cluster.network ?? {}, ["rowUplink"]),
    ...given("runtime.localityFactor", runtime.localityFactor ?? {}, ["row"]),
  ];
}

/** As many places as slots are no splitting. */
function splittingSettings({ runtime: { copyCompute } }: ScenarioFile, plans: readonly RackPlan[]): string[] {
  const spec = resolveCopyCompute(copyCompute);
  const least = Math.min(spec?.computing ?? Infinity, spec?.perJob ?? Infinity);
  const splits = plans.some(({ nodes }) => nodes.some(({ reduceSlots }) => reduceSlots > least));
  return spec === null || splits ? [] : ["runtime.copyCompute"];
}

type SpeculationFile = ScenarioFile["runtime"]["speculation"];

const OTHER_RULE = { off: [], hadoop: ["slowerBy", "maxShareOfSlots"], late: ["progressGap"] } as const;

function speculationSettings(file: SpeculationFile): string[] {
  return typeof file === "object" ? given("runtime.speculation", file, OTHER_RULE[file.rule]) : [];
}

function speculationWords(file: SpeculationFile): string {
  return typeof file === "object" ? `under the rule ${file.rule}` : "";
}

/** Memory is checked where tasks declare what they need and nodes have an end of it. */
function memoryNotes({ runtime, workload }: ScenarioFile, plans: readonly RackPlan[]): string[] {
  const byRuntime = declaresMemory(runtime.attempts ?? {});
  // The rows of a file of tasks may declare some; nobody has read them yet.
  if (workload.kind === "tasks" && !byRuntime) return [];
  const isDeclared = byRuntime || (workload.kind === "jobs" && workload.jobs.some(declaresMemory));
  const isFinite = plans.some(({ nodes }) => nodes.some(({ memoryBytes }) => memoryBytes < Infinity));
  if (isDeclared === isFinite) return [];
  return isDeclared
    ? [
        `tasks declare memory (${byRuntime ? "runtime.attempts" : "workload.jobs"}), but no node has a limit of it: it has no effect`,
      ]
    : [
        "nodes have a limit of memory, but tasks declare none (runtime.attempts.mapMemory, reduceMemory): it has no effect",
      ];
}

interface MemorySettings {
  readonly mapMemory?: number | undefined;
  readonly reduceMemory?: number | undefined;
}

function declaresMemory({ mapMemory = 0, reduceMemory = 0 }: MemorySettings): boolean {
  return mapMemory > 0 || reduceMemory > 0;
}
