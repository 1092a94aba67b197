import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadScenario, parseScenario } from "../../../dist/io/index.js";
import { refusal, refusalOf } from "./refused.js";

const scheduler = (text: string, ...set: string[]) =>
  parseScenario(`workload: {kind: facebook}\nscheduler: ${text}`, "x.yaml", { set }).scenario.scheduler;
const pools = (text: string, ...set: string[]) => scheduler(`{pools: ${text}}`, ...set).allocations.pools;

const PLAIN = {
  parent: null,
  weight: 1,
  minMaps: 0,
  minReduces: 0,
  maxMaps: Infinity,
  maxReduces: Infinity,
  maxJobs: null,
  minShareTimeoutUs: null,
  fairShareTimeoutUs: null,
  mode: null,
};

/** Pools nested `levels` deep in one of the two ways to write them. */
function nested(levels: number, form: "list" | "mapping"): string {
  const inner = levels === 1 ? "" : `pools: ${nested(levels - 1, form)}`;
  return form === "list" ? `[{name: p, ${inner}}]` : `{p: {${inner}}}`;
}

describe("pools", () => {
  it("may be a list or a mapping, alike", () => {
    expect(pools("{a: {weight: 2}, b: {maxMaps: 4}}")).toEqual(pools("[{name: a, weight: 2}, {name: b, maxMaps: 4}]"));
    expect(pools("{a: {}}")).toEqual([{ ...PLAIN, name: "a" }]);
    expect(pools("{}")).toEqual([]);
  });

  it("say what they want to say", () => {
    const text =
      "{a: {maxJobs: 3, minShareTimeout: 30s, fairShareTimeout: never, mode: fifo}, b: {maxJobs: unlimited}}";
    expect(pools(text)).toEqual([
      { ...PLAIN, name: "a", maxJobs: 3, minShareTimeoutUs: 30e6, fairShareTimeoutUs: Infinity, mode: "fifo" },
      { ...PLAIN, name: "b", maxJobs: Infinity },
    ]);
  });

  it("inside others have full names and come after them, whichever way each is written", () => {
    const found = pools("{a: {pools: [{name: x, pools: {y: {mode: fifo}}}, {name: z}]}, b: {pools: {}}}");
    expect(found.map(({ name, parent }) => [name, parent])).toEqual([
      ["a", null],
      ["a.x", "a"],
      ["a.x.y", "a.x"],
      ["a.z", "a"],
      ["b", null],
    ]);
    expect(found[2].mode).toBe("fifo");
  });

  it.each(["list", "mapping"] as const)("may lie 32 deep and no deeper, as %s", (form) => {
    const found = pools(nested(32, form));
    expect(found).toHaveLength(32);
    expect(found[31]).toMatchObject({ name: Array.from({ length: 32 }, () => "p").join("."), weight: 1 });
    const text = `workload: {kind: facebook}\nscheduler: {pools: ${nested(33, form)}}`;
    expect(refusal(text)).toContain("found pools inside pools on 33 levels, allowed at most 32 levels");
    const reload = `{reloads: [{at: 1s, allocations: {pools: ${nested(32, form)}}}]}`;
    expect(scheduler(reload).reloads[0].allocations.pools).toHaveLength(32);
  });

  it("may be set from the command line, new ones and nested ones too", () => {
    expect(
      pools("{a: {pools: [{name: b}]}}", "scheduler.pools.a.pools.b.weight=2", "scheduler.pools.c.maxJobs=4"),
    ).toEqual([
      { ...PLAIN, name: "a" },
      { ...PLAIN, name: "a.b", parent: "a", weight: 2 },
      { ...PLAIN, name: "c", maxJobs: 4 },
    ]);
    const deep = Array.from({ length: 32 }, () => "pools.p").join(".");
    const found = scheduler("hfs", `scheduler.${deep}.weight=3`).allocations.pools;
    expect(found[31]).toMatchObject({ weight: 3 });
    expect(pools("[{name: a}]", "scheduler.pools.a.pools.b.mode=fifo")[1]).toMatchObject({ name: "a.b", mode: "fifo" });
  });
});

