import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { JitterCursor, PhaseCursor } from "../../../dist/actors/index.js";
import { Heartbeats, UnresponsiveNodes } from "../../../dist/core/platforms/hadoop/index.js";
import { CRASH, type FaultTransition } from "../../../dist/core/cluster/index.js";
import { byTimeThenNode, naiveHeartbeats, phasesOf, type Heartbeat } from "../../support/naive-heartbeats.js";
import { WalkedMaster } from "../../support/walked-master.js";

const ROUNDS = 5;

interface Case {
  readonly nodes: number;
  readonly heartbeatUs: number;
  readonly jitter: number;
  readonly seed: number;
  readonly events: readonly number[];
  /** When a node is unresponsive, as shares of the run. */
  readonly outages: readonly { node: number; from: number; until: number }[];
  /** Shares of all regular heartbeats that have news, and out-of-band heartbeats. */
  readonly news: readonly number[];
  readonly extra: readonly { node: number; at: number }[];
  readonly cuts: readonly number[];
}

const share = fc.double({ min: 0, max: 1, noNaN: true });
const node = fc.nat(99);
const casesWith = (jitter: fc.Arbitrary<number>): fc.Arbitrary<Case> =>
  fc
    .record({
      nodes: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 30, max: 100 })),
      spareUs: fc.integer({ min: 0, max: 400 }),
      jitter,
      seed: fc.nat(),
      events: fc.array(share, { maxLength: 12 }),
      outages: fc.array(fc.record({ node, from: share, until: share }), { maxLength: 6 }),
      news: fc.array(share, { maxLength: 25 }),
      extra: fc.array(fc.record({ node, at: share }), { maxLength: 25 }),
      cuts: fc.array(share, { maxLength: 20 }),
    })
    .map((raw) => ({ ...raw, heartbeatUs: raw.nodes + raw.spareUs }));

/** The case in microseconds, with all its beats. */
function planOf({ nodes, heartbeatUs, jitter, seed, events, outages, news, extra, cuts }: Case) {
  const phases = phasesOf(nodes, heartbeatUs);
  const endUs = ROUNDS * heartbeatUs;
  const timeOf = (of: number): number => Math.floor(of * endUs);
  const transitions = outages
    .flatMap(({ node: n, from, until }): FaultTransition[] => {
      const of = { kind: CRASH, target: n % nodes, factor: 1 } as const;
      const startUs = timeOf(Math.min(from, until));
      const end = Math.max(startUs + 1, timeOf(Math.max(from, until)));
      return [
        { ...of, atUs: startUs, starts: true },
        { ...of, atUs: end, starts: false },
      ];
    })
    .sort((a, b) => a.atUs - b.atUs || Number(b.starts) - Number(a.starts));
  const isUnresponsive = ({ atUs, node: n }: Heartbeat): boolean =>
    transitions.reduce((sum, t) => sum + (t.target === n && t.atUs <= atUs ? (t.starts ? 1 : -1) : 0), 0) > 0;
  const all = naiveHeartbeats(phases, jitter, String(seed), endUs);
  const regular = all.filter((heartbeat) => !isUnresponsive(heartbeat));
  const outOfBand = extra
    .map((one): Heartbeat => ({ atUs: timeOf(one.at), node: one.node % nodes }))
    .filter((heartbeat) => heartbeat.atUs < endUs && !isUnresponsive(heartbeat));
  const told = [...outOfBand, ...news.flatMap((of) => regular[Math.floor(of * regular.length)] ?? [])];
  return {
    phases,
    endUs,
    transitions,
    regular,
    news: inOrder(told),
    all,
    eventsUs: events.map(timeOf),
    cutsUs: [...new Set([...cuts.map(timeOf), endUs])].sort((a, b) => a - b),
  };
}

type Plan = ReturnType<typeof planOf>;

