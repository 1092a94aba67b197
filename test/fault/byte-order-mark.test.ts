import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, it } from "vitest";
import { SparkLog } from "../support/spark-log.js";
import { Place } from "./cli/command.js";

let place: Place;
beforeEach(() => {
  place = new Place();
});
afterEach(() => {
  place.remove();
});

const shipped = (name: string): string =>
  readFileSync(fileURLToPath(new URL(`../../scenarios/${name}`, import.meta.url)), "utf8");

function log(): string {
  const made = new SparkLog().start().executor("1", "n1", 2).job(0, 1000, [0]).stage(0, 1010);
  return made.task(0, 0, ["1", "n1"], [1020, 1300]).stageEnd(0, 1010, 1400).jobEnd(0, 1410).end(2000).text();
}

const SPARK = "platform: spark\ncluster: {hosts: 2}\n";
const STAGES = "job,submit_us,stage,run_us\nj,0,s,1000000\n";
const INLINE = "workload: {kind: jobs, jobs: [{name: j, stages: [{name: a, tasks: 2, time: 1s}]}]}\n";

/** Files, the first of which a command reads, with what else it needs. */
const TEXTS: readonly (readonly [
  what: string,
  command: readonly string[],
  files: readonly (readonly [string, string])[],
])[] = [
  ["a scenario in YAML", ["validate", "a.yaml"], [["a.yaml", shipped("tiny.yaml")]]],
  [
    "a scenario in JSON",
    ["validate", "a.json"],
    [
      [
        "a.json",
        '{"cluster":{"racks":2,"nodesPerRack":2},"workload":{"kind":"jobs","jobs":[{"name":"a","maps":3,"mapTime":"5s"}]}}',
      ],
    ],
  ],
  ["a log of Spark", ["import", "spark", "log", "--out", "out", "--force"], [["log", log()]]],
  [
    "a history of Hadoop",
    ["import", "hadoop", "h.jhist", "--out", "out", "--force"],
    [["h.jhist", shipped("yarn/history/job_1700000000000_0001.jhist")]],
  ],
  [
    "a topology",
    ["import", "hadoop", "h.jhist", "nodes.json", "--out", "out", "--force"],
    [
      ["nodes.json", '{"rack":"/r","nodes":[{"node":"a"}]}\n'],
      ["h.jhist", shipped("yarn/history/job_1700000000000_0001.jhist")],
    ],
  ],
  [
    "a table of stages",
    ["validate", "s.yaml"],
    [
      ["stages.csv", STAGES],
      ["s.yaml", `${SPARK}workload: {kind: stages, file: stages.csv}\n`],
    ],
  ],
  [
    "a table of executors",
    ["validate", "s.yaml"],
    [
      ["e.csv", "executor,host,cores\n1,h,2\n"],
      ["s.yaml", `${SPARK}executors: {file: e.csv}\n${INLINE}`],
    ],
  ],
  ["a spark-defaults.conf", ["explain-config", "s.conf"], [["s.conf", "spark.locality.wait 5s\n"]]],
  [
    "a file of pools",
    ["explain-config", "p.xml"],
    [["p.xml", '<?xml version="1.0"?>\n<allocations><pool name="a"><weight>2</weight></pool></allocations>\n']],
  ],
  [
    "a table of tasks",
    ["validate", "t.yaml"],
    [
      ["t.csv", "job,type,seconds,submit\na,map,5,0\n"],
      ["t.yaml", "cluster: {racks: 1, nodesPerRack: 2}\nworkload: {kind: tasks, file: t.csv}\n"],
    ],
  ],
];

it.each(TEXTS)("%s says the same behind a byte order mark", async (_, command, files) => {
  for (const [name, text] of files) writeFileSync(join(place.path, name), text);
  const without = await place.bide(...command);
  expect(without.code, without.stderr).toBe(0);
  const [[name, text]] = files;
  writeFileSync(join(place.path, name), `\ufeff${text}`);
  expect(await place.bide(...command)).toEqual(without);
});
