import { describe, expect, it } from "vitest";
import { readAllocations } from "../../../dist/io/index.js";
import { EMPTY_YARN, PLAIN_POOL, read, refusal } from "./allocation-file.js";

const S = 1_000_000;
const poolsOf = (xml: string) => read(xml).allocations.pools;
const outline = (xml: string) => poolsOf(xml).map(({ name, parent }) => [name, parent]);

describe("queues of YARN", () => {
  it("become nested pools, each after the one it lies in", () => {
    const tree = '<queue name="a"><queue name="b"><queue name="c"/></queue><queue name="d"/></queue><queue name="e"/>';
    const pools = [
      ["a", null],
      ["a.b", "a"],
      ["a.b.c", "a.b"],
      ["a.d", "a"],
      ["e", null],
    ];
    expect(outline(tree)).toEqual(pools);
    expect(outline(`<queue name="Root">${tree}</queue>`)).toEqual(pools);
    expect(read(tree)).toMatchObject({ form: "yarn", notes: [] });
  });

  it("may have full names; those they lie in are made, with a note", () => {
    const { allocations, notes } = read('<queue name="root.a.b"/>\n<queue name="c"><queue name="root.c.d"/></queue>');
    expect(allocations.pools.map(({ name, parent }) => [name, parent])).toEqual([
      ["a", null],
      ["a.b", "a"],
      ["c", null],
      ["c.d", "c"],
    ]);
    expect(notes).toEqual([
      'f.xml, line 1: queue "a" is not declared itself; it is made with weight 1 and without limits',
    ]);
  });

  it("may be declared after those inside them, and repeatedly", () => {
    const { allocations, notes } = read(
      '<queue name="a.b"><weight>2</weight></queue><queue name="a"><weight>3</weight><queue name="b"><maxRunningApps>4</maxRunningApps></queue></queue>',
    );
    expect(allocations.pools).toEqual([
      { ...PLAIN_POOL, name: "a", weight: 3 },
      { ...PLAIN_POOL, name: "a.b", parent: "a", weight: 2, maxJobs: 4 },
    ]);
    expect(notes).toEqual([
      'f.xml, line 1: queue "a.b" is declared again; its settings are merged, the last value of each counts',
    ]);
  });

  it("know every element that means something here", () => {
    const { allocations } = read(`<queue name="a"><weight>2.5</weight><minResources>1024 mb, 4 vcores</minResources>
        <maxResources>8 vcores</maxResources><maxRunningApps>3</maxRunningApps><schedulingPolicy>FIFO</schedulingPolicy>
        <minSharePreemptionTimeout>5</minSharePreemptionTimeout><fairSharePreemptionTimeout>6</fairSharePreemptionTimeout></queue>
      <user name="ann"><maxRunningApps>7</maxRunningApps></user>
      <queueMaxAppsDefault>8</queueMaxAppsDefault><userMaxAppsDefault>9</userMaxAppsDefault>
      <defaultMinSharePreemptionTimeout>10</defaultMinSharePreemptionTimeout>
      <defaultFairSharePreemptionTimeout>11</defaultFairSharePreemptionTimeout>
      <defaultQueueSchedulingPolicy>drf</defaultQueueSchedulingPolicy>
      <queuePlacementPolicy><rule name="default"/></queuePlacementPolicy>`);
    expect(allocations).toEqual({
      pools: [
        {
          name: "a",
          parent: null,
          weight: 2.5,
          minMaps: 4,
          minReduces: 0,
          maxMaps: 8,
          maxReduces: Infinity,
          maxJobs: 3,
          minShareTimeoutUs: 5 * S,
          fairShareTimeoutUs: 6 * S,
          mode: "fifo",
        },
      ],
      users: [{ name: "ann", maxJobs: 7 }],
      poolMaxJobs: 8,
      userMaxJobs: 9,
      minShareTimeoutUs: 10 * S,
      fairShareTimeoutUs: 11 * S,
      defaultMode: "fair",
      placement: [{ rule: "default", create: true }],
      underRoot: true,
    });
  });

  it("have their own timeouts; those of root are everybody's", () => {
    const min = (s: number) => `<minSharePreemptionTimeout>${s}</minSharePreemptionTimeout>`;
    const fair = (s: number) => `<fairSharePreemptionTimeout>${s}</fairSharePreemptionTimeout>`;
    const { allocations } = read(`<defaultMinSharePreemptionTimeout>1</defaultMinSharePreemptionTimeout>
      <queue name="root">${min(2)}<queue name="a">${fair(3)}<queue name="b"><queue name="c">${min(4)}</queue></queue></queue>
      <queue name="d"/></queue>`);
    expect(allocations).toMatchObject({ minShareTimeoutUs: 2 * S, fairShareTimeoutUs: Infinity });
    expect(allocations.pools.map((p) => [p.name, p.minShareTimeoutUs, p.fairShareTimeoutUs])).toEqual([
      ["a", null, 3 * S],
      ["a.b", null, null],
      ["a.b.c", 4 * S, null],
      ["d", null, null],
    ]);
  });

  it("take the newer name of the fair-share timeout before the older one", () => {
    const older = "<fairSharePreemptionTimeout>1</fairSharePreemptionTimeout>";
    const newer = "<defaultFairSharePreemptionTimeout>2</defaultFairSharePreemptionTimeout>";
    expect(read(`${newer}${older}`).allocations.fairShareTimeoutUs).toBe(2 * S);
    expect(read(`<queue name="a"/>${older}`).allocations.fairShareTimeoutUs).toBe(S);
  });

  it("take the fair-share timeout of root before that beside it", () => {
    const root = '<queue name="root"><fairSharePreemptionTimeout>3</fairSharePreemptionTimeout></queue>';
    const beside = "<defaultFairSharePreemptionTimeout>2</defaultFairSharePreemptionTimeout>";
    expect(read(beside + root).allocations).toMatchObject({ pools: [], fairShareTimeoutUs: 3 * S });
  });

  it("are known by a user's limit alone", () => {
    const { allocations, form, notes } = read('<user name="ann"><maxRunningApps>7</maxRunningApps></user>');
    expect({ allocations, form, notes }).toEqual({
      allocations: { ...EMPTY_YARN, users: [{ name: "ann", maxJobs: 7 }] },
      form: "yarn",
      notes: [],
    });
  });

  it("hold no jobs when they hold queues, so their policy is dropped", () => {
    const { allocations, notes } = read(
      '<queue name="a"><schedulingPolicy>fifo</schedulingPolicy><queue name="b"/></queue>\n<queue name="p" type="parent"/>',
    );
    expect(allocations.pools.map(({ mode }) => mode)).toEqual([null, null, null]);
    expect(notes).toEqual([
      'f.xml, line 1: queue "a": fifo is ignored: it holds queues, and those always share',
      'f.xml, line 2: queue "p" is of type parent without queues inside; here such a pool takes jobs',
    ]);
  });

  it("give declared queues the default max, unless they have one of whatever kind", () => {
    const { allocations, notes } = read(`<queueMaxResourcesDefault>7 vcores</queueMaxResourcesDefault>
<queue name="a"/><queue name="b"><maxResources>9 vcores</maxResources></queue><queue name="c"><maxResources>50%</maxResources></queue>`);
    expect(allocations.pools.map(({ maxMaps }) => maxMaps)).toEqual([7, 9, Infinity]);
    expect(notes[1]).toBe(
      "f.xml, line 1: <queueMaxResourcesDefault> holds for the pools of this file; others are made without a max",
    );
  });

  it("note each thing without a meaning here, once", () => {
    const ignored = [
      ...["maxChildResources", "maxContainerAllocation", "maxAMShare", "fairSharePreemptionThreshold"],
      ...["allowPreemptionFrom", "aclSubmitApps", "aclAdministerApps", "aclAdministerReservations"],
      ...["aclListReservations", "aclSubmitReservations", "reservation"],
    ];
    const queue = (name: string) =>
      `<queue name="${name}">${ignored.map((key) => `<${key}>1</${key}>`).join("")}</queue>\n`;
    const { allocations, notes } = read(queue("a") + queue("b"));
    expect(allocations).toEqual({ ...EMPTY_YARN, pools: ["a", "b"].map((name) => ({ ...PLAIN_POOL, name })) });
    expect(notes.map((note) => /^f\.xml, lines 1 and 2: <(\w+)> is ignored: ./.exec(note)?.[1])).toEqual(ignored);
    const root = ["defaultFairSharePreemptionThreshold", "queueMaxAMShareDefault", "reservation-agent"];
    const above = read(`<queue name="a"/>${root.map((key) => `<${key}>1</${key}>`).join("")}`);
    expect(above.notes).toHaveLength(3);
  });

  it("note what is said of root and cannot hold, and what YARN would do otherwise", () => {
    const { allocations, notes } = read(`<queue name="root"><weight>2</weight><maxRunningApps>5</maxRunningApps>
      <maxResources>1 mb</maxResources><minResources>2 vcores</minResources><schedulingPolicy>fifo</schedulingPolicy></queue>
<queueMaxAppsDefault>4</queueMaxAppsDefault><defaultQueueSchedulingPolicy>fifo</defaultQueueSchedulingPolicy>`);
    expect(allocations).toEqual({ ...EMPTY_YARN, poolMaxJobs: 4, defaultMode: "fifo" });
    expect(notes.filter((note) => note.includes("root"))).toHaveLength(5);
    expect(notes.at(-1)).toContain("<defaultQueueSchedulingPolicy> fifo is refused by YARN, and taken here");
  });

  it("may be called pools, as YARN reads them, and limits of jobs by Hadoop 1's name are passed over with a note", () => {
    const { form, allocations, notes } = read(`<pool name="a"><maxRunningJobs>3</maxRunningJobs></pool>
<user name="ann"><maxRunningJobs>4</maxRunningJobs></user>
<pool name="root.b"><pool name="c"><maxRunningApps>5</maxRunningApps></pool></pool>`);
    expect(form).toBe("yarn");
    expect(allocations).toEqual({
      ...EMPTY_YARN,
      pools: [
        { ...PLAIN_POOL, name: "a" },
        { ...PLAIN_POOL, name: "b" },
        { ...PLAIN_POOL, name: "b.c", parent: "b", maxJobs: 5 },
      ],
    });
    expect(notes).toEqual(["f.xml, lines 1 and 2: <maxRunningJobs> is ignored: YARN reads only <maxRunningApps>"]);
  });

  it("are those of a file that was moved from Hadoop 1 to YARN", () => {
    const { form, allocations, notes } = readAllocations("test/data/yarn-queues.xml", "moved.xml");
    expect(form).toBe("yarn");
    expect(allocations).toMatchObject({ users: [], userMaxJobs: 1000 });
    expect(allocations.pools.map(({ name, weight, minMaps }) => [name, weight, minMaps])).toEqual([
      ["queue_1", 0.25, 1],
      ["queue_2", 0.25, 1],
      ["queue_3", 0.5, 1],
    ]);
    expect(notes[0]).toBe("moved.xml, line 5: <maxRunningJobs> is ignored: YARN reads only <maxRunningApps>");
  });

  it.each([
    ['<queue name="root"/><queue name="a"/>', 'found the queue "a" beside the queue "root", allowed only inside it'],
    ['<queue name="a..b"/>', 'found the queue name "a..b"'],
    ['<queue name="root."/>', 'found the queue name "root."'],
    ['<queue name="a . b"/>', 'found the queue name "a . b"'],
    [
      '<queue name="a"><queue name="root.b"/></queue>',
      'found the queue "root.b" inside "a", allowed names that lie in it',
    ],
    [`<queue name="${"x".repeat(60)}"><queue name="${"y".repeat(60)}"/></queue>`, "found the full name"],
    ["<queue/>", "found no name of <queue>"],
    [
      '<queue name="a"><minMaps>1</minMaps></queue>',
      "found <minMaps> in <queue>, allowed one form per file: only Hadoop 1 reads it, and <queue> on line 1 makes the file one of YARN",
    ],
    [
      '<queue name="a"><pool name="b"><maxMaps>1</maxMaps></pool></queue>',
      "found <maxMaps> in <pool>, allowed one form",
    ],
    ['<queue name="a"/><poolMaxJobsDefault>1</poolMaxJobsDefault>', "found <poolMaxJobsDefault> in <allocations>"],
    ['<queue name="a"><weight>-1</weight></queue>', 'found "-1" in <weight>'],
    ['<queue name="a"><schedulingPolicy>lifo</schedulingPolicy></queue>', "allowed fair, fifo or drf"],
  ])("%s is refused", (xml, message) => {
    expect(refusal(xml)).toContain(message);
  });

  it("are told of in the order of the file, though queues are read last", () => {
    const lines = refusal('<queue name="a..b"/>\n<queueMaxAppsDefault>x</queueMaxAppsDefault>').split("\n");
    expect(lines.map((line) => line.slice(0, 10))).toEqual(["f.xml:1:14", "f.xml:2:1:"]);
  });

  it("are told of all problems, those inside a queue without a proper name included", () => {
    const xml = '<queue name="a..b"><weight>x</weight><queue><maxRunningApps>y</maxRunningApps></queue></queue>';
    expect(refusal(xml).split("\n")).toHaveLength(4);
  });
});

