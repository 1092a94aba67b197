import { expect, it } from "vitest";
import { InputError } from "../../../dist/io/index.js";
import { read } from "./allocation-file.js";

/** What a file with this inside says, or the lines with which it is refused. */
function outcome(inside: string): unknown {
  try {
    const { allocations, notes } = read(inside);
    return { ...allocations, notes };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return error.message.split("\n");
  }
}

const pool = (key: string, text: string): string => `<pool name="a"><${key}>${text}</${key}></pool>`;
const policy = (rules: string): string => `<poolPlacementPolicy>${rules}</poolPlacementPolicy>`;

it.each<readonly [what: string, text: string]>([
  ["nothing", ""],
  [
    "every element",
    `<pool name="ads"><minMaps>1</minMaps><minReduces>2</minReduces><maxMaps>3</maxMaps><maxReduces>4</maxReduces>
     <maxRunningJobs>5</maxRunningJobs><weight>6.5</weight><minSharePreemptionTimeout>7</minSharePreemptionTimeout>
     <schedulingMode>FiFo</schedulingMode></pool><user name="ann"><maxRunningJobs>8</maxRunningJobs></user>
     <poolMaxJobsDefault>9</poolMaxJobsDefault><userMaxJobsDefault>10</userMaxJobsDefault>
     <defaultMinSharePreemptionTimeout>11</defaultMinSharePreemptionTimeout>
     <fairSharePreemptionTimeout>12</fairSharePreemptionTimeout>
     <defaultPoolSchedulingMode>FIFO</defaultPoolSchedulingMode>${policy('<rule name="user"/>')}`,
  ],
  [
    "a pool and a user given again",
    `${pool("minMaps", "1")}<pool name="b"/><pool name="a"><weight>3</weight><maxMaps>9</maxMaps></pool>
     <user name="u"><maxRunningJobs>1</maxRunningJobs></user><user name="u"><maxRunningJobs>2</maxRunningJobs></user>`,
  ],
  [
    "names with dots, of any language, of prototypes and of XML",
    ["a", "a.b", "root", "größe 1", "__proto__", "&lt;&amp;>"].map((name) => `<pool name="${name}"/>`).join(""),
  ],
  [
    "blanks, comments, CDATA, entities",
    `<!-- <pool name="no"/> --><pool name=" a&amp;b "><?pi x?><weight>\t 1<!-- -->2<![CDATA[.5]]> </weight></pool>`,
  ],
  [
    "what Hadoop passes over in silence",
    `<pol name="x"/><pool name="a" wieght="3"><minmaps>4</minmaps><pool name="b"/><constructor/></pool>
     <pool name="c"><fairSharePreemptionTimeout>4</fairSharePreemptionTimeout></pool>
     <user name="u"><weight>1</weight></user>${policy('<default queue="sandbox"/>')}`,
  ],
  [
    "a max below the min, and limits of 0",
    `<pool name="a"><minMaps>5</minMaps><maxMaps>3</maxMaps></pool>
     <pool name="b"><maxReduces>0</maxReduces><maxRunningJobs>0</maxRunningJobs></pool>`,
  ],
  ["one thing in many places", "<x/>\n".repeat(9)],
  [
    "many problems",
    `<pool><weight>-1</weight></pool>
     <userMaxJobsDefault>many</userMaxJobsDefault><user name=""><maxRunningJobs/></user>
     <pool name="a"><minMaps><b/></minMaps><schedulingMode>lifo</schedulingMode></pool>`,
  ],
  [
    "both forms, Hadoop's first",
    '<pool name="a"><minMaps>1</minMaps>\n<minResources>1 vcores</minResources></pool><queue name="b"/>',
  ],
  ["both forms, YARN's first", '<queue name="a">\n<minMaps>1</minMaps></queue>'],
  ["a queue of YARN", '\n<queue name="a"><weight>-1</weight><queue/></queue>'],
  ["resources of YARN", pool("minResources", "1024 mb, 2 vcores")],
  ["a user of YARN", '<user name="u"><maxRunningApps>1</maxRunningApps></user>'],
  ["a policy of YARN", "<queuePlacementPolicy><reject/></queuePlacementPolicy>"],
  [
    "placement rules",
    policy(`<rule name="specified" create="FALSE"/><user create="false"/><rule name="primaryGroup" create="false"/>
     <secondaryGroupExistingPool create="false"/><rule name="default" create="true"/>`),
  ],
  ["a placement that refuses", policy("<specified/><reject/>")],
  ...[
    "",
    '<user create="false"/>',
    "<specified/>",
    "<user/><default/>",
    "<reject/><default/>",
    '<rule name="primarygroup"/>',
    "<rule/>",
    "<nestedUserQueue><default/></nestedUserQueue>",
    '<default create="yes"/>',
    "<default><user/></default>",
  ].map((rules) => [`the placement ${rules}`, policy(rules)] as const),
  ["a long text with characters that act on a terminal", pool("weight", `a\u0085\u202e${"9".repeat(5000)}`)],
  ["a timeout of over a hundred years", pool("minSharePreemptionTimeout", "3153600001")],
  ...["", "  &#10; ", "a&#9;b", "a\u202eb", "x".repeat(101)].map(
    (name) => [`the name ${JSON.stringify(name)}`, `<pool name="${name}"/>`] as const,
  ),
])("a file of Hadoop 1 with %s", (_, inside) => {
  expect(outcome(inside)).toMatchSnapshot();
});

it("values are those that Java reads", () => {
  const read_ = (key: string, texts: readonly string[]) =>
    texts.map((text) => {
      const found = outcome(pool(key, text)) as { pools?: readonly Record<string, unknown>[] };
      const [{ name: _, ...values } = { name: "" }] = found.pools ?? [];
      const usual = (outcome('<pool name="a"/>') as { pools: readonly Record<string, unknown>[] }).pools[0]!;
      const changed = Object.entries(values).filter(([setting, value]) => value !== usual[setting]);
      return [text, found.pools === undefined ? "refused" : (changed[0]?.[1] ?? "usual")];
    });
  const ints = [
    "0",
    "007",
    "+5",
    "-0",
    "2147483646",
    "2147483647",
    " \n 12\t",
    "",
    "-1",
    "1e3",
    "0x10",
    "1.0",
    "1 2",
    "2147483648",
    "NaN",
  ];
  const doubles = [
    "0",
    "-0.0",
    "1e-400",
    "2",
    ".5",
    "5.",
    "1e3",
    "+2.5E-1",
    "1.5f",
    "1.5D",
    "1000000",
    "",
    "-0.001",
    "1e-7",
    "1000000.1",
    "NaN",
    "Infinity",
    "0x1p3",
    "1,5",
    "1.5.2",
    "e3",
    "1e",
    "f",
  ];
  const seconds = [
    "0",
    "60",
    "3153600000",
    "3153600001",
    "9223372036854775807",
    "9223372036854775808",
    "-1",
    "1.5",
    "1s",
    "",
  ];
  expect({
    maxMaps: read_("maxMaps", ints),
    minMaps: read_("minMaps", ["64000000", "64000001"]),
    maxRunningJobs: read_("maxRunningJobs", ["3", "-1", "2147483647"]),
    weight: read_("weight", doubles),
    minSharePreemptionTimeout: read_("minSharePreemptionTimeout", seconds),
    schedulingMode: read_("schedulingMode", ["Fair", "FIFO", "", "drf", "fair fifo"]),
  }).toMatchSnapshot();
});
