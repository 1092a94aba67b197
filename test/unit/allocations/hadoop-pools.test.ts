import { describe, expect, it } from "vitest";
import { EMPTY, PLAIN_POOL, read, refusal } from "./allocation-file.js";

const S = 1_000_000;

describe("the allocation file of Hadoop 1", () => {
  it("says nothing when it is empty", () => {
    expect(read("")).toEqual({ allocations: EMPTY, notes: [], elements: [], placementAt: null });
  });

  it("knows every element", () => {
    const { allocations, notes } = read(`
      <pool name="ads"><minMaps>1</minMaps><minReduces>2</minReduces><maxMaps>3</maxMaps><maxReduces>4</maxReduces>
        <maxRunningJobs>5</maxRunningJobs><weight>6.5</weight><minSharePreemptionTimeout>7</minSharePreemptionTimeout>
        <schedulingMode>fifo</schedulingMode></pool>
      <user name="ann"><maxRunningJobs>8</maxRunningJobs></user>
      <poolMaxJobsDefault>9</poolMaxJobsDefault>
      <userMaxJobsDefault>10</userMaxJobsDefault>
      <defaultMinSharePreemptionTimeout>11</defaultMinSharePreemptionTimeout>
      <fairSharePreemptionTimeout>12</fairSharePreemptionTimeout>
      <defaultPoolSchedulingMode>FIFO</defaultPoolSchedulingMode>
      <poolPlacementPolicy><rule name="user"/></poolPlacementPolicy>`);
    expect(notes).toEqual([]);
    expect(allocations).toEqual({
      pools: [
        {
          name: "ads",
          parent: null,
          minMaps: 1,
          minReduces: 2,
          maxMaps: 3,
          maxReduces: 4,
          maxJobs: 5,
          weight: 6.5,
          minShareTimeoutUs: 7 * S,
          fairShareTimeoutUs: null,
          mode: "fifo",
        },
      ],
      users: [{ name: "ann", maxJobs: 8 }],
      poolMaxJobs: 9,
      userMaxJobs: 10,
      minShareTimeoutUs: 11 * S,
      fairShareTimeoutUs: 12 * S,
      defaultMode: "fifo",
      placement: [{ rule: "user", create: true }],
    });
  });

  it("merges pools of one name key by key, the last value winning, and says so", () => {
    const { allocations, notes } = read(`<pool name="a"><minMaps>1</minMaps><weight>2</weight></pool><pool name="b"/>
      <pool name="a"><weight>3</weight><maxMaps>9</maxMaps></pool>`);
    expect(allocations.pools).toEqual([
      { ...PLAIN_POOL, name: "a", minMaps: 1, weight: 3, maxMaps: 9 },
      { ...PLAIN_POOL, name: "b" },
    ]);
    expect(notes).toEqual([
      'f.xml, line 2: pool "a" is declared again; its settings are merged, the last value of each counts',
    ]);
  });

  it("takes the last limit of a user", () => {
    const user = (limit: number) => `<user name="ann"><maxRunningJobs>${limit}</maxRunningJobs></user>`;
    const { allocations, notes } = read(user(1) + user(2) + '<user name="bob"/>');
    expect(allocations.users).toEqual([{ name: "ann", maxJobs: 2 }]);
    expect(notes).toEqual(['f.xml, line 1: user "ann" is given again; the last limit counts']);
  });

  it("has flat pools with dots in their names", () => {
    const { allocations } = read('<pool name="a"/><pool name="a.b"/><pool name="root"/>');
    expect(allocations.pools.map(({ name, parent }) => [name, parent])).toEqual([
      ["a", null],
      ["a.b", null],
      ["root", null],
    ]);
  });

  it("reads text through blanks, comments, CDATA, entities of XML and a byte order mark", () => {
    const { allocations } = read(`<!-- <pool name="no"/> --><pool name=" a&amp;b "><?pi x?>
      <weight>\t 1<!-- -->2<![CDATA[.5]]> </weight></pool>`);
    expect(allocations.pools).toEqual([{ ...PLAIN_POOL, name: "a&b", weight: 12.5 }]);
  });

  it("notes what Hadoop passes over in silence", () => {
    const { allocations, notes } = read(`<pol name="x"/>
      <pool name="a" wieght="3"><minmaps>4</minmaps><pool name="b"/><constructor/></pool>
      <pool name="c"><fairSharePreemptionTimeout>4</fairSharePreemptionTimeout></pool>
      <user name="u"><weight>1</weight></user>`);
    expect(allocations.pools).toEqual([
      { ...PLAIN_POOL, name: "a" },
      { ...PLAIN_POOL, name: "c" },
    ]);
    expect(notes).toEqual([
      'f.xml, line 1: <pol> in <allocations> is ignored, as Hadoop does: Bide does not know it; did you mean "pool"?',
      'f.xml, line 2: the attribute "wieght" of <pool> is ignored',
      'f.xml, line 2: <minmaps> in a pool is ignored, as Hadoop does: Bide does not know it; did you mean "minMaps"?',
      "f.xml, line 2: <pool> is ignored: pools of Hadoop 1 do not lie in each other",
      "f.xml, line 2: <constructor> in a pool is ignored, as Hadoop does: Bide does not know it",
      "f.xml, line 3: <fairSharePreemptionTimeout> is ignored: Hadoop 1 has one for all pools, beside them",
      "f.xml, line 4: <weight> in a user is ignored, as Hadoop does: Bide does not know it",
    ]);
  });

  it("notes a max below the min share, and limits that let nothing run", () => {
    const { allocations, notes } = read(`<pool name="a"><minMaps>5</minMaps><maxMaps>3</maxMaps></pool>
<pool name="b"><maxReduces>0</maxReduces><maxRunningJobs>0</maxRunningJobs></pool>`);
    expect(allocations.pools[0]).toMatchObject({ minMaps: 5, maxMaps: 3 });
    expect(notes).toEqual([
      'f.xml, line 1: pool "a": maxMaps 3 is below minMaps 5; the max counts',
      'f.xml, line 2: pool "b": maxReduces 0 lets none of its reduces run',
      'f.xml, line 2: pool "b": a job limit of 0 lets none of its jobs run',
    ]);
  });

  it("says one thing of many places once, and at most 100 things", () => {
    const many = read("<x/>\n".repeat(9)).notes;
    expect(many).toEqual([
      "f.xml, lines 1, 2, 3, 4, 5 and 4 more: <x> in <allocations> is ignored, as Hadoop does: Bide does not know it",
    ]);
    const different = read(Array.from({ length: 150 }, (_, i) => `<x${i}/>`).join("")).notes;
    expect(different).toHaveLength(101);
    expect(different[100]).toBe("f.xml: 50 more notes like these");
  });

  it("tells all that is wrong at once, in the order of the file", () => {
    expect(
      refusal(`<pool><weight>-1</weight></pool>
<userMaxJobsDefault>many</userMaxJobsDefault>
<pool name="a"><minMaps><b/></minMaps><schedulingMode>lifo</schedulingMode></pool>
<user name=""><maxRunningJobs/></user>`).split("\n"),
    ).toEqual([
      "f.xml:1:14: found no name of <pool>, allowed a name of 1 to 100 printable characters",
      'f.xml:1:20: found "-1" in <weight>, allowed 0, or a number from 0.000001 to 1000000',
      'f.xml:2:1: found "many" in <userMaxJobsDefault>, allowed a whole number from 0 to 2147483647',
      "f.xml:3:25: found <b> inside <minMaps>, allowed only text",
      'f.xml:3:39: found "lifo" in <schedulingMode>, allowed fair or fifo',
      'f.xml:4:1: found the name "" of <user>, allowed a name of 1 to 100 printable characters',
      "f.xml:4:15: found nothing in <maxRunningJobs>, allowed a whole number from 0 to 2147483647",
    ]);
  });

  it("is not mixed with YARN's form: the message names what decided the form, and where", () => {
    const hint =
      "allowed one form per file: only YARN reads it, and <minMaps> on line 1 makes the file one of Hadoop 1";
    const mixed = '<pool name="a"><minMaps>1</minMaps>\n<minResources>1 vcores</minResources></pool><queue name="b"/>';
    expect(refusal(mixed).split("\n")).toEqual([
      `f.xml:2:1: found <minResources> in <pool>, ${hint}`,
      `f.xml:2:45: found <queue> in <allocations>, ${hint}`,
    ]);
    expect(
      refusal('<poolMaxJobsDefault>1</poolMaxJobsDefault><user name="u"><maxRunningApps>1</maxRunningApps></user>'),
    ).toContain(
      "found <maxRunningApps> in <user>, allowed one form per file: only YARN reads it, and <poolMaxJobsDefault> on line 1",
    );
  });

  it.each([
    '<pool name="a"/>',
    '<pool name="a"><maxRunningJobs>1</maxRunningJobs></pool>',
    '<user name="u"><maxRunningJobs>1</maxRunningJobs></user>',
  ])("%s alone is of Hadoop 1", (xml) => {
    expect(read(xml).notes).toEqual([]);
  });
});

