import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Heartbeats } from "../../../dist/core/platforms/hadoop/index.js";
import { FaultState, FaultTimeline } from "../../../dist/core/cluster/index.js";
import { type FaultEventSpec, GATE_ORDERS } from "../../../dist/core/scenario/index.js";
import { NO_FAULTS } from "../../../dist/io/index.js";
import { DetailedRacks, SECOND, type RacksOf } from "../../support/detailed-racks.js";

const UNTIL_US = 90 * SECOND;

interface Order {
  readonly atUs: number;
  readonly give: (racks: DetailedRacks) => void;
}

/**
 * A master without a plan: on every heartbeat of a node that it hears, regular or out of band, it looks at each place
 * of the node, and does what the next number says. It hears what the racks tell a lookahead at a time. Returns its
 * commands, and the log.
 */
function bySlices(of: RacksOf, numbers: readonly number[]): { orders: Order[]; log: string[] } {
  const racks = new DetailedRacks(of);
  const orders: Order[] = [];
  const regular = heartbeatsHeard(of, racks);
  let step = 0;
  for (let fromUs = 0; fromUs < UNTIL_US; fromUs += racks.lookaheadUs) {
    racks.run(fromUs + racks.lookaheadUs, UNTIL_US);
    const heard = [...regular(fromUs, fromUs + racks.lookaheadUs), ...racks.beatsWithNews()];
    heard.sort((a, b) => a.atUs - b.atUs || a.node - b.node);
    for (const { atUs, node } of heard) {
      racks.hearUntil(atUs);
      for (const index of racks.slotsOf(node)) {
        for (const aside of [true, false]) {
          const number = numbers[step++ % numbers.length]!;
          const give = decide(racks, of, node, index, aside, atUs, number, numbers[(step * 7) % numbers.length]!);
          if (give === null) continue;
          orders.push({ atUs, give });
          give(racks);
        }
      }
    }
  }
  return { orders, log: racks.run(2 * UNTIL_US, UNTIL_US) };
}

/** The regular heartbeats of all nodes that are heard, window by window. */
function heartbeatsHeard(
  of: RacksOf,
  { topology }: DetailedRacks,
): (fromUs: number, untilUs: number) => { atUs: number; node: number }[] {
  const heartbeats = new Heartbeats(topology, { heartbeatJitter: of.heartbeatJitter ?? 0 }, "1");
  const timeline = new FaultTimeline({ ...NO_FAULTS, ...of.faults }, "1", topology);
  const faults = new FaultState(topology);
  return (fromUs, untilUs) => {
    const due = [];
    for (let node = 0; node < topology.nodes; node++) {
      for (
        let atUs = heartbeats.firstAtOrAfter(node, fromUs);
        atUs < untilUs;
        atUs = heartbeats.firstAfter(node, atUs)
      ) {
        due.push({ atUs, node });
      }
    }
    due.sort((a, b) => a.atUs - b.atUs);
    return due.filter(({ atUs, node }) => {
      while (timeline.nextUs() <= atUs) faults.apply(timeline.take());
      return !faults.isUnresponsive(node);
    });
  };
}

/**
 * What happens to one place of the node. A slot is told from the log: whatever was launched there and not reported
 * runs.
 */
function decide(
  racks: DetailedRacks,
  of: RacksOf,
  node: number,
  index: number,
  aside: boolean,
  atUs: number,
  number: number,
  other: number,
): ((racks: DetailedRacks) => void) | null {
  const slot = racks.slot(node, index);
  const state = racks.stateOf(slot, aside);
  const place = aside ? slot + racks.slots : slot;
  if (aside) {
    if (state === "asks") return (to) => to.tell(place, "commits", (rack) => rack.commit(node, atUs, place));
    if (state === "commits" && number % 3 === 0)
      return (to) => to.tell(place, "dies", (rack) => rack.kill(node, atUs, place));
    return null;
  }
  if (state === "free" && number % 4 !== 0) return launch(racks, of, node, index, atUs, number, other);
  if ((state === "runs" || state === "waits") && number % 9 === 0) {
    return (to) => to.tell(slot, "dies", (rack) => rack.kill(node, atUs, slot));
  }
  if (state === "waits" && number % 3 === 1)
    return (to) => to.tell(slot, "runs", (rack) => rack.mapsFinished(node, atUs, slot));
  return null;
}

