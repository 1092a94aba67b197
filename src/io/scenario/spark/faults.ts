import * as z from "zod";
import { MAX_TIME_US, namesOf } from "../../../core/kernel/index.js";
import type { ApplicationSpec, HostSpec, NamedExecutor } from "../../../core/platforms/spark/index.js";
import { LIMITS } from "../../../core/scenario/index.js";
import { type Problem, unknownName, wrong } from "../diagnose.js";
import { needed, optional, recordOf, setting } from "../setting.js";
import { quote } from "../show.js";
import { duration, durationOr, flag, label, listOf, mapping, quantity } from "../values.js";
import type { OnCluster } from "./hosts.js";

// Faults: tasks that fail, executors that are lost.

const loss = mapping({
  executor: label().describe("Its id in the table, or its number from 1 in the order in which they come."),
  at: needed(duration(0, MAX_TIME_US), "When, if it is there then.", "atUs"),
});

const losses = mapping({
  every: optional(
    duration(LIMITS.minFaultGapUs, MAX_TIME_US),
    "Mean time that an executor lives; times are exponential.",
    "none is lost by chance",
    "meanUs",
  ),
  until: setting(durationOr("end", 0, MAX_TIME_US), "None is lost by chance at or after this.", "end", "untilUs"),
  events: optional(listOf(loss, "losses {executor, at}"), "Executors lost at given times.", "none"),
  back: setting(
    durationOr("never", 0, LIMITS.waitUs),
    "From a loss until another is there, on the same host; under dynamic allocation they come as they are needed.",
    "5s",
    "backUs",
  ),
  blame: setting(
    flag(),
    "It is the application's fault, as where it crashed: each task that ran there has failed. false: as where the cluster took it.",
    true,
    "counts",
  ),
});

const probability = quantity(0, 1);

export const faults = mapping({
  taskFailure: setting(probability, "Probability that an attempt fails, at a moment of its run that is drawn, too.", 0),
  hostFailure: optional(
    z.record(z.string(), probability),
    "The same of attempts on some hosts, by name, in place of taskFailure.",
    "as on other hosts",
  ),
  executors: optional(losses, "Executors that are lost before their time.", "none is lost"),
});

export type FaultsFile = z.output<typeof faults>;

/** The faults of an application; those that the file omits do not happen. */
export function faultsOf(
  file: FaultsFile,
  hosts: readonly HostSpec[],
  executors: readonly NamedExecutor[],
): Pick<ApplicationSpec, "failures" | "losses"> {
  const { taskFailure: chance = 0, hostFailure, executors: said } = file;
  const ofHost = new Map(Object.entries(hostFailure ?? {}));
  const chances = hosts.map(({ name }) => ofHost.get(name));
  const { meanUs = Infinity, events = [], ...how } = recordOf(losses, said);
  const place = new Map(executors.map(({ id }, i) => [id, i]));
  return {
    ...(chance === 0 && ofHost.size === 0 ? {} : { failures: { chance, ...(ofHost.size === 0 ? {} : { chances }) } }),
    ...(meanUs === Infinity && events.length === 0
      ? {}
      : {
          losses: {
            events: events.map(({ executor, atUs }) => ({
              executor: place.get(executor) ?? Number(executor) - 1,
              atUs,
            })),
            meanUs,
            ...how,
          },
        }),
  };
}

/** Problems of faults that name unknown hosts or executors. */
export function faultProblems(
  { hostFailure = {}, executors: said }: FaultsFile,
  { cluster: { hosts }, executors: allExecutors, allocation }: OnCluster,
): Problem[] {
  const names = namesOf(hosts);
  const known = new Set(names);
  const ids = new Set(allExecutors.map(({ id }) => id));
  return [
    ...Object.keys(hostFailure).flatMap((name) =>
      known.has(name) ? [] : [unknownName(["faults", "hostFailure", name], name, names.slice(0, LIMITS.problems))],
    ),
    ...(said?.events ?? []).flatMap(({ executor }, i) => {
      const path = ["faults", "executors", "events", i, "executor"];
      if (allocation !== undefined) {
        return /^[1-9]\d{0,6}$/.test(executor)
          ? []
          : [
              wrong(
                path,
                quote(executor),
                "a whole number from 1; under dynamic allocation executors are counted as they come",
              ),
            ];
      }
      return ids.has(executor) ? [] : [unknownName(path, executor, [...ids].slice(0, LIMITS.problems))];
    }),
  ];
}