describe("allocations", () => {
  const KEYS = `pools: {a: {}}, users: {ana: {maxJobs: 2}, 7: {maxJobs: unlimited}}, poolMaxJobs: 5, userMaxJobs: unlimited,
    minShareTimeout: 1m, fairShareTimeout: never, defaultMode: fifo,
    placement: [specified, {rule: primaryGroup, create: false}, {rule: default}]`;

  it("mean the same in their short and their long form, and in a reload", () => {
    const { allocations } = scheduler(`{rules: branch-1, ${KEYS}}`);
    expect(allocations).toEqual({
      pools: [{ ...PLAIN, name: "a" }],
      users: [
        { name: "7", maxJobs: Infinity },
        { name: "ana", maxJobs: 2 },
      ],
      poolMaxJobs: 5,
      userMaxJobs: Infinity,
      minShareTimeoutUs: 60e6,
      fairShareTimeoutUs: Infinity,
      defaultMode: "fifo",
      placement: [
        { rule: "specified", create: true },
        { rule: "primaryGroup", create: false },
        { rule: "default", create: true },
      ],
    });
    expect(scheduler(`{rules: branch-1, allocations: {${KEYS}}}`).allocations).toEqual(allocations);
    const reloads = `reloads: [{at: 1s, allocations: {${KEYS}}}, {at: 1h, allocations: {}}]`;
    const loaded = scheduler(`{rules: branch-1, ${reloads}}`);
    expect(loaded.reloads[0]).toEqual({ atUs: 1e6, allocations });
    expect(loaded.reloads[1]).toEqual({ atUs: 3600e6, allocations: scheduler("hfs").allocations });
  });

  it("may be set from the command line", () => {
    const set = (key: string, text = "hfs") => scheduler(text, `scheduler.${key}`);
    expect(set("users.ana.maxJobs=3").allocations.users).toEqual([{ name: "ana", maxJobs: 3 }]);
    expect(set("poolMaxJobs=3").allocations.poolMaxJobs).toBe(3);
    expect(set("minShareTimeout=30s").allocations.minShareTimeoutUs).toBe(30e6);
    expect(set("allocations.userMaxJobs=2").allocations.userMaxJobs).toBe(2);
    expect(set("allocations.pools.a.pools.b.weight=2").allocations.pools).toHaveLength(2);
    const placed = "{rules: branch-1, placement: [user, default]}";
    expect(set("placement.0.create=false", placed).allocations.placement).toEqual([
      { rule: "user", create: false },
      { rule: "default", create: true },
    ]);
    const reloaded = "{reloads: [{at: 1s, allocations: {pools: {a: {}}}}]}";
    expect(set("reloads.0.at=2s", reloaded).reloads[0].atUs).toBe(2e6);
    expect(set("reloads.0.allocations.pools.a.weight=4", reloaded).reloads[0].allocations.pools[0].weight).toBe(4);
    expect(set("groups={ana: [staff]}").groups).toEqual([{ user: "ana", groups: ["staff"] }]);
  });

  it("a reload leaves pools where they are; all else may change", () => {
    const { reloads } = scheduler(`{
      pools: {a: {pools: {x: {}, y: {}}}, b: {}},
      reloads: [
        {at: 1s, allocations: {pools: [{name: b, weight: 3}, {name: c}]}},
        {at: 2s, allocations: {pools: [{name: c, mode: fifo}, {name: a, pools: [{name: x, minMaps: 1}]}]}}]}`);
    expect(reloads.map(({ allocations }) => allocations.pools.map(({ name }) => name))).toEqual([
      ["b", "c"],
      ["c", "a", "a.x"],
    ]);
  });
});