function launch(
  racks: DetailedRacks,
  of: RacksOf,
  node: number,
  index: number,
  atUs: number,
  number: number,
  other: number,
): (racks: DetailedRacks) => void {
  const commits = (of.runtime?.commit ?? null) !== null && other % 2 === 0;
  const failsAt = other % 5 === 0 ? other % 1_000_000 : -1;
  const slowdown = other % 7 === 0 ? 2500 : 1000;
  const lengthUs = 1 + (other % (12 * SECOND));
  const prepareUs = other % 3 === 0 ? number % (9 * SECOND) : 0;
  if (index < 2) {
    const mates = [...Array(racks.topology.nodes).keys()].filter(
      (n) => racks.topology.rackOf[n] === racks.topology.rackOf[node],
    );
    const source = [node, mates[number % mates.length]!, -1][other % 3]!;
    const detail = {
      lengthUs,
      commits,
      failsAt,
      slowdown,
      prepareUs,
      outputBytes: other % 2 === 0 ? 0 : other % 50_000_000,
    };
    return (to) => {
      to.tell(to.slot(node, index), "runs", () => to.map(atUs, node, index, source, number % 300, detail));
    };
  }
  const mapsDone = number % 2 === 0;
  const detail = {
    index,
    copyUs: number % (6 * SECOND),
    reduceUs: lengthUs,
    rank: other % 3,
    mapsDone,
    commits,
    failsAt,
    slowdown,
    prepareUs,
    fetchBytes: other % 90_000_000,
    available: 300_000,
  };
  return (to) => {
    to.tell(to.slot(node, index), mapsDone ? "runs" : "waits", () => to.reduce(atUs, node, detail));
  };
}

/**
 * The same commands, each given as late as the protocol allows: the racks have computed a lookahead beyond the
 * heartbeat.
 */
function asLateAsCanBe(of: RacksOf, orders: readonly Order[]): string[] {
  const racks = new DetailedRacks(of);
  for (const { atUs, give } of orders) {
    racks.run(atUs + racks.lookaheadUs, UNTIL_US);
    give(racks);
  }
  return racks.run(2 * UNTIL_US, UNTIL_US);
}

const fault = fc.record({
  kind: fc.constantFrom("crash" as const, "switch" as const, "slow-disk" as const, "slow-node" as const),
  rack: fc.constant(0),
  node: fc.nat(1),
  atUs: fc.integer({ min: SECOND, max: 60 * SECOND }),
  forUs: fc.integer({ min: 1, max: 20 * SECOND }),
  factor: fc.constantFrom(1.5, 4),
}) satisfies fc.Arbitrary<FaultEventSpec>;

/** So that progress is reported. */
const SPECULATION = {
  rule: "late" as const,
  minAgeUs: 0,
  progressGap: 0.2,
  slowerBy: 1,
  maxShareOfSlots: 1,
  checkEveryUs: 3 * SECOND,
};

const GATES = GATE_ORDERS.map((order) => ({ computing: 1, perJob: 3, order }));

const racksOf = fc
  .record({
    model: fc.constantFrom("light" as const, "detailed" as const),
    commit: fc.constantFrom(null, { pollUs: SECOND, commitUs: 700_000 }),
    speculation: fc.constantFrom(null, SPECULATION),
    reduceSlots: fc.constantFrom(1, 3),
    copyCompute: fc.constantFrom(null, ...GATES),
    loadLimit: fc.constantFrom(Infinity, 1),
    heartbeatJitter: fc.constantFrom(0, 0.4),
    outOfBandDelayUs: fc.constantFrom(0, 300_000),
    events: fc.array(fault, { maxLength: 4 }),
  })
  .map(
    ({ model, commit, speculation, copyCompute, loadLimit, reduceSlots, events, ...rest }) =>
      ({
        ...rest,
        node: { loadLimit, reduceSlots },
        faults: { events },
        runtime: { model, commit, speculation, copyCompute },
      }) as RacksOf,
  );

describe("commands that come a lookahead late", () => {
  it("never change what a rack reports", () => {
    fc.assert(
      fc.property(racksOf, fc.array(fc.nat(2 ** 30), { minLength: 40, maxLength: 200 }), (of, numbers) => {
        const { orders, log } = bySlices(of, numbers);
        expect(asLateAsCanBe(of, orders)).toEqual(log);
      }),
      { numRuns: 100, endOnFailure: true },
    );
  });
});
