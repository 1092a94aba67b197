import * as z from "zod";
import { counted, definedFields } from "../../../core/kernel/index.js";
import {
  type ApplicationSpec,
  hostsForExecutors,
  type HostSpec,
  type SparkScenario,
} from "../../../core/platforms/spark/index.js";
import { LIMITS } from "../../../core/scenario/index.js";
import type { SparkHosts } from "../../spark/hosts.js";
import { duplicates, type Problem, unknownName, wrong } from "../diagnose.js";
import { optional, setting } from "../setting.js";
import { count, either, flag, label, listOf, mapping, quantity } from "../values.js";

// Hosts of a scenario of Spark, and the racks they stand in.

const recorded = quantity(LIMITS.minRecordedSpeed, LIMITS.maxRecordedSpeed);

const recordedSpeed = mapping({
  low: recorded.describe("Lower end of what is possible."),
  high: recorded.describe("Upper end."),
});

const host = mapping({
  name: label().describe("As Spark calls it."),
  rack: optional(label(), "The rack it stands in.", "as cluster.racks deals them"),
  speed: setting(
    either([quantity(LIMITS.minSpeed, LIMITS.maxSpeed), recordedSpeed], () => "a number, or a mapping {low, high}"),
    "Speed relative to other hosts; times of tasks are divided by it. {low, high}: what a log leaves possible, drawn with runtime.draw; what was recorded there holds it.",
    1,
  ),
  cores: optional(count(1, LIMITS.cores), "Cores that executors may take.", "as cluster.cores says"),
  executors: setting(
    flag(),
    "Whether executors come there; false: it only holds data, if no table of executors names it.",
    true,
  ),
});

export const cluster = mapping({
  racks: setting(
    count(0, LIMITS.racks),
    "Racks that hosts are dealt to in turn; 0: the cluster manager knows none, as where Spark runs by itself.",
    0,
  ),
  hosts: setting(
    either(
      [count(1, LIMITS.nodes), listOf(host, "hosts {name, rack, speed, cores, executors}")],
      () =>
        `a whole number of hosts from 1 to ${LIMITS.nodes}, or a list of hosts {name, rack, speed, cores, executors}`,
    ),
    "Hosts, by number or by name.",
    1,
  ),
  cores: optional(
    count(1, LIMITS.cores),
    "Cores of each host that executors may take. Who finds none free waits until others give theirs back, in the order of their requests.",
    "as many as executors want",
  ),
  speeds: optional(
    z.record(z.string(), quantity(LIMITS.minSpeed, LIMITS.maxSpeed)),
    "Speeds of some hosts, by name; hosts by number are called host-1, host-2 and so on.",
    "all are alike",
  ),
});

export type ClusterFile = z.output<typeof cluster>;

export function hostProblems(file: ClusterFile): Problem[] {
  const names = namesOf(file);
  const known = new Set(names);
  if (hostsForExecutors(hostsOf(file)).length === 0) {
    return [wrong(["cluster", "hosts"], "no host for executors", "one or more without executors: false")];
  }
  const strangers = Object.keys(file.speeds ?? {}).flatMap((name) =>
    known.has(name) ? [] : [unknownName(["cluster", "speeds", name], name, names.slice(0, LIMITS.problems))],
  );
  if (typeof file.hosts !== "object") return strangers;
  const speeds = file.hosts.flatMap(({ speed }, i): Problem[] => {
    if (speed === undefined || typeof speed === "number") return [];
    const words = `low ${speed.low}, high ${speed.high}`;
    return speed.low <= speed.high ? [] : [wrong(["cluster", "hosts", i, "speed"], words, "low at most high")];
  });
  return [...duplicates(names, "host", ["cluster", "hosts"]), ...strangers, ...speeds];
}

function namesOf({ hosts = 1 }: ClusterFile): string[] {
  return typeof hosts === "number"
    ? Array.from({ length: hosts }, (_, i) => `host-${i + 1}`)
    : hosts.map(({ name }) => name);
}

export function hostNotes({ hosts: said, racks }: ClusterFile, hostSpecs: readonly HostSpec[]): string[] {
  const listed = typeof said === "object" ? said : [];
  const named = typeof said === "number" ? said : listed.length;
  const notes: string[] = [];
  if (racks !== undefined && racks > 0 && listed.length > 0 && listed.every(({ rack }) => rack !== undefined)) {
    notes.push("cluster.racks has no effect where every host names its rack");
  }
  if (said !== undefined && hostSpecs.length > named) {
    const unnamed = counted(hostSpecs.length - named, "host");
    notes.push(
      `tables of executors name ${unnamed} beside cluster.hosts: ${hostSpecs.length - named === 1 ? "it is" : "they are"} there too`,
    );
  }
  return notes;
}

export function hostsOf(file: ClusterFile): HostSpec[] {
  const { racks, hosts = 1, speeds = {} } = file;
  const speedOf = new Map(Object.entries(speeds));
  return namesOf(file).map((name, i) => {
    const said = typeof hosts === "number" ? undefined : hosts[i];
    const dealt = racks === undefined || racks === 0 ? "" : `rack-${(i % racks) + 1}`;
    const room = said?.cores ?? file.cores;
    const { speed: stated = 1 } = said ?? {};
    const speed = speedOf.get(name) ?? (typeof stated === "number" ? stated : undefined);
    return {
      name,
      rack: said?.rack ?? dealt,
      ...definedFields({ speed }),
      ...(typeof stated === "number" ? {} : { recordedSpeed: stated }),
      ...definedFields({ cores: room }),
      ...(said?.executors === false ? { executors: false } : {}),
    };
  });
}

/** Returns the hosts of the scenario, and those that tables of executors add. */
export function withOthers(file: ClusterFile, sparkHosts: SparkHosts): HostSpec[] {
  const said = hostsOf(file);
  const room = file.cores === undefined ? {} : { cores: file.cores };
  return sparkHosts.names.map(
    (name, host) => said.at(host) ?? { name, rack: sparkHosts.rackOf(host), speed: 1, ...room },
  );
}

/** An application on the hosts of its scenario. */
export type OnCluster = ApplicationSpec & Pick<SparkScenario, "cluster">;
