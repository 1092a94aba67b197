import { expect, it } from "vitest";
import { runScenario } from "../../../dist/lab/index.js";
import { allocations, answerBeside, type Beside, fair, readBeside } from "./beside-scenario.js";

const A = '<queue name="a"/>';
const inA = (element: string): string => `<queue name="a">\n${element}\n</queue>`;

it.each([
  '<queue name="b"><weight>2</weight><queue name="c"><weight>0.5</weight></queue></queue><queue name="a"/>',
  ...[
    "<maxResources>4096 mb, 3 vcores</maxResources>",
    "<maxResources>4096.9mb,3.9 VCORES</maxResources>",
    "<maxResources>vcores=3, memory-mb=4096</maxResources>",
    "<maxResources>memory-mb=4096</maxResources>",
    "<minResources>memory-mb=4096</minResources>",
    "<maxResources>50%</maxResources>",
    "<maxResources>50% cpu, 25.5% memory</maxResources>",
    "<minResources>memory-mb=25%, vcores=50%</minResources>",
    "<maxResources>memory-mb=4096, vcores=50%</maxResources>",
    "<maxResources>9223372036854775807 mb, 2 vcores</maxResources>",
    "<maxChildResources>10%</maxChildResources>",
    "<maxRunningApps>3</maxRunningApps>",
    "<maxRunningApps>2147483647</maxRunningApps>",
    "<maxAMShare>-1</maxAMShare>",
    "<maxAMShare>1.5</maxAMShare>",
    "<schedulingPolicy>FIFO</schedulingPolicy>",
    "<schedulingMode>fair</schedulingMode>",
    "<minSharePreemptionTimeout>2</minSharePreemptionTimeout>",
    "<fairSharePreemptionTimeout>9223372036854775807</fairSharePreemptionTimeout>",
    "<fairSharePreemptionThreshold>0.8</fairSharePreemptionThreshold>",
    "<allowPreemptionFrom>false</allowPreemptionFrom>",
    // Not used, which is noted.
    "<aclSubmitApps>*</aclSubmitApps><maxRunningJobs>3</maxRunningJobs><wieght>3</wieght><reservation/>",
    "<maxResources>memory-mb=1024, gpu=2</maxResources><minResources>2048 mb, 0 vcores</minResources>",
    // Refused.
    "<weight>heavy</weight>",
    "<maxResources>-1 mb, 1 vcores</maxResources>",
    "<minResources>1024 mb</minResources>",
    "<minResources>10% memory</minResources>",
    "<minResources>10% memory, 1 vcores</minResources>",
    "<minResources/>",
    "<schedulingPolicy>lottery</schedulingPolicy>",
    "<schedulingPolicy>drf</schedulingPolicy>",
    '<schedulingPolicy>fifo</schedulingPolicy><queue name="b"/>',
    "<maxAMShare>-0.5</maxAMShare>",
    "<fairSharePreemptionThreshold>half</fairSharePreemptionThreshold>",
    "<maxRunningApps>many</maxRunningApps>",
    "<maxRunningApps>0</maxRunningApps>",
    "<allowPreemptionFrom>yes</allowPreemptionFrom>",
  ].map(inA),
  `${A}<userMaxAppsDefault>2</userMaxAppsDefault><user name="ann"><maxRunningApps>7</maxRunningApps></user>`,
  [
    ...[A, "<queueMaxAppsDefault>5</queueMaxAppsDefault>", "<queueMaxAMShareDefault>0.3</queueMaxAMShareDefault>"],
    "<queueMaxResourcesDefault>8192 mb, 8 vcores</queueMaxResourcesDefault>",
    "<defaultQueueSchedulingPolicy>drf</defaultQueueSchedulingPolicy>",
    "<defaultMinSharePreemptionTimeout>9</defaultMinSharePreemptionTimeout>",
    "<fairSharePreemptionTimeout>8</fairSharePreemptionTimeout>",
    "<defaultFairSharePreemptionTimeout>7</defaultFairSharePreemptionTimeout>",
    "<defaultFairSharePreemptionThreshold>0.6</defaultFairSharePreemptionThreshold>",
  ].join("\n"),
  `${A}<defaultQueueSchedulingPolicy>fifo</defaultQueueSchedulingPolicy>`,
  `${A}<queueMaxAppsDefault>0</queueMaxAppsDefault>`,
  `${A}<user name="user"><maxRunningApps>0</maxRunningApps></user>`,
  `${A}<user name="ann"><maxRunningApps>0</maxRunningApps></user>`,
  `${A}<userMaxAppsDefault>0</userMaxAppsDefault>`,
  ...["<queue/>", '<queue name="a.b"/>', `<queue name="root"/>${A}`, '<pool name="a"><minMaps>3</minMaps></pool>'],
  `${'<queue name="q">'.repeat(40)}${"</queue>".repeat(40)}`,
  '<queue name="a"><weight>x</weight></queue>\n<userMaxAppsDefault>y</userMaxAppsDefault>',
])("An allocation file with %s", (inside) => {
  expect(answerBeside(fair(allocations(inside)))).toMatchSnapshot();
});

