import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadScenario, loadSystems, loadSweep } from "../../../dist/io/index.js";
import { refusalOf } from "./refused.js";
import { ofHadoop } from "../../support/of-hadoop.js";

const S = 1_000_000;

const HADOOP = `<allocations>
  <pool name="ads"><weight>2</weight><minMaps>6</minMaps><maxRunningJobs>3</maxRunningJobs></pool>
  <pool name="etl"><maxMaps>9</maxMaps></pool>
  <user name="ann"><maxRunningJobs>4</maxRunningJobs></user>
  <poolMaxJobsDefault>8</poolMaxJobsDefault>
</allocations>`;

const YARN = `<allocations>
  <queue name="ads"><fairSharePreemptionTimeout>60</fairSharePreemptionTimeout><queue name="daily"/><queue name="probes"/></queue>
  <queue name="adhoc"/>
</allocations>`;

let folder = "";
const at = (name: string): string => join(folder, name);
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "bide-changed-"));
  writeFileSync(at("hadoop.xml"), HADOOP);
  writeFileSync(at("yarn.xml"), YARN);
  writeFileSync(
    at("zero.xml"),
    '<allocations><pool name="ads"><maxRunningJobs>0</maxRunningJobs></pool></allocations>',
  );
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

function load(scheduler: string, set: readonly string[] = [], rest = "") {
  writeFileSync(at("x.yaml"), `workload: {kind: facebook}\nscheduler: {${scheduler}}\n${rest}`);
  return loadScenario(at("x.yaml"), { set });
}
const allocations = (scheduler: string, ...set: string[]) => load(scheduler, set).scenario.scheduler.allocations;
const refusal = (scheduler: string, ...set: string[]) =>
  refusalOf(() => load(scheduler, set)).replaceAll(`${folder}/`, "");

