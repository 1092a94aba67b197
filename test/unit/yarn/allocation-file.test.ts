import { describe, expect, it } from "vitest";
import { loadAnyScenario } from "../../../dist/io/index.js";
import { runScenario } from "../../../dist/lab/index.js";
import { allocations, fair, jobsOf, readBeside, refusal } from "./beside-scenario.js";

const A = '<queue name="a"/>';

function queuesOf(...[text, more, settings]: Parameters<typeof fair>) {
  const { scheduler } = readBeside(fair(text, more, settings)).scenario;
  return new Map(scheduler.queues.map(({ name, spec }) => [name, spec as Record<string, unknown>]));
}

/** What one element says of the queue a. */
function saying(element: string): Record<string, unknown> | undefined {
  return queuesOf(allocations(`<queue name="a">${element}</queue>`)).get("root.a");
}

describe("an allocation file under YARN", () => {
  it("keeps queues nested, each after the one it lies in", () => {
    const file = allocations(
      '<queue name="b"><weight>2</weight><queue name="c"><weight>0.5</weight></queue></queue>',
      A,
    );
    expect([...queuesOf(file)].map(([name, { weight }]) => [name, weight])).toEqual([
      ["root", undefined],
      ["root.b", 2],
      ["root.b.c", 0.5],
      ["root.a", undefined],
    ]);
  });

  it.each([
    ["<maxResources>4096 mb, 3 vcores</maxResources>", { maxResources: { memory: 4096, vcores: 3 } }],
    ["<maxResources>4096.9mb,3.9 VCORES</maxResources>", { maxResources: { memory: 4096, vcores: 3 } }],
    ["<maxResources>vcores=3, memory-mb=4096</maxResources>", { maxResources: { memory: 4096, vcores: 3 } }],
    ["<maxResources>memory-mb=4096</maxResources>", { maxResources: { memory: 4096, vcores: Infinity } }],
    ["<minResources>memory-mb=4096</minResources>", { minResources: { memory: 4096, vcores: 0 } }],
    ["<maxResources>50%</maxResources>", { maxResources: { memory: 0.5, vcores: 0.5, isOfCluster: true } }],
    ["<maxResources>50% cpu, 25.5% memory</maxResources>", { maxResources: { memory: 0.255, vcores: 0.5 } }],
    ["<minResources>memory-mb=25%, vcores=50%</minResources>", { minResources: { memory: 0.25, vcores: 0.5 } }],
    // Of 4 nodes with 8 vcores each.
    ["<maxResources>memory-mb=4096, vcores=50%</maxResources>", { maxResources: { memory: 4096, vcores: 16 } }],
    // What YARN counts up to 2^63 - 1 is counted up to 2^53 - 1.
    [
      "<maxResources>9223372036854775807 mb, 2 vcores</maxResources>",
      { maxResources: { memory: Number.MAX_SAFE_INTEGER, vcores: 2 } },
    ],
    ["<maxChildResources>10%</maxChildResources>", { maxChildResources: { memory: 0.1, vcores: 0.1 } }],
    ["<maxRunningApps>3</maxRunningApps>", { maxRunningApps: 3 }],
    ["<maxRunningApps>2147483647</maxRunningApps>", { maxRunningApps: Infinity }],
    ["<maxAMShare>-1</maxAMShare>", { maxAmShare: -1 }],
    ["<maxAMShare>1.5</maxAMShare>", { maxAmShare: 1 }],
    ["<schedulingPolicy>FIFO</schedulingPolicy>", { policy: "fifo" }],
    ["<schedulingMode>fair</schedulingMode>", { policy: "fair" }],
    ["<minSharePreemptionTimeout>2</minSharePreemptionTimeout>", { minSharePreemptionTimeoutUs: 2e6 }],
    [
      "<fairSharePreemptionTimeout>9223372036854775807</fairSharePreemptionTimeout>",
      { fairSharePreemptionTimeoutUs: Infinity },
    ],
    ["<fairSharePreemptionThreshold>0.8</fairSharePreemptionThreshold>", { fairSharePreemptionThreshold: 0.8 }],
    ["<allowPreemptionFrom>false</allowPreemptionFrom>", { allowPreemptionFrom: false }],
  ])("reads %s", (element, spec) => {
    expect(saying(element)).toMatchObject(spec);
  });

  it("reads what holds where a queue does not say, of the root too as YARN does", () => {
    const file = allocations(
      A,
      "<queueMaxAppsDefault>5</queueMaxAppsDefault>",
      "<userMaxAppsDefault>2</userMaxAppsDefault>",
      '<user name="ann"><maxRunningApps>7</maxRunningApps></user>',
      "<queueMaxAMShareDefault>0.3</queueMaxAMShareDefault>",
      "<queueMaxResourcesDefault>8192 mb, 8 vcores</queueMaxResourcesDefault>",
      "<defaultQueueSchedulingPolicy>drf</defaultQueueSchedulingPolicy>",
      "<defaultMinSharePreemptionTimeout>9</defaultMinSharePreemptionTimeout>",
      "<fairSharePreemptionTimeout>8</fairSharePreemptionTimeout>",
      "<defaultFairSharePreemptionTimeout>7</defaultFairSharePreemptionTimeout>",
      "<defaultFairSharePreemptionThreshold>0.6</defaultFairSharePreemptionThreshold>",
    );
    const { scheduler } = readBeside(fair(file)).scenario;
    expect(scheduler).toMatchObject({
      settings: {
        policy: "drf",
        maxAmShare: 0.3,
        queueMaxApps: 5,
        userMaxApps: 2,
        queueMaxResources: { memory: 8192, vcores: 8 },
      },
      users: [{ name: "ann", maxRunningApps: 7 }],
    });
    expect(scheduler.queues[0]).toEqual({
      name: "root",
      spec: {
        minSharePreemptionTimeoutUs: 9e6,
        fairSharePreemptionTimeoutUs: 7e6,
        fairSharePreemptionThreshold: 0.6,
        maxRunningApps: 5,
        maxResources: { memory: 8192, vcores: 8 },
      },
    });
  });

  it("says of each element that is not used why, in which line", () => {
    const file = allocations(
      '<queue name="a">',
      "<aclSubmitApps>*</aclSubmitApps>",
      "<maxRunningJobs>3</maxRunningJobs>",
      "<wieght>3</wieght>",
      "<reservation/>",
      "<maxResources>memory-mb=1024, gpu=2</maxResources>",
      "<minResources>2048 mb, 0 vcores</minResources>",
      "</queue>",
    );
    const { notes } = readBeside(fair(file));
    expect(notes).toEqual([
      expect.stringMatching(/line 2: queue "root.a": the memory of maxResources is below that of minResources/),
      expect.stringMatching(/f.xml, line 3: <aclSubmitApps> is ignored: who may do what/),
      expect.stringMatching(/line 4: <maxRunningJobs> is ignored: YARN reads <maxRunningApps> alone/),
      expect.stringMatching(/line 5: <wieght> in a queue is ignored.*did you mean "weight"/),
      expect.stringMatching(/line 6: <reservation> is ignored/),
      expect.stringMatching(/line 7: gpu in <maxResources> is not used: nodes have memory and vcores only/),
    ]);
  });

  it("limits applications of a user", async () => {
    const file = allocations(A, '<user name="ann"><maxRunningApps>1</maxRunningApps></user>');
    const { scenario } = readBeside(fair(file, { jobs: ["queue: a, user: ann, count: 2"] }));
    const { scenario: free } = readBeside(fair(allocations(A), { jobs: ["queue: a, user: ann, count: 2"] }));
    const [held, both] = [await runScenario(scenario, "."), await runScenario(free, ".")];
    expect(held.summary.virtualSeconds).toBeGreaterThan(both.summary.virtualSeconds + 5);
  });

  it("refuses what is larger than a container may be, of the next queue that says it", () => {
    const largest = "<maxContainerAllocation>1024 mb, 1 vcores</maxContainerAllocation>";
    const file = allocations(`<queue name="b">${largest}<queue name="a"/></queue>`, A);
    expect(refusal(fair(file, { jobs: ["queue: a", "queue: b.a"] }))).toMatch(
      /^at\/s.yaml:3:\d+: found 1536 for workload.jobs.1.master.memory, allowed at most 1024, the maxContainerAllocation/,
    );
  });

  it("is as good as the same queues in the scenario itself", async () => {
    const file = allocations(
      '<queue name="a"><weight>3</weight><minResources>2048 mb, 2 vcores</minResources></queue>',
      '<queue name="b"><maxResources>25%</maxResources><queue name="c"/></queue>',
    );
    const jobs = ["queue: a, count: 9", "queue: b.c, count: 9"];
    const inline = `{ kind: yarn-fair, queues: [{ name: a, weight: 3, min: { memory: 2048, vcores: 2 } },
      { name: b, max: { memory: 8192, vcores: 8 } }, { name: b.c }] }`;
    const [read, said] = [readBeside(fair(file, { jobs })), readBeside({ files: {}, scheduler: inline, jobs })];
    const fingerprints = [await runScenario(read.scenario, "."), await runScenario(said.scenario, ".")].map(
      ({ summary }) => summary.fingerprint,
    );
    expect(fingerprints[0]).toBe(fingerprints[1]);
  });
});

