import { describe, expect, it } from "vitest";
import type { OffersSpec } from "../../../dist/core/scenario/index.js";
import { parseScenario } from "../../../dist/io/index.js";
import { refusal } from "./refused.js";
import { USUAL_OFFERS } from "../../support/usual-settings.js";

const HEAD = [
  "cluster: {racks: [{name: north, nodes: [{count: 2, mapSlots: 4}, {count: 1, mapSlots: 1}]}, {name: south, nodes: 2}]}",
  "workload: {kind: jobs, jobs: [{maps: 1, pool: ads}, {maps: 1, pool: etl, user: eva}]}",
].join("\n");
const load = (scheduler: string, rest = "") => parseScenario(`${HEAD}\nscheduler: ${scheduler}\n${rest}`, "x.yaml", {});
const spec = (scheduler: string): OffersSpec | undefined => load(scheduler).scenario.scheduler.offers;
const inside = (settings: string): string => `{kind: offers, offers: {${settings}}}`;
const ads = (settings: string): string => inside(`frameworks: {ads: {${settings}}}`);

describe("the settings of offers", () => {
  it("all have defaults", () => {
    expect(spec("offers")).toEqual(USUAL_OFFERS);
    expect(spec(inside(""))).toEqual(USUAL_OFFERS);
    expect(spec(ads(""))).toEqual({ ...USUAL_OFFERS, frameworks: [{ ...USUAL_OFFERS.usual, name: "ads" }] });
    expect(load("offers").notes).toEqual([]);
  });

  it("are as the file says, of all frameworks and of single ones", () => {
    const nodes = "nodes: [{rack: south}, {rack: 0, node: 2}]";
    const own = `weight: 2.5, priority: 7, inner: fair, refuseFor: 1s, ${nodes}, minFreeMaps: 1`;
    const offers = spec(inside(`by: user, inner: delay, refuseFor: 2s, answerAfter: 1s, frameworks: {eva: {${own}}}`));
    const usual = {
      ...USUAL_OFFERS.usual,
      inner: { kind: "delay", wait: { kind: "skips", node: 270, rack: 30 }, updateIntervalUs: 0 },
      refuseForUs: 2_000_000,
      answerAfterUs: 1_000_000,
    };
    expect(offers).toMatchObject({ by: "user", usual, rescindAfterUs: Infinity });
    expect(offers?.frameworks).toEqual([
      {
        ...usual,
        name: "eva",
        weight: 2.5,
        priority: 7,
        inner: { kind: "fair", wait: { kind: "none" }, updateIntervalUs: 0 },
        refuseForUs: 1_000_000,
        nodes: [
          { rack: 1, node: null },
          { rack: 0, node: 2 },
        ],
        minFreeMaps: 1,
      },
    ]);
  });

  it("leave waits to the whole scheduler where neither framework nor inner scheduler has one", () => {
    const offers = spec(
      "{kind: offers, wait: {node: 1s, rack: 0}, offers: {inner: hfs, frameworks: {ads: {inner: {kind: hfs, wait: none}}}}}",
    );
    expect(offers?.usual.inner.wait).toEqual({ kind: "time", nodeUs: 1_000_000, rackUs: 0 });
    expect(offers?.frameworks[0]?.inner.wait).toEqual({ kind: "none" });
  });

  it("mean nothing to other kinds, and a note says so", () => {
    expect(load("{kind: fair, offers: {refuseFor: 1s}}").notes).toEqual([
      "scheduler.offers has no effect on how fair decides",
    ]);
  });
});

/** [what is wrong, the scheduler, part of the message] */
const WRONG: readonly (readonly [string, string, string])[] = [
  ["an unknown key", inside("refusefor: 1s"), 'did you mean "refuseFor"?'],
  [
    "a refusal for ever",
    inside("refuseFor: 2h"),
    'found "2h" for scheduler.offers.refuseFor, allowed a time from 0s to 1h',
  ],
  ["a negative answer", inside("answerAfter: -1s"), "allowed a time from 0s to 1h"],
  ["an offer that is never there", inside("rescindAfter: 0"), "allowed a time from 1ms to 1h, or never"],
  ["a list of frameworks", inside("frameworks: [ads]"), "allowed a mapping from frameworks to their settings"],
  [
    "a framework without jobs",
    inside("frameworks: {abs: {}}"),
    'found the owner "abs", allowed the pool of one of the jobs; did',
  ],
  ["a framework of a nameless pool", inside('frameworks: {"": {}}'), 'found the owner name ""'],
  ["no weight", ads("weight: 0"), "found 0 for scheduler.offers.frameworks.ads.weight, allowed a number from 0.001"],
  ["half a priority", ads("priority: 0.5"), "allowed a whole number from 0 to 100"],
  [
    "offers inside",
    ads("inner: offers"),
    'found "offers" for scheduler.offers.frameworks.ads.inner, allowed fifo, fair',
  ],
  [
    "an inner wait of two forms",
    ads("inner: {wait: {node: 1s, nodeFraction: 1}}"),
    "for scheduler.offers.frameworks.ads.inner.wait",
  ],
  ["no nodes", ads("nodes: []"), "allowed a list of at least one of racks and nodes"],
  [
    "a rack that is not there",
    ads("nodes: [{rack: west}]"),
    'found the rack "west", allowed the name of a rack, or a position from 0 to 1',
  ],
  [
    "a node that is not there",
    ads("nodes: [{rack: south, node: 2}]"),
    'found node 2 of the rack "south", allowed a position from 0 to 1',
  ],
  [
    "more free slots than there are",
    ads("minFreeMaps: 6"),
    "found a framework that no node has 6 map slots for, allowed at most 5",
  ],
  [
    "more than the listed nodes have",
    ads("nodes: [{rack: north, node: 2}], minFreeMaps: 2"),
    "no node has 2 map slots for, allowed at most 1",
  ],
  [
    "answers that always come too late",
    inside("answerAfter: 2s, rescindAfter: 1s"),
    "found answers after 2s to offers that are taken back before, where run.until is end, allowed at most 1s, or a time for run.until",
  ],
  [
    "such answers of one framework",
    inside("rescindAfter: 1s, frameworks: {ads: {answerAfter: 3s}}"),
    "found answers after 3s to offers",
  ],
];

describe("offers that cannot be", () => {
  it.each(WRONG)("%s", (_, scheduler, message) => {
    expect(refusal(`${HEAD}\nscheduler: ${scheduler}`)).toContain(message);
  });

  it("are told of all together, and not more than once", () => {
    const text = refusal(
      `${HEAD}\nscheduler: ${ads("weight: 0, priority: -1, nodes: [{rack: west}, {rack: south, node: 9}]")}`,
    );
    expect(text.split("\n")).toHaveLength(2);
  });
});

it("frameworks that list nodes may be left without one, unless the run ends anyway", () => {
  const text = (scheduler: string, rest = "") => `${HEAD}\nscheduler: ${scheduler}\nfaults: {mapFailure: 0.1}\n${rest}`;
  const listing = ads("nodes: [{rack: south}]");
  expect(refusal(text(listing))).toContain(
    "found attempts that fail where frameworks list their nodes and run.until is end",
  );
  expect(() => parseScenario(text(listing, "run: {until: 1h}"), "x.yaml", {})).not.toThrow();
  expect(() => parseScenario(text(ads("weight: 2")), "x.yaml", {})).not.toThrow();
});
