import { describe, expect, it } from "vitest";
import { allocations, fair, readBeside, refusal } from "../../unit/yarn/beside-scenario.js";

const A = '<queue name="a"/>';

const of = (element: string): string => allocations(`<queue name="a">`, element, "</queue>");

describe("an allocation file under YARN is refused, with file and line", () => {
  it.each([
    [
      "of Hadoop 1",
      allocations('<pool name="a"><minMaps>3</minMaps></pool>'),
      "at/f.xml:1:1: found pools of Hadoop 1, allowed queues of YARN: a scenario of platform hadoop runs such a file",
    ],
    ["of the other scheduler", "<configuration/>", "scheduler.file of kind yarn-capacity"],
    [
      "with a weight that is none",
      of("<weight>heavy</weight>"),
      'at/f.xml:3:1: found "heavy" in <weight>, allowed 0, or',
    ],
    [
      "with a negative amount",
      of("<maxResources>-1 mb, 1 vcores</maxResources>"),
      'f.xml:3:1: found "-1 mb, 1 vcores"',
    ],
    ["with half of an amount", of("<minResources>1024 mb</minResources>"), "(both)"],
    ["with half of a part", of("<minResources>10% memory</minResources>"), "(both)"],
    ["with parts beside amounts", of("<minResources>10% memory, 1 vcores</minResources>"), "(both)"],
    ["with nothing", of("<minResources/>"), "found nothing in <minResources>"],
    ["with an amount of 2,000 digits", of(`<minResources>${"9".repeat(2000)} mb, 1 vcores</minResources>`), "found"],
    ["with another policy", of("<schedulingPolicy>lottery</schedulingPolicy>"), "allowed fair, drf or fifo"],
    [
      "with drf below fair",
      of("<schedulingPolicy>drf</schedulingPolicy>"),
      'f.xml:2:1: found drf for the queue "root.a"',
    ],
    [
      "with fifo above queues",
      of(`<schedulingPolicy>fifo</schedulingPolicy><queue name="b"/>`),
      "it has queues below it",
    ],
    [
      "with fifo for all",
      allocations(A, "<defaultQueueSchedulingPolicy>fifo</defaultQueueSchedulingPolicy>"),
      'f.xml:3:1: found "fifo"',
    ],
    ["with a share of masters below 0", of("<maxAMShare>-0.5</maxAMShare>"), "or -1 for no limit"],
    ["with a share that is none", of("<fairSharePreemptionThreshold>half</fairSharePreemptionThreshold>"), "0 to 1"],
    ["with a limit of no number", of("<maxRunningApps>many</maxRunningApps>"), 'found "many" in <maxRunningApps>'],
    ["with neither true nor false", of("<allowPreemptionFrom>yes</allowPreemptionFrom>"), "allowed true or false"],
    ["with a queue without a name", allocations("<queue/>"), "found no name of <queue>"],
    ["with dots in a name", allocations('<queue name="a.b"/>'), "allowed names without dots"],
    [
      "with a queue beside the root",
      allocations('<queue name="root"/>', A),
      'found the queue "a" beside the queue "root"',
    ],
    ["with an entity", `<!DOCTYPE a [<!ENTITY x "1">]>${allocations(A)}`, "found a DOCTYPE, allowed none"],
    ["nested deeply", allocations("<queue>".repeat(100_000)), "found elements nested deeper than 64 levels"],
    [
      "with 40 levels of queues",
      allocations('<queue name="q">'.repeat(40) + "</queue>".repeat(40)),
      "at most 32 levels",
    ],
    ["broken off", "<allocations><queue", "found broken XML"],
    ["of 2 MB", allocations(" ".repeat(2 << 20)), "allowed at most 1048576 bytes"],
    [
      "with more than 10,000 queues",
      allocations(...Array.from({ length: 10_001 }, (_, i) => `<queue name="q${String(i)}"/>`)),
      "found more than 10,000 queues",
    ],
  ])("%s", (_, text, message) => {
    const found = refusal(fair(text));
    expect(found).toContain(message);
    expect(found).toContain("at/f.xml");
  });

  it("that is not there", () => {
    expect(refusal({ files: {}, scheduler: "{ kind: yarn-fair, allocations: none.xml }" })).toContain("at/none.xml");
  });

  it("with all that is wrong at once, and what is wrong with the scenario", () => {
    const file = allocations(
      '<queue name="a"><weight>x</weight></queue>',
      "<userMaxAppsDefault>y</userMaxAppsDefault>",
    );
    const lines = refusal(fair(file, {}, "thresholdNode: 2")).split("\n");
    expect(lines).toEqual([
      expect.stringContaining("s.yaml:4:"),
      expect.stringContaining("f.xml:2:17"),
      expect.stringContaining("f.xml:3:1"),
    ]);
  });
});

describe("a job that may never run is refused at its line", () => {
  it.each([
    ["of a queue that the file closes", of("<maxRunningApps>0</maxRunningApps>"), 'of "root.a" is 0'],
    ["of a queue by default", allocations(A, "<queueMaxAppsDefault>0</queueMaxAppsDefault>"), 'of "root.a" is 0'],
    [
      "of a user",
      allocations(A, '<user name="user"><maxRunningApps>0</maxRunningApps></user>'),
      'found "user", of whom it would wait for ever: maxRunningApps of that user is 0',
    ],
    [
      "of users by default",
      allocations(A, "<userMaxAppsDefault>0</userMaxAppsDefault>"),
      "allowed a user who may run an application",
    ],
  ])("%s", (_, file, message) => {
    const refused = refusal(fair(file));
    expect(refused).toContain("s.yaml:3:");
    expect(refused).toContain(message);
  });

  it("and where another user may run some, it is read", () => {
    const file = allocations(A, '<user name="ann"><maxRunningApps>0</maxRunningApps></user>');
    expect(refusal(fair(file))).toBe("");
  });
});

describe("10,000 queues", () => {
  const wide = allocations(
    A,
    ...Array.from({ length: 9_999 }, (_, i) => `<queue name="q${String(i)}"><weight>2</weight></queue>`),
  );

  it("are read in a time that grows with their number, not with its square", () => {
    const begin = process.cpuUsage();
    const { scenario } = readBeside(fair(wide, {}, "queues: { q7: { weight: 3 } }"));
    const { user, system } = process.cpuUsage(begin);
    expect(scenario.scheduler.queues).toHaveLength(10_001);
    // A second of CPU is ten times what it takes; with its square it is a minute.
    expect((user + system) / 1e6).toBeLessThan(5);
  });
});
