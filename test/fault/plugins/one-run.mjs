import { setTimeout as sleep } from "node:timers/promises";
import { parseScenario } from "../../../dist/io/index.js";
import { tellOfHangingPlugins, runScenario } from "../../../dist/lab/index.js";

/**
 * `node one-run.mjs PATIENCE_MS HOOK SECONDS`: a run whose plugin takes so long in that function, once, by the wall
 * clock; 0 for the patience: nobody asks that it is told.
 */
const [patienceMs, slow, seconds] = [Number(process.argv[2]), process.argv[3], Number(process.argv[4])];
let isOver = false;
function linger(hook) {
  if (hook !== slow || isOver) return;
  isOver = true;
  for (const untilMs = performance.now() + 1000 * seconds; performance.now() < untilMs;);
}
const plugin = {
  name: "slow",
  summary: "takes its time",
  create() {
    linger("create");
    return {
      choose({ jobs }) {
        linger("choose");
        return { job: jobs[0], farthest: "any" };
      },
      jobEnded() {
        linger("jobEnded");
      },
    };
  },
};
if (patienceMs > 0) tellOfHangingPlugins(patienceMs);
const text = `cluster: {racks: 2, nodesPerRack: 2, mapSlots: 2, reduceSlots: 1}
workload: {kind: jobs, jobs: [{name: a, maps: 3, mapTime: 5s, count: 4, every: 2s}]}
scheduler: {kind: slow}
`;
const plugins = [plugin];
const { scenario } = parseScenario(text, "slow", { plugins });
const { summary } = await runScenario(scenario, ".", { placement: 0, plugins });
// The thread that looks must not keep the process.
await sleep(1);
console.log(summary.jobs.ended);
