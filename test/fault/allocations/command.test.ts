import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Place } from "../cli/command.js";

const XML = `<allocations>
  <pool name="ads"><minMaps>5</minMaps><maxMaps>8</maxMaps><colour>red</colour></pool>
  <pool name="other"><minSharePreemptionTimeout>9223372036854775807</minSharePreemptionTimeout></pool>
  <user name="ann"><maxRunningJobs>2</maxRunningJobs></user>
</allocations>
`;

let place: Place;
beforeAll(() => {
  place = new Place();
  place.write("fair-scheduler.xml", XML);
});
afterAll(() => {
  place.remove();
});

describe("bide explain-config", () => {
  it("prints what the file says, notes included, on stdout", async () => {
    const { code, stdout, stderr } = await place.bide("explain-config", "fair-scheduler.xml");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("Allocations     fair-scheduler.xml: pools of Hadoop 1; 2 pools");
    expect(stdout).toMatch(/^ads +1 +5 +0 +8 +unlimited$/m);
    expect(stdout).toMatch(/^Line 2 +pool ads > colour red: without effect/m);
  });

  it("prints one JSON document with --json, words in place of Infinity", async () => {
    const { code, stdout } = await place.bide("explain-config", "fair-scheduler.xml", "--json");
    expect(code).toBe(0);
    const pool = { parent: null, weight: 1, minReduces: 0, maxReduces: "unlimited", maxJobs: null, mode: null };
    expect(JSON.parse(stdout)).toMatchObject({
      file: "fair-scheduler.xml",
      form: "hadoop-1",
      allocations: {
        pools: [
          { ...pool, name: "ads", minMaps: 5, maxMaps: 8, minShareTimeoutUs: null, fairShareTimeoutUs: null },
          {
            ...pool,
            name: "other",
            minMaps: 0,
            maxMaps: "unlimited",
            minShareTimeoutUs: "never",
            fairShareTimeoutUs: null,
          },
        ],
        users: [{ name: "ann", maxJobs: 2 }],
        poolMaxJobs: "unlimited",
        userMaxJobs: "unlimited",
        minShareTimeoutUs: "never",
        fairShareTimeoutUs: "never",
        defaultMode: "fair",
        placement: null,
      },
      elements: [
        { element: "pool ads", standing: "honoured" },
        { element: "pool ads > minMaps", value: "5", standing: "honoured" },
        { element: "pool ads > maxMaps", value: "8", standing: "honoured" },
        { element: "pool ads > colour", value: "red", standing: "without effect" },
        { element: "pool other", standing: "honoured" },
        { element: "pool other > minSharePreemptionTimeout", line: 3, standing: "honoured" },
        { element: "user ann", standing: "honoured" },
        { element: "user ann > maxRunningJobs", value: "2", standing: "honoured" },
      ],
    });
  });

  it("ends with 2, every problem of a bad file on stderr and every element on stdout", async () => {
    place.write("bad.xml", "<allocations>\n<pool><weight>x</weight></pool>\n<user/>\n</allocations>\n");
    const { code, stdout, stderr } = await place.bide("explain-config", "bad.xml", "--json");
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({ elements: Array(3).fill({ standing: "refused" }) });
    expect(stderr).toMatch(/^bad\.xml:2:1: .*\nbad\.xml:2:7: .*\nbad\.xml:3:1: .*\n$/);
    expect(await place.bide("explain-config", "none.xml")).toMatchObject({
      code: 2,
      stderr:
        "none.xml: found no readable file (no such file or directory), allowed an allocation file or a capacity-scheduler.xml\n",
    });
  });

  it("tells a capacity-scheduler.xml from an allocation file, and either from anything else", async () => {
    const name = "mapred.capacity-scheduler.queue.ads.capacity";
    place.write(
      "capacity-scheduler.xml",
      `<configuration><property><name>${name}</name><value>100</value></property></configuration>`,
    );
    const { code, stdout, stderr } = await place.bide("explain-config", "capacity-scheduler.xml");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("Capacities      capacity-scheduler.xml: queues of Hadoop 1; 1 queue\n");
    const json = await place.bide("explain-config", "capacity-scheduler.xml", "--json");
    expect(JSON.parse(json.stdout)).toMatchObject({
      file: "capacity-scheduler.xml",
      form: "hadoop-1",
      queues: [
        {
          name: "ads",
          capacityPercent: 100,
          maximumCapacityPercent: "unlimited",
          supportsPriority: false,
          minimumUserLimitPercent: 100,
          userLimitFactor: 1,
          maximumInitializedJobsPerUser: "unlimited",
        },
      ],
      notes: [],
    });
    place.write("other.xml", "<queues/>");
    expect(await place.bide("explain-config", "other.xml")).toMatchObject({
      code: 2,
      stdout: "",
      stderr:
        "other.xml:1:1: found the root element <queues>, allowed <allocations> of a fair-scheduler.xml or " +
        "<configuration> of a capacity-scheduler.xml\n",
    });
  });

  it("explains files of YARN as YARN means them, unasked", async () => {
    place.write(
      "fair.xml",
      '<allocations><queue name="a"><minResources>1024 mb, 2 vcores</minResources></queue></allocations>',
    );
    const fair = await place.bide("explain-config", "fair.xml");
    expect(fair).toEqual(await place.bide("explain-config", "fair.xml", "--platform", "yarn"));
    expect(fair).toMatchObject({ code: 0, stderr: "" });
    expect(fair.stdout).toMatch(/^ {2}a +1 +1024 MB, 2 vcores/m);
    const properties = (...names: readonly (readonly [string, string])[]): string =>
      `<configuration>${names.map(([name, value]) => `<property><name>${name}</name><value>${value}</value></property>`).join("")}</configuration>`;
    const capacity = "yarn.scheduler.capacity.root";
    place.write("queues.xml", properties([`${capacity}.queues`, "a"], [`${capacity}.a.capacity`, "100"]));
    expect(JSON.parse((await place.bide("explain-config", "queues.xml", "--json")).stdout)).toMatchObject({
      form: "yarn-capacity",
    });
    place.write("site.xml", properties(["yarn.scheduler.minimum-allocation-mb", "512"]));
    expect(JSON.parse((await place.bide("explain-config", "site.xml", "--json")).stdout)).toMatchObject({
      form: "yarn-site",
    });
    // Another property of YARN does not make queues of Hadoop 1 those of YARN.
    const old = ["mapred.capacity-scheduler.queue.a.capacity", "100"] as const;
    place.write("old.xml", properties(["yarn.admin.acl", "*"], old));
    expect(JSON.parse((await place.bide("explain-config", "old.xml", "--json")).stdout)).toMatchObject({
      form: "hadoop-1",
    });
    place.write("mixed.xml", properties(old, [`${capacity}.queues`, "a"]));
    const mixed = await place.bide("explain-config", "mixed.xml");
    expect(mixed.code).toBe(2);
    expect(mixed.stdout).toContain("0 honoured, 0 without effect, 2 refused");
  });

  it("wants one file", async () => {
    expect(await place.bide("explain-config")).toMatchObject({ code: 2, stdout: "" });
    expect(await place.bide("explain-config", "fair-scheduler.xml", "bad.xml")).toMatchObject({ code: 2, stdout: "" });
  });
});