it.each([
  ["<configuration/>"],
  [`<!DOCTYPE a [<!ENTITY x "1">]>${allocations(A)}`],
  [allocations("<queue>".repeat(100_000))],
  ["<allocations><queue"],
  [allocations(" ".repeat(2 << 20))],
  [allocations(inA(`<minResources>${"9".repeat(2000)} mb, 1 vcores</minResources>`))],
])("A file is refused that is none: %.40s", (text) => {
  expect(answerBeside(fair(text))).toMatch(/^refused: f.xml:/);
});

const RULES: readonly (readonly [rules: string, job: string])[] = [
  ["", "queue: root.a"],
  ["", "queue: b.c"],
  ["", "user: ann"],
  ["", "queue: default, user: ann"],
  ["", "user: ann.b"],
  ["", "queue: users"],
  ["", "queue: a.b"],
  ['<specified create="false"/><default/>', "queue: b"],
  ['<specified/><rule name="default" queue="a"/>', "user: ann"],
  ['<specified create="false"/><rule name="nestedUserQueue"><rule name="default" queue="users"/></rule>', "user: ann"],
  ['<rule name="secondaryGroupExistingQueue"/><user/>', "user: ann"],
  ["<specified/><reject/>", "user: ann"],
  ...[
    ...[" ", "<specified/>", "<user/><default/>", '<rule name="usr"/>', "<rule/>", '<user create="perhaps"/>'],
    "<nestedUserQueue><user/><default/></nestedUserQueue>",
    "<nestedUserQueue><nestedUserQueue><user/></nestedUserQueue></nestedUserQueue>",
    "<user><default/></user>",
  ].map((rules) => [rules, "queue: a"] as const),
];

it.each(RULES)("Placement rules %s of a job of %s", (rules, job) => {
  const users = '<queue name="users" type="parent"><maxChildResources>1024 mb, 1 vcores</maxChildResources></queue>';
  const policy = rules === "" ? "" : `<queuePlacementPolicy>${rules}</queuePlacementPolicy>`;
  expect(answerBeside(fair(allocations(A, users, policy), { jobs: [job] }))).toMatchSnapshot();
});

const FILE = allocations(
  '<queue name="a"><minResources>2048 mb, 2 vcores</minResources><weight>1</weight></queue>',
  '<queue name="b"><queue name="c"/></queue>',
);
const LARGEST = "<maxContainerAllocation>1024 mb, 1 vcores</maxContainerAllocation>";

it.each<[what: string, scenario: Beside]>([
  [
    "changes queues by name",
    fair(FILE, {}, "queues: { a: { weight: 3, min: { memory: 1024 } }, root.b: { c: { maxApps: 1 } } }"),
  ],
  [
    "changes queues from the command line",
    fair(FILE, {
      set: ["scheduler.queues.a.weight=3", "scheduler.queues.b.c.weight=2", "scheduler.queues.b.weight=5"],
    }),
  ],
  ...[
    "queues: [{ name: a }]",
    "queues: { aa: { weight: 3 } }",
    "queues: { a: { wieght: 3 } }",
    "queues: { a: { d: { weight: 3 } } }",
    "queues: { b: { policy: fifo } }",
    "queues: { a: { policy: drf } }",
    "policy: fifo",
    "queues: { a: { weight: -3 } }",
  ].map((settings): [string, Beside] => [`says ${settings}`, fair(FILE, {}, settings)]),
  ["changes what is not there", { files: {}, scheduler: "{ kind: yarn-fair, queues: { a: { weight: 3 } } }" }],
  ["names a file that is not there", { files: {}, scheduler: "{ kind: yarn-fair, allocations: none.xml }" }],
  [
    "asks for more than a container may be",
    fair(allocations(`<queue name="b">${LARGEST}<queue name="a"/></queue>`, A), { jobs: ["queue: a", "queue: b.a"] }),
  ],
  ["has a job above a queue that another makes", fair(allocations(A), { jobs: ["queue: b", "queue: b.c"] })],
])("A scenario beside an allocation file that %s", (_, scenario) => {
  expect(answerBeside(scenario)).toMatchSnapshot();
});

it("An allocation file is as good as the same queues in the scenario itself", async () => {
  const file = allocations(
    '<queue name="a"><weight>3</weight><minResources>2048 mb, 2 vcores</minResources></queue>',
    '<queue name="b"><maxResources>25%</maxResources><queue name="c"/></queue>',
  );
  const jobs = ["queue: a, count: 9", "queue: b.c, count: 9"];
  const inline = `{ kind: yarn-fair, queues: [{ name: a, weight: 3, min: { memory: 2048, vcores: 2 } },
    { name: b, max: { memory: 8192, vcores: 8 } }, { name: b.c }] }`;
  const [first, second] = [fair(file, { jobs }), { files: {}, scheduler: inline, jobs }].map(async (given) =>
    runScenario(readBeside(given), "."),
  );
  expect((await first!).summary.fingerprint).toBe((await second!).summary.fingerprint);
});
