import { describe, expect, it } from "vitest";
import { parseScenario } from "../../../dist/io/index.js";
import { runScenario } from "../../../dist/lab/index.js";
import { poolChoice, type PoolChoiceSpec } from "../../../dist/core/platforms/hadoop/index.js";
import type { AllocationsSpec } from "../../../dist/core/scenario/index.js";
import { NO_ALLOCATIONS } from "../../support/plain-scheduler.js";

const PLAIN: PoolChoiceSpec = { rules: "branch-1", poolBy: "pool", undeclaredPools: true, groups: [] };
const YARN: AllocationsSpec = { ...NO_ALLOCATIONS, underRoot: true };

/** The pool of a job of that name and user where `ads` is declared. */
function chosen(
  pool: string,
  allocations: AllocationsSpec,
  spec: Partial<PoolChoiceSpec> = {},
  user = "ann",
): string | null {
  return poolChoice({ ...PLAIN, ...spec })(allocations, pool, user, (name) => name === "ads");
}

describe("under an allocation file of YARN", () => {
  it.each([
    ["root.ads", "ads"],
    ["ads", "ads"],
    [" root.ads ", "ads"],
    ["root.ads.daily", "ads.daily"],
    // Names that only look like it.
    ["root", "root"],
    ["root.", "root."],
    ["roots.ads", "roots.ads"],
    ["Root.ads", "Root.ads"],
    ["root.root.ads", "root.ads"],
    ["", "default"],
  ])("a job that asks for %j is one of %j", (asked, pool) => {
    expect(chosen(asked, YARN)).toBe(pool);
  });

  it("root.X is declared where X is, and what a placement rule asks for is the same queue", () => {
    expect(chosen("root.ads", YARN, { undeclaredPools: false })).toBe("ads");
    expect(chosen("root.adds", YARN, { undeclaredPools: false })).toBeNull();
    const rules = {
      ...YARN,
      placement: [{ rule: "specified", create: false } as const, { rule: "reject", create: true } as const],
    };
    expect(chosen("root.ads", rules)).toBe("ads");
    expect(chosen("root.adds", rules)).toBeNull();
  });

  it("the name of a user is no name of a queue", () => {
    expect(chosen("ads", YARN, { poolBy: "user" }, "root.ann")).toBe("root.ann");
  });
});

it("elsewhere a dot is a letter like others", () => {
  expect(chosen("root.ads", NO_ALLOCATIONS)).toBe("root.ads");
  expect(chosen("root.ads", NO_ALLOCATIONS, { undeclaredPools: false })).toBeNull();
});

describe("a scenario with queues of YARN", () => {
  const jobs = (prefix: string): string =>
    [1, 2, 3].map((queue) => `{pool: ${prefix}queue_${String(queue)}, maps: 20, count: 3, every: 10s}`).join(", ");
  const run = async (named: string) => {
    const text = `cluster: {racks: 1, nodesPerRack: 2}
workload: {kind: jobs, jobs: [${named}]}
scheduler: {allocations: yarn-queues.xml}`;
    const { scenario } = parseScenario(text, "test/data/s.yaml");
    const { summary } = await runScenario(scenario, "test/data", { placement: 0 });
    return {
      fingerprint: summary.fingerprint,
      pools: summary.groups.map(({ name, jobs: { submitted } }) => [name, submitted]),
    };
  };

  it("runs alike with short and full names of queues, which are one pool each", async () => {
    const short = await run(jobs(""));
    expect(short.pools).toEqual([
      ["queue_1", 3],
      ["queue_2", 3],
      ["queue_3", 3],
    ]);
    expect(await run(jobs("root."))).toEqual(short);
    const both = await run(`${jobs("")}, ${jobs("root.")}`);
    expect(both.pools.map(([, submitted]) => submitted)).toEqual([6, 6, 6]);
  });

  it("still refuses jobs of a pool with pools inside, whichever way it is named", () => {
    const text = `workload: {kind: jobs, jobs: [{pool: root.ads, maps: 1}]}
scheduler: {allocations: ../../scenarios/hadoop/yarn-queues.xml}`;
    expect(() => parseScenario(text, "test/data/s.yaml")).toThrow(
      /"ads", which has pools inside, allowed one of them: "ads.daily"/,
    );
  });
});
