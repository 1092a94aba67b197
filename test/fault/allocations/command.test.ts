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

const property = (name: string, value: string): string =>
  `<property><name>${name}</name><value>${value}</value></property>`;

describe("bide explain-config", () => {
  it("prints what the file says on stdout, as JSON with words in place of Infinity", async () => {
    for (const more of [[], ["--json"]]) {
      const { code, stdout, stderr } = await place.bide("explain-config", "fair-scheduler.xml", ...more);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(stdout).toMatchSnapshot();
    }
  });

  it("ends with 2, every problem of a bad file on stderr and every element on stdout", async () => {
    place.write("bad.xml", "<allocations>\n<pool><weight>x</weight></pool>\n<user/>\n</allocations>\n");
    const { code, stdout, stderr } = await place.bide("explain-config", "bad.xml", "--json");
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({ elements: Array(3).fill({ standing: "refused" }) });
    expect(stderr).toMatch(/^bad\.xml:2:1: .*\nbad\.xml:2:7: .*\nbad\.xml:3:1: .*\n$/);
  });

  const queue = property("mapred.capacity-scheduler.queue.ads.capacity", "100");
  const yarnQueues = property("yarn.scheduler.capacity.root.queues", "a");
  it.each([
    ["hadoop-1", `<configuration>${queue}</configuration>`],
    ["yarn-fair", '<allocations><queue name="a"><minResources>1024 mb, 2 vcores</minResources></queue></allocations>'],
    [
      "yarn-capacity",
      `<configuration>${yarnQueues}${property("yarn.scheduler.capacity.root.a.capacity", "100")}</configuration>`,
    ],
    ["yarn-site", `<configuration>${property("yarn.scheduler.minimum-allocation-mb", "512")}</configuration>`],
    // Another property of YARN does not make queues of Hadoop 1 those of YARN.
    ["hadoop-1", `<configuration>${property("yarn.admin.acl", "*")}${queue}</configuration>`],
  ])("tells the form of a file by what is in it: %s", async (form, text) => {
    place.write("some.xml", text);
    const { code, stdout } = await place.bide("explain-config", "some.xml", "--json");
    expect([code, (JSON.parse(stdout) as { form: string }).form]).toEqual([0, form]);
    expect((await place.bide("explain-config", "some.xml")).stdout).toMatchSnapshot();
  });

  it("refuses files of two forms, other files, none and two", async () => {
    place.write("mixed.xml", `<configuration>${queue}${yarnQueues}</configuration>`);
    place.write("other.xml", "<queues/>");
    for (const files of [["mixed.xml"], ["other.xml"], ["none.xml"], [], ["fair-scheduler.xml", "mixed.xml"]])
      expect(await place.bide("explain-config", ...files)).toMatchObject({ code: 2 });
  });
});
