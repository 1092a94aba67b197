import { afterAll, beforeAll, expect, it } from "vitest";
import { Place } from "./command.js";

/*
 * What `bide validate` calls ok is refused by no command, and what it refuses the command that uses the section refuses
 * too: on each platform, in a section or a file that another command than `bide run` reads.
 */

const YARN = `platform: yarn
cluster: { nodes: 2 }
workload: { kind: jobs, jobs: [{ name: a, maps: { tasks: 2, time: 1s } }] }
scheduler: { kind: yarn-fair }
run: { until: 1m }
`;
const SPARK = `platform: spark
cluster: { hosts: 2, cores: 2 }
executors: { count: 2, cores: 1 }
workload: { kind: jobs, jobs: [{ name: a, stages: [{ tasks: 2, time: 1s }] }] }
scheduler: { mode: FIFO }
run: { until: 1m }
`;
const HADOOP = `cluster: { racks: 1, nodesPerRack: 2 }
workload: { kind: jobs, jobs: [{ maps: 2, mapTime: 4s }] }
run: { until: 1m }
`;
const compared = (scenario: string, set: string): string =>
  `${scenario}compare: { seeds: 1, systems: [{ name: as it is }, { name: other, set: { ${set} } }] }\n`;
const swept = (scenario: string, path: string, values: string): string =>
  `scenario: ${scenario}\nreplications: 1\nmeasures: [responseMean]\naxes: [{ name: x, path: ${path}, values: [${values}] }]\n`;
const goal = "goal: { smallest: [x], where: [{ measure: responseMean, atMost: 1h }] }\n";
const tables = (file: string): string =>
  `cluster: { racks: 1, nodesPerRack: 2 }\nworkload: { kind: tasks, file: ${file} }\nrun: { until: 1m }\n`;

/** What a file holds, and the command that uses all of it. */
const FILES: readonly (readonly [name: string, text: string, command: string, isGood: boolean])[] = [
  ["yarn.yaml", compared(YARN, "cluster.nodes: 3"), "compare", true],
  ["yarn-value.yaml", compared(YARN, "scheduler.preemption: off"), "compare", false],
  ["yarn-kind.yaml", compared(YARN, "scheduler: { kind: yarn-capacity, file: none.xml }"), "compare", false],
  ["spark.yaml", compared(SPARK, "executors.count: 1"), "compare", true],
  ["spark-value.yaml", compared(SPARK, "scheduler.mode: FARE"), "compare", false],
  ["hadoop.yaml", compared(HADOOP, "scheduler: fair"), "compare", true],
  ["hadoop-name.yaml", compared(HADOOP, "scheduler: fare"), "compare", false],
  ["hadoop-file.yaml", compared(HADOOP, "workload: { kind: tasks, file: bad.csv }"), "compare", false],
  ["table.yaml", tables("bad.csv"), "run", false],
  ["sweep.yaml", swept("yarn.yaml", "cluster.nodes", "1, 2"), "sweep", true],
  ["sweep-value.yaml", swept("yarn.yaml", "cluster.nodes", "1, none"), "sweep", false],
  ["sweep-file.yaml", swept("table.yaml", "cluster.racks", "1, 2"), "sweep", false],
  ["goal-measure.yaml", `${swept("yarn.yaml", "cluster.nodes", "1, 2")}${goal.replace("Mean", "Meen")}`, "tune", false],
  ["regress.yaml", "runs: [{ name: a, scenario: yarn.yaml, set: { cluster.nodes: none } }]\n", "regress", false],
];

let place: Place;
beforeAll(() => {
  place = new Place();
  place.write("bad.csv", "job,type,seconds,submit\na,map,none,0\n");
  for (const [name, text] of FILES) place.write(name, text);
});
afterAll(() => {
  place.remove();
});

it.each(FILES)("%s is called what its command calls it", async (name, _text, command, isGood) => {
  const validated = await place.bide("validate", name);
  const out = command === "compare" ? [] : ["--out", `of-${name}`];
  const used = await place.bide(command, name, "--quiet", ...(command === "regress" ? [] : out));
  expect({ code: validated.code, isOk: validated.stdout.includes(": ok") }).toEqual({
    code: isGood ? 0 : 2,
    isOk: isGood,
  });
  // A sweep tries each run, and counts those that failed.
  expect(used.code === 0, used.stderr).toBe(isGood);
});