describe("resources of YARN", () => {
  const max = (text: string) => read(`<queue name="a"><maxResources>${text}</maxResources></queue>`);

  it.each([
    ["1024 mb, 4 vcores", 4],
    ["1024mb,4vcores", 4],
    ["4 vcores", 4],
    ["4 vcores, 1024 mb", 4],
    ["1024 mb 4 vcores", 4],
    ["1024.5 MB, 4.9 VCores", 4],
    ["vcores=4, memory-mb=1024", 4],
    ["memory-mb = 1024 , vcores = 0", 0],
    ["vcores=4,yarn.io/gpu=2", 4],
    ["1024 mb", Infinity],
    ["memory-mb=1024", Infinity],
    ["50%", Infinity],
    ["50% cpu, 20.5% memory", Infinity],
    ["vcores=50%, memory-mb=20%", Infinity],
  ])("%j", (text, slots) => {
    expect(max(text).allocations.pools[0].maxMaps).toBe(slots);
  });

  it("are map slots, never memory and never shares of the cluster, which notes say", () => {
    expect(max("1024 mb, 4 vcores").notes).toEqual([
      "f.xml, line 1: memory in <maxResources> is ignored: slots are the only resource here",
      "f.xml, line 1: vcores of <maxResources> are taken as map slots; reduces get no such limit or promise",
    ]);
    expect(max("vcores=1, yarn.io/gpu=2").notes[0]).toContain("yarn.io/gpu in <maxResources> is ignored");
    expect(max("50%").notes).toEqual([
      "f.xml, line 1: a share of the cluster in <maxResources> is ignored: only numbers of vcores are taken",
    ]);
  });

  it.each([
    "",
    "4",
    "4 cores",
    "-4 vcores",
    "1e3 vcores",
    "vcores=",
    "=4",
    "vcores=-1",
    "4 vcores,",
    ",",
    "1024 mb; 4 vcores",
  ])("%j is refused", (text) => {
    expect(refusal(`<queue name="a"><maxResources>${text}</maxResources></queue>`)).toContain(
      'in <maxResources>, allowed resources such as "1024 mb, 4 vcores"',
    );
  });

  it("are no more than a cluster can have", () => {
    expect(refusal('<queue name="a"><minResources>64000001 vcores</minResources></queue>')).toContain(
      "allowed at most 64000000 vcores",
    );
  });
});