/** By time, then node; each once. */
function inOrder(heartbeats: readonly Heartbeat[]): Heartbeat[] {
  const sorted = [...heartbeats].sort(byTimeThenNode);
  return sorted.filter(({ atUs, node: n }, i) => atUs !== sorted[i - 1]?.atUs || n !== sorted[i - 1]?.node);
}

function naively({ endUs, regular, news, eventsUs, phases }: Plan, seed: number): WalkedMaster {
  const master = new WalkedMaster(phases.nodes, seed, eventsUs);
  const hasNews = new Set(news.map(({ atUs, node: n }) => `${atUs}/${n}`));
  const runEvents = (untilUs: number): void => {
    while (master.nextEventUs() <= untilUs) master.runEvent();
  };
  for (const { atUs, node: n } of inOrder([...regular, ...news])) {
    runEvents(atUs);
    if (!hasNews.has(`${atUs}/${n}`) && !master.isRelevant(n)) continue;
    master.beginHeartbeat(atUs);
    master.endHeartbeat(n);
  }
  runEvents(endUs - 1);
  return master;
}

/**
 * In windows that end at the cuts; also checks that `take` knows regular heartbeats, and how many heartbeats outages
 * cost.
 */
function walked(plan: Plan, { seed, jitter }: Case): WalkedMaster {
  const { phases, transitions, eventsUs, cutsUs, endUs, regular, all } = plan;
  const master = new WalkedMaster(phases.nodes, seed, eventsUs);
  const heartbeats = new Heartbeats(phases, { heartbeatJitter: jitter }, String(seed));
  const left = [...transitions];
  const timeline = { nextUs: () => left[0]?.atUs ?? Infinity, take: () => left.shift()! };
  const unresponsive = new UnresponsiveNodes(
    { ...phases, rackNodes: new Int32Array(), rackStart: new Int32Array(1) },
    heartbeats,
    timeline,
  );
  const parts = { master, topology: phases, heartbeats, unresponsive };
  const cursor = jitter > 0 ? new JitterCursor(parts) : new PhaseCursor(parts);
  const isRegular = new Set(regular.map(({ atUs, node: n }) => `${atUs}/${n}`));
  const news = [...plan.news];
  for (const cutUs of cutsUs) {
    for (;;) {
      const eventUs = Math.min(master.nextEventUs(), unresponsive.nextChangeUs());
      const told = news[0];
      if (told !== undefined && told.atUs < Math.min(eventUs, cutUs)) {
        if (!cursor.goUntil(told.atUs, told.node, eventUs)) continue;
        news.shift();
        expect(cursor.take(told.atUs, told.node)).toBe(isRegular.has(`${told.atUs}/${told.node}`));
        master.beginHeartbeat(told.atUs);
        master.endHeartbeat(told.node);
      } else if (cursor.goUntil(Math.min(eventUs, cutUs), 0, eventUs)) {
        if (eventUs >= cutUs) break;
        if (unresponsive.nextChangeUs() === eventUs) unresponsive.change();
        else master.runEvent();
      }
    }
  }
  expect(news).toEqual([]);
  expect(unresponsive.missedBefore(endUs)).toBe(all.length - regular.length);
  return master;
}

describe.each([
  ["by phases", fc.constant(0)],
  ["by a calendar", fc.constantFrom(0.01, 0.2, 0.5, 0.9)],
])("the cursor %s", (_, jitter) => {
  it("never visits other heartbeats, or in another order, than a list of all of them says, whatever the windows", () => {
    let heartbeats = 0;
    fc.assert(
      fc.property(casesWith(jitter), (example) => {
        const plan = planOf(example);
        const { happened } = naively(plan, example.seed);
        heartbeats += happened.filter(([what]) => what === "heartbeat").length;
        expect(walked(plan, example).happened).toEqual(happened);
        expect(walked({ ...plan, cutsUs: [plan.endUs] }, example).happened).toEqual(happened);
      }),
      { numRuns: 400 },
    );
    expect(heartbeats).toBeGreaterThan(400 * 20);
  });
});
