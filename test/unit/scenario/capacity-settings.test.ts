import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadScenario, parseScenario } from "../../../dist/io/index.js";
import { hadoop, yarn } from "../capacity/capacity-file.js";
import { refusal, refusalOf } from "./refused.js";
import { USUAL_QUEUE } from "../../support/usual-settings.js";

const BASE = "workload: {kind: facebook}\n";
const load = (scheduler: string) => parseScenario(`${BASE}scheduler: ${scheduler}\n`, "x.yaml");
const capacityOf = (section: string) => load(`{kind: capacity, capacity: ${section}}`).scenario.scheduler.capacity;

describe("scheduler.capacity", () => {
  it("says by default: one queue with everything, Hadoop's rule, no wait", () => {
    const { scenario, notes } = load("capacity");
    expect(notes).toEqual([]);
    expect(scenario.scheduler).toMatchObject({ kind: "capacity", wait: { kind: "none" }, updateIntervalUs: 0 });
    expect(scenario.scheduler.capacity).toEqual({
      rule: "hadoop",
      runningJobs: "ready",
      userLimits: "hard",
      countedUsers: "active",
      initializedJobs: "unlaunched",
      undeclaredQueues: "default",
      queues: [{ name: "default", capacityPercent: 100, ...USUAL_QUEUE }],
    });
    expect(load("{kind: capacity}").scenario.scheduler).toEqual(scenario.scheduler);
    expect(load("fair").scenario.scheduler.capacity).toBe(undefined);
  });

  it("lists queues", () => {
    const full =
      "maximumCapacity: 75, supportsPriority: true, minimumUserLimitPercent: 25, userLimitFactor: 2.5, maximumInitializedJobsPerUser: 3";
    expect(
      capacityOf(`{rule: asPrinted, queues: [{name: a, capacity: 62.5, ${full}}, {name: 7, capacity: 37.5}]}`),
    ).toMatchObject({
      rule: "asPrinted",
      queues: [
        {
          name: "a",
          capacityPercent: 62.5,
          maximumCapacityPercent: 75,
          supportsPriority: true,
          minimumUserLimitPercent: 25,
          userLimitFactor: 2.5,
          maximumInitializedJobsPerUser: 3,
        },
        { name: "7", capacityPercent: 37.5, ...USUAL_QUEUE },
      ],
    });
  });

  it("has no effect on another kind, which a note says; nor have pools on it", () => {
    expect(load("{kind: fifo, capacity: {rule: asPrinted}}").notes).toEqual([
      "scheduler.capacity has no effect on how fifo decides",
    ]);
    expect(load("{kind: hfs, capacity: {rule: asPrinted}}").notes).toEqual([
      "scheduler.capacity has no effect on how hfs decides",
    ]);
    expect(
      load("{kind: capacity, poolBy: user, mapsPerHeartbeat: 2, pools: {a: {weight: 2}}, rules: 1.2}").notes,
    ).toEqual(["scheduler.rules, scheduler.pools have no effect on how capacity decides"]);
  });

  it.each([
    ["{rule: printed}", 'found "printed" for scheduler.capacity.rule, allowed hadoop, asPrinted'],
    ["{queus: []}", 'found the key "queus" in scheduler.capacity, allowed rule, '],
    ["{queues: []}", "for scheduler.capacity.queues, allowed a list of at least one of queues"],
    ["{queues: [{name: a, capacity: 100, userLimit: 2}]}", 'found the key "userLimit" in scheduler.capacity.queues.0'],
    ["{queues: [{capacity: 100}]}", "found nothing for scheduler.capacity.queues.0.name"],
    ["{queues: [{name: a}]}", "found nothing for scheduler.capacity.queues.0.capacity, allowed a number from 0 to 100"],
    ["{queues: [{name: a, capacity: 50%}]}", 'found "50%" for scheduler.capacity.queues.0.capacity'],
    [
      "{queues: [{name: a, capacity: -1}, {name: b, capacity: 101}]}",
      "found 101 for scheduler.capacity.queues.1.capacity",
    ],
    [
      "{queues: [{name: a, capacity: 60}, {name: b, capacity: 50}]}",
      "x.yaml:2:48: found capacities that add up to 110 over 2 queues, allowed 100 in all",
    ],
    [
      "{queues: [{name: a, capacity: 50}, {name: a, capacity: 50}]}",
      'found the queue name "a" a second time, allowed each queue name once',
    ],
    [
      "{queues: [{name: a, capacity: 60, maximumCapacity: 59}, {name: b, capacity: 40}]}",
      "found 59 for scheduler.capacity.queues.0.maximumCapacity, allowed at least its capacity, 60, or unlimited",
    ],
    ["{queues: [{name: a, capacity: 100, minimumUserLimitPercent: 33.3}]}", "allowed a whole number from 1 to 100"],
    ["{queues: [{name: a, capacity: 100, userLimitFactor: 0}]}", "allowed a number from 0.001 to 1000000"],
    ["{queues: [{name: a, capacity: 100, maximumInitializedJobsPerUser: 0}]}", "allowed a whole number from 1 to"],
    ["{file: ''}", "for scheduler.capacity.file, allowed text of 1 to 1000 characters"],
    [
      "{file: none.xml}",
      "none.xml: found no readable file (no such file or directory), allowed the queues of a capacity scheduler in XML",
    ],
    [
      "{file: none.xml, queues: [{name: a, capacity: 100}]}",
      "found scheduler.capacity.queues beside scheduler.capacity.file, allowed one of the two",
    ],
  ])("%s is refused", (section, part) => {
    expect(refusal(`${BASE}scheduler: {kind: capacity, capacity: ${section}}\n`)).toContain(part);
  });
});