describe("placement rules", () => {
  const place = (rules: string, job: string, queues = A): string => {
    const { scenario } = readBeside(
      fair(allocations(queues, rules === "" ? "" : `<queuePlacementPolicy>${rules}</queuePlacementPolicy>`), {
        jobs: [job],
      }),
    );
    return jobsOf(scenario)[0].queue;
  };
  const USERS = '<queue name="users" type="parent"/>';
  const NESTED = '<rule name="nestedUserQueue"><rule name="default" queue="users"/></rule>';

  it.each([
    ["the queue a job names, with or without root", "", "queue: root.a", "root.a"],
    ["one that is made", "", "queue: b.c", "root.b.c"],
    ["else that of its user, as YARN does", "", "user: ann", "root.ann"],
    ["the name default names nothing", "", "queue: default, user: ann", "root.ann"],
    ["dots of users are none of queues", "", "user: ann.b", "root.ann_dot_b"],
    ["only declared ones", '<specified create="false"/><default/>', "queue: b", "root.default"],
    ["a default of another name", '<specified/><rule name="default" queue="a"/>', "user: ann", "root.a"],
    ["a queue for each user", `<specified create="false"/>${NESTED}`, "user: ann", "root.users.ann"],
    ["no groups", '<rule name="secondaryGroupExistingQueue"/><user/>', "user: ann", "root.ann"],
  ])("%s", (_, rules, job, queue) => {
    expect(place(rules, job, A + USERS)).toBe(queue);
  });

  it("gives made queues the limit of their parent for them", () => {
    const file = allocations(
      A,
      '<queue name="users" type="parent"><maxChildResources>1024 mb, 1 vcores</maxChildResources></queue>',
      `<queuePlacementPolicy>${NESTED}</queuePlacementPolicy>`,
    );
    const queues = queuesOf(file, { jobs: ["user: ann"] });
    expect(queues.get("root.users.ann")).toEqual({ maxResources: { memory: 1024, vcores: 1 } });
  });

  it.each([
    ["a job that none places", "<specified/><reject/>", "user: ann", /jobs.0.queue, allowed what the placement rules/],
    ["a job of a parent", "", "queue: users", /found "users" for workload.jobs.0.queue/],
    ["a job below a leaf", "", "queue: a.b", /found the queue "root.a.b" .*"root.a" takes jobs itself/],
  ])("%s is refused", (_, rules, job, message) => {
    expect(() => place(rules, job, A + USERS)).toThrow(message);
  });

  it("a job above a queue that another makes is refused", () => {
    expect(refusal(fair(allocations(A), { jobs: ["queue: b", "queue: b.c"] }))).toMatch(
      /s.yaml:3:.*found the queue "root.b" for workload.jobs.0.queue, .*queues of other jobs are below it/,
    );
  });

  it.each([
    ["without a rule", "", /found no rule in <queuePlacementPolicy>/],
    ["that end undecided", "<specified/>", /found the rule specified with create="true" as the last one/],
    ["behind one that decides", "<user/><default/>", /found the rule user .* before others/],
    ["of no known name", '<rule name="usr"/>', /found the rule "usr", .*did you mean "user"/],
    ["without a name", "<rule/>", /found no name of a rule/],
    ["with two inside one", "<nestedUserQueue><user/><default/></nestedUserQueue>", /found 2 rules inside/],
    [
      "in themselves",
      "<nestedUserQueue><nestedUserQueue><user/></nestedUserQueue></nestedUserQueue>",
      /allowed specified/,
    ],
    ["with anything inside", "<user><default/></user>", /found <default> inside the rule user/],
    ["made perhaps", '<user create="perhaps"/>', /found "perhaps" for the attribute create/],
  ])("rules %s are refused", (_, rules, message) => {
    const file = allocations(A, `<queuePlacementPolicy>${rules}</queuePlacementPolicy>`);
    expect(refusal(fair(file))).toMatch(message);
  });
});

