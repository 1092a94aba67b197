import { buildTopology } from "../../dist/core/cluster/index.js";
import {
  JobTable,
  type SlotType,
  NO_WAIT,
  NodeFilters,
  OfferScheduler,
  Users,
  type BuiltScheduler,
  type Launcher,
} from "../../dist/core/platforms/hadoop/index.js";
import type { FrameworkSpec } from "../../dist/core/scenario/index.js";
import { clusterOf } from "./small-scenarios.mjs";
import { USUAL_OFFERS } from "./usual-settings.js";

export const SECOND = 1_000_000;

/** A framework that says what it wants, and takes so many slots of each type of whatever it is offered. */
export class FakeFramework {
  wantsMaps = true;
  wantsReduces = true;
  takes: [number, number] = [Infinity, Infinity];
  slotsSeen: readonly number[] = [];
}

/**
 * A master of two racks with two nodes each (0 and 2 in rack 0, 1 and 3 in rack 1) of 4 map and 2 reduce slots, and
 * frameworks with one job each: job k is that of framework k. What happens is logged as `k: offered maps+reduces on
 * node`.
 */
export class FakeFrameworks {
  readonly log: string[] = [];
  readonly fakes: FakeFramework[];
  readonly scheduler: OfferScheduler;
  readonly jobs = new JobTable();

  constructor(frameworks: readonly Partial<FrameworkSpec>[], rescindAfterUs = Infinity) {
    const topology = buildTopology(clusterOf({ racks: 2, nodesPerRack: 2, mapSlots: 4, reduceSlots: 2 }));
    const specs = frameworks.map((changes) => ({ ...USUAL_OFFERS.usual, ...changes }));
    this.fakes = specs.map(() => new FakeFramework());
    const launched: [number, number] = [0, 0];
    const launcher = {
      isSelective: false,
      launchMap: () => launched[0]++,
      launchReduce: () => launched[1]++,
    } as unknown as Launcher;
    this.scheduler = new OfferScheduler({
      inners: this.fakes.map((fake, k) => this.builtOf(fake, k, launcher)),
      jobs: this.jobs,
      frameworks: specs,
      filters: new NodeFilters(specs, topology),
      launched,
      rescindAfterUs,
      slots: [16, 8],
      nodes: 4,
      heartbeatUs: 3 * SECOND,
    });
    for (const k of specs.keys()) this.enter(k);
  }

  /** The node beats with so many free slots; returns what was offered to whom. */
  beat(node: number, atS: number, maps: number, reduces = 0): string[] {
    this.scheduler.heartbeat(node, atS * SECOND, maps, reduces);
    return this.log.splice(0);
  }

  /** Slots that the framework holds or is offered, per type. */
  holds(k: number): number[] {
    return ([0, 1] as const).map((type: SlotType) => this.scheduler.shares.holds(k, type));
  }

  private enter(k: number): void {
    const { places, users } = this.scheduler;
    const pool = places.placeOf(k, "pool", "user", 0);
    const entry = { id: k, priority: 2, startUs: 0, maps: 100, reduces: 100, slowStartMaps: 0, firstBlock: -1 };
    this.scheduler.jobAdded(this.jobs.enter({ ...entry, pool, user: users.named("user") }), 0);
  }

  private builtOf(fake: FakeFramework, k: number, launcher: Launcher): BuiltScheduler {
    const scheduler = {
      jobAdded() {},
      jobRemoved() {},
      attemptEnded() {},
      nextUpdateUs: () => Infinity,
      slotsChanged: (...slots: number[]) => {
        fake.slotsSeen = slots;
      },
      wantsMapSlots: () => fake.wantsMaps,
      wantsReduceSlots: () => fake.wantsReduces,
      hasReduces: () => fake.wantsReduces,
      heartbeat: (node: number, _nowUs: number, maps: number, reduces: number) => {
        this.log.push(`${k}: ${maps}+${reduces} on ${node}`);
        for (let n = 0; n < Math.min(maps, fake.takes[0]); n++) launcher.launchMap(k, 0, node, 0);
        for (let n = 0; n < Math.min(reduces, fake.takes[1]); n++) launcher.launchReduce(k, node);
      },
    };
    const built = { scheduler, users: new Users(), poolOf: () => 0, waitOf: () => NO_WAIT };
    return built as unknown as BuiltScheduler;
  }
}