describe("an allocation file of YARN", () => {
  const allowed =
    "allowed elements of Hadoop 1: `platform: yarn` with kind yarn-fair and scheduler.allocations runs it as YARN means it";

  it.each([
    ['<queue name="a"><weight>2</weight></queue>', "<queue> in <allocations>"],
    ['<pool name="a"><minResources>1024 mb, 2 vcores</minResources></pool>', "<minResources> in <pool>"],
    ['<pool name="a"><maxResources>50%</maxResources></pool>', "<maxResources> in <pool>"],
    ['<pool name="a"><maxChildResources>1 mb, 1 vcores</maxChildResources></pool>', "<maxChildResources> in <pool>"],
    ['<pool name="a"><schedulingPolicy>drf</schedulingPolicy></pool>', "<schedulingPolicy> in <pool>"],
    ['<pool name="a"><maxRunningApps>1</maxRunningApps></pool>', "<maxRunningApps> in <pool>"],
    ['<pool name="a"><allowPreemptionFrom>false</allowPreemptionFrom></pool>', "<allowPreemptionFrom> in <pool>"],
    ['<pool name="a"><pool name="b"><maxAMShare>1</maxAMShare></pool></pool>', "<maxAMShare> in <pool>"],
    ['<user name="u"><maxRunningApps>1</maxRunningApps></user>', "<maxRunningApps> in <user>"],
    ["<queueMaxAppsDefault>3</queueMaxAppsDefault>", "<queueMaxAppsDefault> in <allocations>"],
    ["<queuePlacementPolicy><reject/></queuePlacementPolicy>", "<queuePlacementPolicy> in <allocations>"],
    // It is refused for what it is, and not for what is wrong in it.
    ['<queue name="a"><weight>-1</weight><queue/></queue>', "<queue> in <allocations>"],
  ])("is refused by %s", (xml, found) => {
    expect(refusal(`\n<pool name="b"/>${xml}`)).toMatch(/^f\.xml:2:\d+: found [^\n]*$/);
    expect(refusal(`<pool name="b"/>${xml}`)).toContain(`: found ${found}, of a file of YARN, ${allowed}`);
  });

  it("that has elements of Hadoop 1 after those of YARN is refused for both", () => {
    expect(refusal('<queue name="a">\n<minMaps>1</minMaps></queue>').split("\n")).toEqual([
      `f.xml:1:14: found <queue> in <allocations>, of a file of YARN, ${allowed}`,
      "f.xml:2:1: found <minMaps> in <queue>, allowed one form per file: only Hadoop 1 reads it, and <queue> on line 1 makes the file one of YARN",
    ]);
  });
});