describe("allocation files", () => {
  let folder = "";
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "bide-allocations-"));
    mkdirSync(join(folder, "sub"));
    const file = (name: string, content: string) => {
      writeFileSync(join(folder, name), `<?xml version="1.0"?>\n<allocations>${content}</allocations>\n`);
    };
    file("sub/pools.xml", '<pool name="etl"></pool><pool name="adhoc"></pool>');
    file("elsewhere.xml", '<pool name="other"></pool>');
    file("sub/placed.xml", '<pool name="etl"></pool><poolPlacementPolicy><rule name="default"/></poolPlacementPolicy>');
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  const scenario = (text: string) => {
    const path = join(folder, "sub/x.yaml");
    writeFileSync(path, `workload: {kind: facebook}\nscheduler: ${text}\n`);
    return path;
  };
  const names = (text: string, ...set: string[]) =>
    loadScenario(scenario(text), { set }).scenario.scheduler.allocations.pools.map(({ name }) => name);

  it("stand beside the scenario, or where the command was typed", () => {
    expect(names("{allocations: pools.xml}")).toEqual(["etl", "adhoc"]);
    expect(names("{allocations: ../elsewhere.xml}")).toEqual(["other"]);
    expect(names(`{allocations: ${join(folder, "elsewhere.xml")}}`)).toEqual(["other"]);
    const typed = relative(process.cwd(), join(folder, "elsewhere.xml"));
    expect(names("hfs", `scheduler.allocations=${typed}`)).toEqual(["other"]);
    expect(names("{allocations: pools.xml}", `scheduler.allocations=${typed}`)).toEqual(["other"]);
    const reloaded = `{allocations: pools.xml, reloads: [{at: 1s, allocations: pools.xml}, {at: 2s, allocations: {}}]}`;
    const set = [`scheduler.reloads.1.allocations=${typed}`];
    const { reloads } = loadScenario(scenario(reloaded), { set }).scenario.scheduler;
    expect(reloads.map(({ allocations }) => allocations.pools.length)).toEqual([2, 1]);
  });

  it("stay where they are when the command line changes the kind only", () => {
    expect(names("{allocations: pools.xml}", "scheduler=fifo")).toEqual(["etl", "adhoc"]);
    expect(names("{allocations: pools.xml}", "scheduler=fifo", "scheduler=hfs")).toEqual(["etl", "adhoc"]);
  });

  it("that are not there are refused by the name they have from here, with all other problems", () => {
    const path = scenario("{allocations: none.xml, reloads: [{at: 1s, allocations: none.xml}], weight: 1}");
    const lines = refusalOf(() => loadScenario(path)).split("\n");
    expect(lines).toHaveLength(2);
    expect(lines[0]).toContain(`${path}:2:80: found the key "weight" in scheduler`);
    expect(lines[1]).toContain(`${join(folder, "sub/none.xml")}: found no readable file`);
  });

  it("with names that could move the cursor are shown harmless", () => {
    const path = scenario('{allocations: "a\\e[2J.xml"}');
    expect(refusalOf(() => loadScenario(path))).toContain("a\\u001b[2J.xml: found no readable file");
  });

  it("are refused with placement rules that the scheduler's rules cannot obey, at their line", () => {
    const loaded = (rules: string) => loadScenario(scenario(`{rules: ${rules}, allocations: placed.xml}`));
    expect(loaded("branch-1").scenario.scheduler.allocations.placement).toEqual([{ rule: "default", create: true }]);
    for (const rules of ["paper", "0.21", "1.2"]) {
      expect(refusalOf(() => loaded(rules))).toMatch(
        new RegExp(`placed\\.xml:2:\\d+: found placement rules under rules ${rules}, allowed only under branch-1`),
      );
    }
    // This kind heeds no allocations, and says so.
    const { notes } = loadScenario(scenario("{kind: fair, allocations: placed.xml}"));
    expect(notes).toEqual([expect.stringMatching(/^scheduler\.allocations has no effect on how fair decides$/)]);
  });

  it("are held against reloads like allocations of the scenario", () => {
    const path = scenario(
      "{allocations: pools.xml, reloads: [{at: 1s, allocations: {pools: {etl: {pools: {a: {}}}}}}]}",
    );
    expect(refusalOf(() => loadScenario(path))).toContain(
      'found the pool "etl" at the top with pools inside in scheduler.reloads.0.allocations, ' +
        "allowed the place it has in scheduler.allocations, at the top without pools inside",
    );
  });
});
