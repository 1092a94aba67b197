import { describe, expect, it } from "vitest";
import { fileOf, hadoop, propertyOf, readText, refusalOfText, yarn } from "./capacity-file.js";
import { USUAL_QUEUE } from "../../support/usual-settings.js";

describe("a capacity-scheduler.xml of Hadoop 1", () => {
  it("says this", () => {
    const { queues, notes } = readText(
      hadoop({
        "queue.ads.capacity": " 60.5 ",
        "queue.ads.maximum-capacity": 80,
        "queue.ads.supports-priority": "TRUE",
        "queue.ads.minimum-user-limit-percent": 25,
        "queue.ads.user-limit-factor": 1.5,
        "queue.ads.maximum-initialized-jobs-per-user": 3,
        "queue.the.lab.capacity": "39.5f",
        "queue.the.lab.maximum-capacity": -1,
      }),
    );
    expect(notes).toEqual([]);
    expect(queues).toEqual([
      {
        name: "ads",
        capacityPercent: 60.5,
        maximumCapacityPercent: 80,
        supportsPriority: true,
        minimumUserLimitPercent: 25,
        userLimitFactor: 1.5,
        maximumInitializedJobsPerUser: 3,
      },
      { ...USUAL_QUEUE, name: "the.lab", capacityPercent: 39.5 },
    ]);
  });

  it("has defaults of its own, wherever they stand", () => {
    const { queues } = readText(
      hadoop({
        "queue.a.capacity": 50,
        "queue.a.user-limit-factor": 3,
        "queue.b.capacity": 50,
        "default-user-limit-factor": 2,
        "default-supports-priority": "true",
        "default-minimum-user-limit-percent": 10,
        "default-maximum-initialized-jobs-per-user": 2,
      }),
    );
    const both = { supportsPriority: true, minimumUserLimitPercent: 10, maximumInitializedJobsPerUser: 2 };
    expect(queues).toMatchObject([
      { name: "a", userLimitFactor: 3, ...both },
      { name: "b", userLimitFactor: 2, ...both },
    ]);
  });

  it("notes what is not used and what is repeated, and guesses what was meant", () => {
    const { notes } = readText(
      `<configuration>
        ${propertyOf("mapred.capacity-scheduler.queue.a.capacity", 90)}
        ${propertyOf("mapred.capacity-scheduler.queue.a.capacity", 100)}
        ${propertyOf("mapred.capacity-scheduler.queue.a.user-limit-facto", 2)}
        ${propertyOf("mapred.capacity-scheduler.queue.a.reclaim-time-limit", 2)}
        ${propertyOf("mapred.capacity-scheduler.maximum-system-jobs", 3000)}
        ${propertyOf("mapred.capacity-scheduler.default-suports-priority", "true")}
        ${propertyOf("mapred.queue.names", "a")}
        <propery/>
        <property final="true"><name>x</name><valu>1</valu><value/><description>d</description></property>
      </configuration>`,
    );
    expect(notes).toEqual([
      "c.xml, line 2: mapred.capacity-scheduler.queue.a.capacity is not used: line 3 gives it again",
      'c.xml, line 4: mapred.capacity-scheduler.queue.a.user-limit-facto is ignored: Bide does not know it; did you mean "user-limit-factor"?',
      "c.xml, line 5: mapred.capacity-scheduler.queue.a.reclaim-time-limit is ignored: Hadoop 0.19's; since 0.20 a queue gets its capacity back as tasks end",
      "c.xml, line 6: mapred.capacity-scheduler.maximum-system-jobs is ignored: only maximum-initialized-jobs-per-user limits how many jobs are set up",
      'c.xml, line 7: mapred.capacity-scheduler.default-suports-priority is ignored: Bide does not know it; did you mean "default-supports-priority"?',
      "c.xml, line 8: mapred.queue.names is ignored: it is no property of the capacity scheduler",
      'c.xml, line 9: <propery> in <configuration> is ignored, as Hadoop does: Bide does not know it; did you mean "property"?',
      'c.xml, line 10: <valu> in <property> is ignored, as Hadoop does: Bide does not know it; did you mean "value"?',
      "c.xml, line 10: x is ignored: it is no property of the capacity scheduler",
    ]);
  });

  it.each([
    ["capacity", "-1", "a number from 0 to 100, in per cent"],
    ["capacity", "101", "a number from 0 to 100, in per cent"],
    ["capacity", "NaN", "a number from 0 to 100, in per cent"],
    ["capacity", "1e3", "a number from 0 to 100, in per cent"],
    ["capacity", ["$", "{half}"].join(""), "a number from 0 to 100, in per cent"],
    ["capacity", "", "a number from 0 to 100, in per cent"],
    ["capacity", "50%", "a number from 0 to 100, in per cent"],
    ["maximum-capacity", "100.5", "a number up to 100, in per cent, or -1 for no limit"],
    ["maximum-capacity", "--1", "a number up to 100, in per cent, or -1 for no limit"],
    ["maximum-capacity", "-", "a number up to 100, in per cent, or -1 for no limit"],
    ["minimum-user-limit-percent", "0", "a whole number from 1 to 100, in per cent"],
    ["minimum-user-limit-percent", "33.3", "a whole number from 1 to 100, in per cent"],
    ["user-limit-factor", "0", "a number from 0.001 to 1000000"],
    ["user-limit-factor", "Infinity", "a number from 0.001 to 1000000"],
    ["user-limit-factor", "9".repeat(400), "a number from 0.001 to 1000000"],
    ["supports-priority", "yes", "true or false"],
    ["maximum-initialized-jobs-per-user", "0", "a whole number from 1 to 2147483647"],
    ["maximum-initialized-jobs-per-user", "2147483648", "a whole number from 1 to 2147483647"],
  ])("%s of %j is refused with its place", (key, value, allowed) => {
    const message = refusalOfText(hadoop({ "queue.b.capacity": 100, [`queue.a.${key}`]: value }));
    expect(message).toContain(`c.xml:3:1: found ${value === "" ? "nothing" : ""}`);
    expect(message).toContain(`for mapred.capacity-scheduler.queue.a.${key}, allowed ${allowed}`);
  });

  it("takes no maximum for anything up to 0, as Hadoop does", () => {
    for (const value of ["0", "-1", "-0.5", "-1e9"]) {
      const { queues } = readText(hadoop({ "queue.a.capacity": 100, "queue.a.maximum-capacity": value }));
      expect(queues[0].maximumCapacityPercent, value).toBe(Infinity);
    }
  });

  it("has a capacity for each queue, and no maximum below it", () => {
    const text = hadoop({ "queue.a.user-limit-factor": 2, "queue.b.capacity": 100, "queue.b.maximum-capacity": 99 });
    expect(refusalOfText(text)).toBe(
      'c.xml:2:1: found no capacity of the queue "a", allowed one for each queue\n' +
        'c.xml:3:1: found maximum-capacity 99 of the queue "b", allowed at least its capacity, 100, or -1 for no limit',
    );
  });

  it.each([
    [[50, 40], "90 over 2 queues"],
    [[50, 51], "101 over 2 queues"],
    [[33.3, 33.3, 33.3], "99.9 over 3 queues"],
    [[0], "0 over 1 queues"],
  ])("capacities of %j are refused", (parts, sum) => {
    const text = hadoop(Object.fromEntries(parts.map((part, i) => [`queue.q${String(i)}.capacity`, part])));
    expect(refusalOfText(text)).toBe(
      `c.xml:1:1: found capacities that add up to ${sum}, allowed 100 in all (from 100 to below 101, as Hadoop cuts fractions off)`,
    );
  });

  it("takes sums that Hadoop takes, and those that are 100 but for the arithmetic of fractions", () => {
    for (const parts of [[33.4, 33.4, 33.4], [100, 0], Array.from({ length: 1000 }, () => 0.1)]) {
      const text = hadoop(Object.fromEntries(parts.map((part, i) => [`queue.q${String(i)}.capacity`, part])));
      expect(readText(text).queues).toHaveLength(parts.length);
    }
  });

  it.each([
    ["a queue without a name", hadoop({ "queue..capacity": 100 }), 'c.xml:2:1: found the queue name ""'],
    ["a name of 101 characters", hadoop({ [`queue.${"x".repeat(101)}.capacity`]: 100 }), "allowed a name of 1 to 100"],
    ["nothing", "<configuration/>", "c.xml:1:1: found no queue, allowed at least one"],
    ["no queues of it", fileOf({ "mapred.job.tracker": "x" }), "c.xml:1:1: found no queue, allowed at least one"],
    [
      "both forms",
      fileOf({ "mapred.capacity-scheduler.queue.a.capacity": 100, "yarn.scheduler.capacity.root.queues": "a" }),
      "c.xml:3:1: found yarn.scheduler.capacity.root.queues of YARN beside mapred.capacity-scheduler.*, allowed mapred.capacity-scheduler.* of Hadoop 1 alone: `platform: yarn`",
    ],
    [
      "no name",
      "<configuration>\n<property><value>1</value></property></configuration>",
      "c.xml:2:1: found a <property>",
    ],
    [
      "no value",
      "<configuration>\n<property><name>a</name></property></configuration>",
      "c.xml:2:1: found no <value> of a, allowed <name> and <value>",
    ],
    [
      "elements in a value",
      "<configuration><property><name>a</name><value><b/></value></property></configuration>",
      "found <b> inside <value>, allowed only text",
    ],
    ["an allocation file", "<allocations/>", "found the root element <allocations>, allowed <configuration>"],
  ])("%s is refused", (_, text, part) => {
    expect(refusalOfText(text)).toContain(part);
  });

  it("is refused with one line where it is one of YARN, whatever else is wrong in it", () => {
    const text = yarn({ "node-locality-delay": "x", "root.queues": "a,,b", "root.a.capacity": -1 });
    expect(refusalOfText(text)).toBe(
      "c.xml:2:1: found yarn.scheduler.capacity.node-locality-delay of YARN, allowed mapred.capacity-scheduler.* of Hadoop 1 alone: " +
        "`platform: yarn` with kind yarn-capacity and scheduler.file runs a file of YARN as YARN means it",
    );
  });
});
