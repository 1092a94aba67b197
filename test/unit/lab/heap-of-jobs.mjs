import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseScenario, loadWorkload } from "../../../dist/io/index.js";

/** `node --expose-gc heap-of-jobs.mjs` prints the bytes of heap that a job of each workload holds, as JSON. */
const JOBS = 30_000;
const listed = (tasks) => (jobs) => `{ kind: jobs, jobs: [ { ${tasks}, count: ${jobs}, every: 1s } ] }`;
const WORKLOADS = {
  maps: listed("maps: 1"),
  reduces: listed("maps: 0, reduces: 1"),
  both: listed("maps: 1, reduces: 1"),
  facebook: (jobs) => `{ kind: facebook, jobs: ${jobs} }`,
  benchmark: (jobs) => `{ kind: benchmark, repeat: ${jobs / 100} }`,
  tasks: () => "{ kind: tasks, file: tasks.csv }",
};
const folder = mkdtempSync(join(tmpdir(), "bide-heap-"));
const rows = Array.from({ length: JOBS }, (_, job) => `job${job},${job},1,map,10\n`);
writeFileSync(join(folder, "tasks.csv"), `job,submit,count,type,seconds\n${rows.join("")}`);
const load = async (workload) => loadWorkload(parseScenario(`workload: ${workload}\n`, "x").scenario, folder);
const perJob = {};
const kept = [];
for (const [name, workloadOf] of Object.entries(WORKLOADS)) {
  // For what is there from then on: code, and tables of names.
  kept.push(await load(workloadOf(1000)));
  gc();
  const before = process.memoryUsage().heapUsed;
  const workload = await load(workloadOf(JOBS));
  kept.push(workload);
  gc();
  perJob[name] = (process.memoryUsage().heapUsed - before) / workload.jobs.length;
}
rmSync(folder, { recursive: true });
console.log(JSON.stringify(perJob));
