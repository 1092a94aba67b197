import { expect, it } from "vitest";
import { allocations, answerBeside, configuration, fair, readBeside } from "../../unit/yarn/beside-scenario.js";

const NAMES = Array.from({ length: 9_999 }, (_, i) => `q${i.toString(36)}`);
const queuesOf = (names: readonly string[]): string =>
  allocations('<queue name="a"/>', ...names.map((name) => `<queue name="${name}"><weight>2</weight></queue>`));
const capacities = configuration("yarn.scheduler.capacity.", {
  "root.queues": ["a", ...NAMES].join(),
  ...(Object.fromEntries(["a", ...NAMES].map((name) => [`root.${name}.capacity`, "1w"])) as Record<string, string>),
}).replaceAll("</property>\n<property>", "</property><property>");

it.each([
  ["fair-scheduler.xml", fair(queuesOf(NAMES), {}, "queues: { q7: { weight: 3 } }")],
  ["capacity-scheduler.xml", { files: { "c.xml": capacities }, scheduler: "{ kind: yarn-capacity, file: c.xml }" }],
])("10,000 queues of a %s are read in a time that grows with their number, not with its square", (_, given) => {
  const begin = process.cpuUsage();
  expect(readBeside(given).scheduler.queues).toHaveLength(10_001);
  const { user, system } = process.cpuUsage(begin);
  // A second of CPU is ten times what it takes; with its square it is a minute.
  expect((user + system) / 1e6).toBeLessThan(5);
});

it("More than 10,000 queues are refused", () => {
  expect(answerBeside(fair(queuesOf([...NAMES, "one-more", "and-another"])))).toMatch(/^refused: f.xml:/);
});
