import { expect, it } from "vitest";
import { answerBeside, type Beside, configuration } from "./beside-scenario.js";

type Values = Readonly<Record<string, string>>;

const JOBS = ["queue: a, priority: 7", "queue: a"];
const PREEMPTION = "resourcemanager.monitor.capacity.preemption";
const WITHIN = `${PREEMPTION}.intra-queue-preemption`;
const MONITOR = { "resourcemanager.scheduler.monitor.enable": "true" };

it.each<[what: string, site: Values | null, capacity?: Values]>([
  ["as they say, else 0", null],
  ["as the queue of a file says", null, { "root.a.default-application-priority": "3" }],
  ["at most what a yarn-site.xml says", { "cluster.max-application-priority": "5" }],
  ["a note where a yarn-site.xml says no most", { "scheduler.minimum-allocation-mb": "512" }],
  ["within without preemption", { "cluster.max-application-priority": "9", [`${WITHIN}.enabled`]: "true" }],
  ["only observed", { ...MONITOR, [`${PREEMPTION}.observe_only`]: "true", [`${WITHIN}.enabled`]: "true" }],
  ["a threshold within, which is off", { ...MONITOR, [`${WITHIN}.minimum-threshold`]: "0.2" }],
  ["an interval of what is off", { [`${PREEMPTION}.monitoring_interval`]: "5000" }],
])("Priorities and preemption of files are %s", (_, site, capacity) => {
  const files: Record<string, string> = {};
  if (site !== null) files["y.xml"] = configuration("yarn.", site);
  const queues = { "root.queues": "a", "root.a.capacity": "100", ...capacity };
  if (capacity !== undefined) files["c.xml"] = configuration("yarn.scheduler.capacity.", queues);
  const queueSettings = capacity === undefined ? "queues: [{name: a, capacity: 100}]" : "file: c.xml";
  const beside: Beside = {
    files,
    scheduler: `{ kind: yarn-capacity, ${queueSettings}${site === null ? "" : ", site: y.xml"} }`,
    jobs: JOBS,
  };
  expect(answerBeside(beside)).toMatchSnapshot();
});
