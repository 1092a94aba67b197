import type { DsbraSpec, DynamicReplicationSpec } from "../../core/scenario/replication-spec.js";
import type { ScenarioFile } from "./scenario-schema.js";

type Settled = Pick<
  DsbraSpec,
  | "halved"
  | "loops"
  | "targets"
  | "removeAt"
  | "rounding"
  | "history"
  | "average"
  | "gate"
  | "beyondDelay"
  | "readersFrom"
  | "nodeAverages"
>;

/** What each variant of DSBRA makes of what the print leaves open. */
const VARIANTS: Record<"asPrinted" | "intended", Settled> = {
  asPrinted: {
    halved: true,
    loops: "nested",
    targets: "descending",
    removeAt: 0.2,
    rounding: "floor",
    history: "cumulative",
    average: "all",
    gate: "all",
    beyondDelay: "full",
    readersFrom: 1,
    nodeAverages: "fixed",
  },
  intended: {
    halved: false,
    loops: "twoPasses",
    targets: "ascending",
    removeAt: 0.1,
    rounding: "ceil",
    history: "exponential",
    average: "all",
    gate: "delayed",
    beyondDelay: "full",
    readersFrom: 0,
    nodeAverages: "updated",
  },
};

/** undefined: replication is fixed. */
export function resolveReplication(
  file: ScenarioFile["storage"]["dynamicReplication"],
): DynamicReplicationSpec | undefined {
  if (file === "off") return undefined;
  if (file.rule === "hotSpots") {
    const { rule, every, readersPerReplica, cool, maxReplicas } = file;
    return { rule, everyUs: every, readersPerReplica, coolUs: cool, maxReplicas };
  }
  const { rule, every, variant, alpha, delay, step, maxReplicas } = file;
  const preset = VARIANTS[variant];
  return {
    ...{ rule, everyUs: every, alpha, delayUs: delay, step, maxReplicas },
    halved: file.halved ?? preset.halved,
    loops: file.loops ?? preset.loops,
    targets: file.targets ?? preset.targets,
    removeAt: file.removeAt ?? preset.removeAt,
    rounding: file.rounding ?? preset.rounding,
    history: file.history ?? preset.history,
    average: file.average ?? preset.average,
    gate: file.gate ?? preset.gate,
    beyondDelay: file.beyondDelay ?? preset.beyondDelay,
    readersFrom: (file.readersFrom ?? preset.readersFrom) === 0 ? 0 : 1,
    nodeAverages: file.nodeAverages ?? preset.nodeAverages,
  };
}
