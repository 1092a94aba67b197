import { expect, it } from "vitest";
import { parseAnyScenario } from "../../../dist/io/index.js";
import { runScenario } from "../../../dist/lab/index.js";

async function summaryOf(text: string, set: readonly string[] = []) {
  const { scenario } = parseAnyScenario(text, "amounts.yaml", { set });
  return (await runScenario(scenario, ".")).summary;
}

const STARVED = `platform: yarn
cluster: { nodes: 10, memory: 10000, vcores: 100 }
workload:
  kind: jobs
  jobs:
    - { name: A, queue: a, master: { memory: 1000 }, maps: { tasks: 400, time: 1h, memory: 1000, replicas: 0 } }
    - { name: B, queue: b, submit: 100s, master: { memory: 1000 }, maps: { tasks: 400, time: 1h, memory: 1000, replicas: 0 } }
scheduler:
  kind: yarn-capacity
  preemption: true
  queues: [ { name: a, capacity: 60, userLimitFactor: off }, { name: b, capacity: 40, userLimitFactor: off } ]
run: { until: 30m }
`;

it("A queue gets its share by preemption where containers leave less than 1024 MB of each node", async () => {
  const { groups } = await summaryOf(STARVED);
  const b = groups.find(({ name }) => name === "root.b");
  // In MB, of 100,000.
  expect(b?.share?.held).toBeGreaterThan(30_000);
});

const DRF = `platform: yarn
cluster: { nodes: 2, memory: 18432, vcores: 9 }
workload:
  kind: jobs
  jobs:
    - { name: a, queue: a, master: { memory: 1024, vcores: 1 }, maps: { tasks: 600, time: 20s, spread: 0.3, memory: 1024, vcores: 1, replicas: 0 } }
    - { name: b, queue: b, submit: 60s, master: { memory: 1024, vcores: 1 }, maps: { tasks: 10, time: 20s, memory: 1024, vcores: 4, replicas: 0 } }
scheduler:
  kind: yarn-fair
  policy: drf
  preemption: true
  queues: [ {name: a, maxAmShare: off, preemptable: false}, {name: b, maxAmShare: off, fairShareTimeout: 5s, fairShareThreshold: 1} ]
`;

it("Under drf a container of many vcores and little memory may reserve a node as one of much memory may", async () => {
  const responseOf = async (memory: number): Promise<number> => {
    const { groups } = await summaryOf(DRF, [`workload.jobs.1.maps.memory=${memory}`]);
    return groups.find(({ name }) => name === "root.b")!.responseSeconds.mean!;
  };
  expect(await responseOf(1024)).toBeCloseTo(await responseOf(2048), 6);
});