describe("what stands beside an allocation file", () => {
  it("changes it key by key; all else is as the file says", () => {
    const before = allocations("allocations: hadoop.xml");
    expect(allocations("allocations: hadoop.xml, pools: {ads: {weight: 5}}")).toEqual({
      ...before,
      pools: [{ ...before.pools[0], weight: 5 }, before.pools[1]],
    });
    expect(
      allocations(
        "allocations: hadoop.xml, users: {ann: {maxJobs: 1}, bob: {maxJobs: 2}}, userMaxJobs: 7, minShareTimeout: 30s, fairShareTimeout: 1m, defaultMode: fifo",
      ),
    ).toEqual({
      ...before,
      users: [
        { name: "ann", maxJobs: 1 },
        { name: "bob", maxJobs: 2 },
      ],
      userMaxJobs: 7,
      minShareTimeoutUs: 30 * S,
      fairShareTimeoutUs: 60 * S,
      defaultMode: "fifo",
    });
    const full =
      "{weight: 3, minMaps: 1, minReduces: 2, maxMaps: unlimited, maxReduces: 4, maxJobs: 5, minShareTimeout: 6s, fairShareTimeout: 7s, mode: fifo}";
    expect(
      allocations(`allocations: hadoop.xml, pools: [{name: etl, ...${full}}]`.replace("...{", "").replace("}}]", "}]"))
        .pools[1],
    ).toEqual({
      name: "etl",
      parent: null,
      weight: 3,
      minMaps: 1,
      minReduces: 2,
      maxMaps: Infinity,
      maxReduces: 4,
      maxJobs: 5,
      minShareTimeoutUs: 6 * S,
      fairShareTimeoutUs: 7 * S,
      mode: "fifo",
    });
  });

  it("may come from options, which go before the scenario", () => {
    const scenario = "allocations: hadoop.xml, pools: {ads: {weight: 5, maxJobs: 2}}";
    const [ads] = allocations(scenario, "scheduler.pools.ads.weight=7", "scheduler.poolMaxJobs=1").pools;
    expect(ads).toMatchObject({ weight: 7, maxJobs: 2, minMaps: 6 });
    expect(allocations("allocations: hadoop.xml", "scheduler.pools.ads.weight=7").pools[0]).toMatchObject({
      weight: 7,
      maxJobs: 3,
    });
  });

  it("as YARN writes a queue, with root in front: is told how it is written here", () => {
    expect(refusal("allocations: hadoop.xml", "scheduler.pools.root.adhoc.weight=2")).toMatch(
      /^--set scheduler\.pools\.root\.adhoc\.weight=2: found the key "adhoc" in scheduler\.pools\.root, allowed .*; the queue root\.adhoc is scheduler\.pools\.adhoc$/,
    );
  });

  it("of a file of YARN is refused with the file, at its line, and with the platform that runs it", () => {
    expect(refusal("allocations: yarn.xml", "scheduler.pools.adhoc.weight=2")).toMatch(
      /yarn\.xml:2:3: found <queue> in <allocations>, of a file of YARN, allowed .*`platform: yarn` with kind yarn-fair/,
    );
  });

  it("is varied by comparisons and by axes of sweeps", () => {
    load(
      "allocations: hadoop.xml",
      [],
      `compare: {vary: {scheduler.pools.ads.weight: [1, 4]}, systems: [{name: hfs}]}`,
    );
    const systems = loadSystems(at("x.yaml"), {})?.systems ?? [];
    expect(systems.map(({ scenario }) => ofHadoop(scenario).scheduler.allocations.pools[0].weight)).toEqual([1, 4]);
    writeFileSync(
      at("s.yaml"),
      "scenario: x.yaml\naxes: [{name: w, path: scheduler.pools.etl.weight, values: [0.25, 40]}]\nreplications: 1\n",
    );
    const { plan, scenarioAt } = loadSweep(at("s.yaml"));
    expect(plan.points.map((point) => ofHadoop(scenarioAt(point, "1")).scheduler.allocations.pools[1].weight)).toEqual([
      0.25, 40,
    ]);
    writeFileSync(
      at("s.yaml"),
      "scenario: x.yaml\naxes: [{name: w, path: scheduler.pools.etc.weight, values: [0.25, 40]}]\n",
    );
    expect(refusalOf(() => loadSweep(at("s.yaml")))).toContain('found the pool "etc" beside hadoop.xml');
  });

  it("is taken back by a reload, which a note says; keys beside the reload change that one", () => {
    const reload = "allocations: hadoop.xml, pools: {ads: {weight: 5}}, reloads: [{at: 10m, allocations: hadoop.xml}]";
    const { scenario, notes } = load(reload);
    expect(scenario.scheduler.reloads[0].allocations.pools[0].weight).toBe(2);
    expect(notes).toContain(
      "from 10m on, scheduler.reloads.0.allocations is in force without what was said of pools beside the file before it; the same keys in scheduler.reloads.0 change this one",
    );
    const kept = load(reload, ["scheduler.reloads.0.pools.ads.weight=9"]);
    expect(kept.scenario.scheduler.reloads[0].allocations.pools[0].weight).toBe(9);
    expect(kept.scenario.scheduler.allocations.pools[0].weight).toBe(5);
    expect(kept.notes.join()).not.toContain("in force without");
  });

  it("may lift a limit of 0 that the file has", () => {
    expect(refusalOf(() => load("allocations: zero.xml", [], "run: {until: end}"))).toContain(
      "a limit of pool ads of 0 in zero.xml",
    );
    load("allocations: zero.xml, pools: {ads: {maxJobs: 1}}", [], "run: {until: end}");
  });

  it.each([
    [
      "a pool that the file does not have",
      "allocations: hadoop.xml, pools: {adds: {weight: 2}}",
      'x.yaml:2:46: found the pool "adds" beside hadoop.xml, allowed the pools that it declares: ads, etl; did you mean "ads"?',
    ],
    [
      "root. of Hadoop 1 is a letter",
      "allocations: hadoop.xml, pools: {root.ads: {}}",
      'found the pool "root.ads" beside hadoop.xml',
    ],
    [
      "a min share above the file's max",
      "allocations: hadoop.xml, pools: {etl: {minMaps: 10}}",
      "found 10 for scheduler.pools.etl.minMaps, allowed at most its maxMaps, 9",
    ],
    [
      "a wrong value",
      "allocations: hadoop.xml, pools: {ads: {weight: -1}}",
      "found -1 for scheduler.pools.ads.weight, allowed",
    ],
    [
      "a wrong name of a user",
      'allocations: hadoop.xml, users: {"": {maxJobs: 1}}',
      "allowed a name of 1 to 100 printable characters",
    ],
    [
      "placement rules that nobody obeys",
      "allocations: hadoop.xml, placement: [default]",
      "allowed only under branch-1",
    ],
    [
      "keys beside a mapping",
      "allocations: {pools: {a: {}}}, poolMaxJobs: 2",
      "found scheduler.poolMaxJobs beside scheduler.allocations, allowed one of the two",
    ],
    [
      "keys beside the mapping of a reload",
      "reloads: [{at: 1m, allocations: {}, poolMaxJobs: 2}]",
      "found scheduler.reloads.0.poolMaxJobs beside scheduler.reloads.0.allocations, allowed one of the two",
    ],
  ])("is refused: %s", (_, scheduler, message) => {
    expect(refusal(scheduler)).toContain(message);
  });

  it("is refused under the name of the option that said it", () => {
    expect(refusal("allocations: hadoop.xml", "scheduler.pools.adds.weight=3")).toMatch(
      /^--set scheduler\.pools\.adds\.weight=3: found the pool "adds"/,
    );
  });

  it("lists no endless number of pools", () => {
    writeFileSync(
      at("many.xml"),
      `<allocations>${Array.from({ length: 3000 }, (_, i) => `<pool name="q${i}"/>`).join("")}</allocations>`,
    );
    const message = refusal("allocations: many.xml, pools: {x: {}}");
    expect(message).toContain("q19 and 2980 more");
    expect(message.length).toBeLessThan(500);
  });

  it("is still told of by itself where the file cannot be read", () => {
    expect(refusal("allocations: none.xml, pools: {ads: {weight: 2}}")).toBe(
      "none.xml: found no readable file".concat(
        refusal("allocations: none.xml").slice("none.xml: found no readable file".length),
      ),
    );
  });
});