describe("a scenario changes queues of a file", () => {
  const FILE = allocations(
    '<queue name="a"><minResources>2048 mb, 2 vcores</minResources><weight>1</weight></queue>',
    '<queue name="b"><queue name="c"/></queue>',
  );

  it("by name, and the rest is as the file says", () => {
    const queues = queuesOf(
      FILE,
      {},
      "queues: { a: { weight: 3, min: { memory: 1024 } }, root.b: { c: { maxApps: 1 } } }",
    );
    expect(queues.get("root.a")).toMatchObject({ weight: 3, minResources: { memory: 1024, vcores: 2 } });
    expect(queues.get("root.b.c")).toMatchObject({ maxRunningApps: 1 });
  });

  it("from the command line, below other queues too", () => {
    const set = ["scheduler.queues.a.weight=3", "scheduler.queues.b.c.weight=2", "scheduler.queues.b.weight=5"];
    const queues = queuesOf(FILE, { set });
    expect(["a", "b", "b.c"].map((name) => queues.get(`root.${name}`)?.weight)).toEqual([3, 5, 2]);
  });

  it.each([
    ["a list", "queues: [{ name: a }]", /found a list of queues beside a file .*allowed a mapping/],
    [
      "a queue that it has not",
      "queues: { aa: { weight: 3 } }",
      /found the queue "root.aa" beside f.xml, .*a, b, b.c; did you mean "a"/,
    ],
    [
      "a setting that there is not",
      "queues: { a: { wieght: 3 } }",
      /found 3 for scheduler.queues.a.wieght, allowed a setting of a queue \(weight/,
    ],
    ["a queue below it that is not there", "queues: { a: { d: { weight: 3 } } }", /found the queue "root.a.d"/],
    ["fifo for a parent", "queues: { b: { policy: fifo } }", /found fifo for scheduler.queues.b.policy/],
    ["drf below fair", "queues: { a: { policy: drf } }", /found drf for scheduler.queues.a.policy/],
    ["fifo for all", "policy: fifo", /found fifo for scheduler.policy/],
    ["a weight below 0", "queues: { a: { weight: -3 } }", /found -3 for scheduler.queues.a.weight/],
  ])("but not %s", (_, settings, message) => {
    expect(refusal(fair(FILE, {}, settings))).toMatch(message);
  });

  it("but without a file there is nothing to change", () => {
    const beside = { files: {}, scheduler: "{ kind: yarn-fair, queues: { a: { weight: 3 } } }" };
    expect(refusal(beside)).toMatch(/found a mapping of queues without a file for scheduler.queues, allowed a list/);
  });

  it("in the shipped scenario as its systems say", () => {
    const file = "scenarios/yarn/allocation-file.yaml";
    const { scenario } = loadAnyScenario(file, { set: ["scheduler.queues.production.weight=3"] });
    const { queues } = (scenario as unknown as { scheduler: { queues: { name: string; spec: object }[] } }).scheduler;
    expect(queues.find(({ name }) => name === "root.production")?.spec).toMatchObject({ weight: 3 });
  });
});
