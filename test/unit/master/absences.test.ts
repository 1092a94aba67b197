import { beforeEach, describe, expect, it } from "vitest";
import { Beats } from "../../../dist/core/cluster/heartbeats.js";
import { buildTopology } from "../../../dist/core/cluster/topology.js";
import { Absences } from "../../../dist/core/master/node-losses.js";
import { clusterOf } from "../../support/small-scenarios.mjs";

const SECOND = 1_000_000;
/** Two racks of two nodes: node 0 (rack 0) beats at 0 s, 4 s, ...; node 1 (rack 1) at 1 s, 5 s, ...; and so on. */
const CLUSTER = { ...clusterOf({ racks: 2, nodesPerRack: 2, heartbeatUs: 4 * SECOND }), heartbeatJitter: 0 };
const TOPOLOGY = buildTopology(CLUSTER);

describe("nodes that the master does not hear", () => {
  let absences: Absences;
  beforeEach(() => {
    absences = new Absences(TOPOLOGY, new Beats(TOPOLOGY, CLUSTER, "s"), 60 * SECOND);
  });
  const nextSeconds = (): number => absences.nextUs() / SECOND;

  it("are given up when the expiry time has passed since their last heartbeat", () => {
    absences.fellSilent(1, 20 * SECOND);
    expect(nextSeconds()).toBe(17 + 60);
    expect([absences.living, absences.silent, absences.isLiving(1)]).toEqual([4, 1, true]);
    expect(absences.giveUp()).toBe(1);
    expect([absences.living, absences.isLiving(1), nextSeconds()]).toEqual([3, false, Infinity]);
    expect(absences.givenUpBits[0]).toBe(0b10);
  });

  it("do not send the heartbeat of the instant at which they fall silent", () => {
    absences.fellSilent(1, 17 * SECOND);
    expect(nextSeconds()).toBe(13 + 60);
  });

  it("count as heard at 0 before their first heartbeat", () => {
    absences.fellSilent(3, 2 * SECOND);
    expect(nextSeconds()).toBe(60);
  });

  it("are not given up when a heartbeat comes in time, seen or not", () => {
    absences.fellSilent(1, 20 * SECOND);
    absences.heardAgain(1, 72 * SECOND);
    expect([nextSeconds(), absences.silent]).toEqual([Infinity, 0]);
  });

  it("are given up when they are back, but their heartbeat would come too late, or just then", () => {
    absences.fellSilent(1, 20 * SECOND);
    absences.heardAgain(1, 74 * SECOND);
    expect(nextSeconds()).toBe(77);
    expect(absences.giveUp()).toBe(1);
  });

  it("are saved by a heartbeat of their own that comes before the regular one", () => {
    absences.fellSilent(1, 20 * SECOND);
    absences.heardAgain(1, 75 * SECOND);
    absences.beat(1, 76 * SECOND);
    expect(nextSeconds()).toBe(Infinity);
    absences.fellSilent(1, 76.5 * SECOND);
    expect(nextSeconds()).toBe(76 + 60);
  });

  it("are missed since the heartbeat that really came, not since one in an earlier silence", () => {
    absences.fellSilent(1, 20 * SECOND);
    absences.heardAgain(1, 30 * SECOND);
    // It would have beaten at 33 s.
    absences.fellSilent(1, 32 * SECOND);
    expect(nextSeconds()).toBe(17 + 60);
    absences.heardAgain(1, 40 * SECOND);
    absences.fellSilent(1, 50 * SECOND);
    expect(nextSeconds()).toBe(49 + 60);
  });

  it("are known by rack: who lives outside", () => {
    absences.fellSilent(1, 5 * SECOND);
    absences.fellSilent(3, 5 * SECOND);
    absences.giveUp();
    expect([absences.livesOutside(0), absences.livesOutside(1)]).toEqual([true, true]);
    absences.giveUp();
    expect([absences.livesOutside(0), absences.livesOutside(1)]).toEqual([false, true]);
    absences.welcome(3);
    expect([absences.livesOutside(0), absences.living, absences.isLiving(3)]).toEqual([true, 3, true]);
    expect(() => {
      absences.welcome(3);
    }).toThrow("had not been given up");
  });

  it("are not watched again before they are welcome", () => {
    absences.fellSilent(1, 20 * SECOND);
    absences.giveUp();
    absences.heardAgain(1, 100 * SECOND);
    absences.fellSilent(1, 100.5 * SECOND);
    expect(nextSeconds()).toBe(Infinity);
  });
});