describe("a note about jobs that will be refused", () => {
  const jobs = "workload: {kind: jobs, jobs: [{maps: 1, pool: a}, {maps: 1, user: b}, {maps: 1, user: b}]}\n";
  const notes = (queues: string, more = "") =>
    parseScenario(`${jobs}scheduler: {kind: capacity, capacity: {queues: [${queues}]${more}}}\n`, "x.yaml").notes;

  it("is given where no queue takes them, and only there", () => {
    expect(notes("{name: a, capacity: 100}")).toEqual([
      'jobs that ask for queue "b" (nearest: "a") will be refused: no queue takes them',
    ]);
    expect(notes("{name: a, capacity: 50}, {name: b, capacity: 50}")).toEqual([]);
    expect(notes("{name: default, capacity: 100}")).toEqual([]);
    expect(notes("{name: default, capacity: 100}", ", undeclaredQueues: refuse")).toEqual([
      'jobs that ask for queue "a", "b" will be refused: no queue takes them',
    ]);
  });

  it("is given for pools too, with the nearest name, where rules or placement refuse", () => {
    const given = (scheduler: string) =>
      parseScenario(
        `workload: {kind: jobs, jobs: [{maps: 1, pool: etll}, {maps: 1, pool: prod}]}\nscheduler: ${scheduler}\n`,
        "x.yaml",
      ).notes.filter((note) => note.includes("refused"));
    const pools = "pools: {etl: {}, prod: {}}";
    const told = ['jobs that ask for pool "etll" (nearest: "etl") will be refused: no pool takes them'];
    expect(given(`{kind: hfs, rules: branch-1, undeclaredPools: false, ${pools}}`)).toEqual(told);
    expect(
      given(`{kind: hfs, rules: branch-1, placement: [{rule: specified, create: false}, reject], ${pools}}`),
    ).toEqual(told);
    expect(given(`{kind: hfs, rules: branch-1, ${pools}}`)).toEqual([]);
    const later = "reloads: [{at: 1m, allocations: {pools: {etll: {}}}}]";
    expect(given(`{kind: hfs, rules: branch-1, undeclaredPools: false, ${pools}, ${later}}`)).toEqual([]);
  });
});

describe("scheduler.capacity.file", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "bide-capacity-"));
    const queues = {
      "queue.ads.capacity": 70,
      "queue.ads.user-limit-factor": 2,
      "queue.lab.capacity": 30,
      "init-poll-interval": 5,
    };
    writeFileSync(join(folder, "capacity-scheduler.xml"), hadoop(queues));
    writeFileSync(join(folder, "bad.xml"), hadoop({ "queue.ads.capacity": 70 }));
    for (const name of ["capacity-scheduler.xml", "bad.xml"]) {
      const scheduler = `scheduler: {kind: capacity, capacity: {rule: asPrinted, file: ${name}}}\n`;
      writeFileSync(join(folder, name.replace(".xml", ".yaml")), BASE + scheduler);
    }
  });
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it("is relative to the scenario, and its notes are those of the scenario", () => {
    const { scenario, notes } = loadScenario(join(folder, "capacity-scheduler.yaml"));
    expect(scenario.scheduler.capacity).toMatchObject({ rule: "asPrinted" });
    expect(scenario.scheduler.capacity?.queues).toEqual([
      { ...USUAL_QUEUE, name: "ads", capacityPercent: 70, userLimitFactor: 2 },
      { ...USUAL_QUEUE, name: "lab", capacityPercent: 30 },
    ]);
    expect(notes).toHaveLength(1);
    expect(notes[0]).toMatch(
      /capacity-scheduler\.xml, line 5: mapred\.capacity-scheduler\.init-poll-interval is ignored/,
    );
  });

  it("of YARN is refused at its line, with the platform that runs it", () => {
    writeFileSync(join(folder, "yarn.xml"), yarn({ "root.queues": "default,prod" }));
    writeFileSync(join(folder, "yarn.yaml"), `${BASE}scheduler: {kind: capacity, capacity: {file: yarn.xml}}\n`);
    expect(refusalOf(() => loadScenario(join(folder, "yarn.yaml")))).toMatch(
      /yarn\.xml:2:1: found yarn\.scheduler\.capacity\.root\.queues of YARN, allowed .*`platform: yarn` with kind yarn-capacity/,
    );
  });

  it("is refused with its own places", () => {
    expect(refusalOf(() => loadScenario(join(folder, "bad.yaml")))).toMatch(
      /bad\.xml:1:1: found capacities that add up to 70 over 1 queues/,
    );
  });

  it("may be given on the command line, relative to where it was typed", () => {
    const set = [`scheduler.capacity.file=${join(folder, "capacity-scheduler.xml")}`];
    const { scenario } = parseScenario(`${BASE}scheduler: capacity\n`, "x.yaml", { set });
    expect(scenario.scheduler.capacity?.queues.map(({ name }) => name)).toEqual(["ads", "lab"]);
  });
});
