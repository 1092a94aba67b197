import { expect, it } from "vitest";
import { InputError } from "../../../dist/io/index.js";
import { fileOf, hadoop, propertyOf, readText, yarn } from "./capacity-file.js";

/** What a file says, or the lines with which it is refused. */
function outcome(text: string): unknown {
  try {
    return readText(text);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return error.message.split("\n");
  }
}

const queueOf = (key: string, value: string) => hadoop({ "queue.b.capacity": 100, [`queue.a.${key}`]: value });
const capacities = (...parts: readonly number[]) =>
  hadoop(Object.fromEntries(parts.map((part, i) => [`queue.q${i}.capacity`, part])));
const property = (inside: string) => `<configuration>\n<property>${inside}</property></configuration>`;

it.each<readonly [what: string, text: string]>([
  [
    "queues",
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
  ],
  [
    "defaults of its own",
    hadoop({
      "queue.a.capacity": 50,
      "queue.a.user-limit-factor": 3,
      "queue.b.capacity": 50,
      "default-user-limit-factor": 2,
      "default-supports-priority": "true",
      "default-minimum-user-limit-percent": 10,
      "default-maximum-initialized-jobs-per-user": 2,
    }),
  ],
  [
    "what is not used",
    `<configuration>${[
      ["queue.a.capacity", 90],
      ["queue.a.capacity", 100],
      ["queue.a.user-limit-facto", 2],
      ["queue.a.reclaim-time-limit", 2],
      ["maximum-system-jobs", 3000],
      ["default-suports-priority", "true"],
    ]
      .map(([name, value]) => propertyOf(`mapred.capacity-scheduler.${name}`, value!))
      .join("\n")}${propertyOf("mapred.queue.names", "a")}<propery/>
     <property final="true"><name>x</name><valu>1</valu><value/><description>d</description></property></configuration>`,
  ],
  ...[
    ["capacity", "-1"],
    ["capacity", "101"],
    ["capacity", "1e3"],
    ["capacity", ""],
    ["maximum-capacity", "100.5"],
    ["maximum-capacity", "--1"],
    ["minimum-user-limit-percent", "0"],
    ["minimum-user-limit-percent", "33.3"],
    ["user-limit-factor", "0"],
    ["user-limit-factor", "9".repeat(400)],
    ["supports-priority", "yes"],
    ["maximum-initialized-jobs-per-user", "0"],
    ["maximum-initialized-jobs-per-user", "2147483648"],
  ].map(([key, value]) => [`${key!} of ${value!.slice(0, 12)}`, queueOf(key!, value!)] as const),
  ...["0", "-0.5", "-1e9"].map(
    (value) =>
      [`no maximum: ${value}`, hadoop({ "queue.a.capacity": 100, "queue.a.maximum-capacity": value })] as const,
  ),
  [
    "no capacity, and a maximum below it",
    hadoop({ "queue.a.user-limit-factor": 2, "queue.b.capacity": 100, "queue.b.maximum-capacity": 99 }),
  ],
  ["capacities below 100", capacities(33.3, 33.3, 33.3)],
  ["capacities above 100", capacities(50, 51)],
  ["capacities that Hadoop cuts", capacities(33.4, 33.4, 33.4)],
  ["a queue without a name", hadoop({ "queue..capacity": 100 })],
  ["a name of 101 characters", hadoop({ [`queue.${"x".repeat(101)}.capacity`]: 100 })],
  ["nothing", "<configuration/>"],
  [
    "both forms",
    fileOf({ "mapred.capacity-scheduler.queue.a.capacity": 100, "yarn.scheduler.capacity.root.queues": "a" }),
  ],
  ["no name", property("<value>1</value>")],
  ["no value", property("<name>a</name>")],
  ["elements in a value", property("<name>a</name><value><b/></value>")],
  ["another root", "<allocations/>"],
  ["one of YARN, with mistakes", yarn({ "node-locality-delay": "x", "root.queues": "a,,b", "root.a.capacity": -1 })],
])("a capacity-scheduler.xml of Hadoop 1: %s", (_, text) => {
  expect(outcome(text)).toMatchSnapshot();
});

it("takes a thousand capacities that are 100 but for the arithmetic of fractions", () => {
  expect(readText(capacities(...Array.from({ length: 1000 }, () => 0.1))).queues).toHaveLength(1000);
});
