import { isAbsolute, resolve } from "node:path";
import { counted, maxOver, sumOver, Lists, namesOf } from "../../core/kernel/index.js";
import {
  leafQueuesOf,
  namedNodes,
  tableApplications,
  type YarnApplication,
  type YarnScenario,
} from "../../core/platforms/yarn/index.js";
import type { JobSpec, Workload } from "../../core/workload/index.js";
import { LIMITS } from "../../core/scenario/index.js";
import { fileProblem, InputError } from "../input-error.js";
import { allowedNames, quote } from "../scenario/show.js";
import { ofItsKind } from "./load.js";
import { readTasksCsv, type TasksCluster, YARN_COLUMNS } from "./tasks-csv.js";

// A table of tasks (docs/formats/tasks-csv.md) as the workload of a YARN scenario: pools are queues, hosts are nodes by
// name.

type Table = Extract<YarnScenario["workload"], { kind: "tasks" }>;

/** Problems of one file that are reported one by one. */
const MOST_REPORTED = 20;

/**
 * Returns the applications of a table, in the order of their submission.
 * @param directory folder to which a relative file name refers.
 * @throws InputError for problems of the file, for pools that are not leaf queues, and for tasks that fit on no node.
 */
export async function readYarnTable(
  scenario: YarnScenario,
  table: Table,
  directory: string,
): Promise<{ readonly applications: readonly YarnApplication[]; readonly notes: readonly string[] }> {
  const { file, lenient } = table;
  const path = isAbsolute(file) ? file : resolve(directory, file);
  const spec = { kind: "tasks", file, lenient } as const;
  const leftOut = new Set<string>();
  const cluster = clusterOf(scenario, table.missingHosts === "ignore" ? leftOut : null);
  const workload = await ofItsKind(spec, path, readTasksCsv(spec, path, cluster));
  const applications = tableApplications(workload, table, (job) => queueOf(job.pool));
  const problems = [...tooMany(workload), ...queueProblems(workload, scenario), ...misfits(applications, scenario)];
  if (problems.length === 0) return { applications, notes: [...workload.notes, ...leftOutNotes(leftOut)] };
  const unreported = problems.length - MOST_REPORTED;
  const reported = problems.slice(0, MOST_REPORTED);
  if (unreported > 0) reported.push(`and ${unreported} more problems like these`);
  throw new InputError(reported.flatMap((message) => fileProblem(file, message).diagnostics));
}

function queueOf(pool: string): string {
  return pool.startsWith("root.") ? pool : `root.${pool}`;
}

function leftOutNotes({ size }: ReadonlySet<string>): string[] {
  if (size === 0) return [];
  return [
    `${counted(size, "host")} of the table ${size === 1 ? "is" : "are"} not in the cluster: what lies there is read from elsewhere (missingHosts: ignore)`,
  ];
}

/** @param leftOut takes hosts that the cluster does not have; null: they are refused. */
function clusterOf(scenario: YarnScenario, leftOut: Set<string> | null): TasksCluster {
  const places = new Map(
    namedNodes(scenario).map(({ name }, node) => [name, { rack: scenario.cluster.nodes[node].rack, node }]),
  );
  const hostOf: TasksCluster["hostOf"] = (name) => {
    const place = places.get(name);
    if (place !== undefined) return place;
    if (leftOut === null) {
      return `hosts names ${quote(name)}, expected ${allowedNames([...places.keys()], name)}; \`workload.missingHosts: ignore\` leaves others out. Of fewer nodes, those that stay are listed in cluster.nodes by name: a number gives other names`;
    }
    leftOut.add(name);
    return null;
  };
  // Container sizes are checked below, together with vcores.
  const room = { mapBytes: Infinity, reduceBytes: Infinity, outputBytes: Infinity };
  return { room, hostOf, columns: YARN_COLUMNS, usualPool: "default" };
}

function tooMany({ jobs }: Workload): string[] {
  const tasks = sumOver(jobs, ({ maps, reduces }) => maps + reduces);
  return tasks > LIMITS.heldTasks
    ? [`has ${tasks} tasks, expected at most ${LIMITS.heldTasks}, all of which YARN's runs hold`]
    : [];
}

function queueProblems({ jobs }: Workload, { scheduler }: YarnScenario): string[] {
  const leaves = namesOf(leafQueuesOf(scheduler));
  const known = new Set(leaves);
  const strays = new Lists<JobSpec, string>();
  for (const job of jobs) {
    if (known.has(queueOf(job.pool))) continue;
    strays.add(job.pool, job);
  }
  const shown = leaves.map((name) => name.slice("root.".length));
  return [...strays].map(([pool, poolJobs]) => {
    const jobWords = `job ${quote(poolJobs[0].name)}${poolJobs.length === 1 ? "" : ` and ${counted(poolJobs.length - 1, "other")}`}`;
    return `pool of ${jobWords} is ${quote(pool)}, expected a queue with none below it, one of ${allowedNames(shown, pool)}`;
  });
}

/** Problems of containers that fit on no node: they would wait for ever. */
function misfits(applications: readonly YarnApplication[], { cluster }: YarnScenario): string[] {
  const memory = maxOver(cluster.nodes, (node) => node.memory, 0);
  const vcores = maxOver(cluster.nodes, (node) => node.vcores, 0);
  return applications.flatMap(({ name, stages }) =>
    stages.flatMap(({ name: type, size, tasks }) => {
      if (tasks.length === 0 || (size.memory <= memory && size.vcores <= vcores)) return [];
      const actual = `${size.memory} MB and ${counted(size.vcores, "vcore")}`;
      return [
        `a ${type} of job ${quote(name)} takes ${actual}, expected at most the ${memory} MB and ${counted(vcores, "vcore")} of a node`,
      ];
    }),
  );
}
