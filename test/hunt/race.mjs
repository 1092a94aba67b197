import { buildRacks, RackHost, OwnRacks } from "../../dist/actors/index.js";
import { needsStages, rackModelOf } from "../../dist/core/platforms/hadoop/index.js";
import { streamFor } from "../../dist/core/kernel/index.js";

/**
 * Drives the actors as threads do, but on this thread and in an order that a seed draws: hosts compute as far ahead as
 * rules R and M allow or no further than they must, tell of ends when they know of them or when they are due, and hear
 * of commands at once or at the last moment; racks of the master's own compute ahead or not (docs/parallel.md). What
 * depends on arrival comes out otherwise in some such race, and the same again with the same seed.
 */
export function race(seed) {
  return async ({ scenario, topology, grid, hostOfRack, hosts, ownHost, master, pacer }) => {
    const stream = streamFor(String(seed), "race");
    const runners = await Promise.all(
      Array.from({ length: hosts }, async (_, host) => runnerOf(scenario, topology, grid, hostOfRack, host)),
    );
    const { perLookahead } = grid;
    const ownRacks = new OwnRacks(ownHost, perLookahead);
    for (const { rackHost } of runners) if (stream.next() < 0.5) rackHost.predict();
    for (let slice = 0; !master.isOver(slice); slice++) {
      for (const runner of runners) {
        runner.advance(slice, perLookahead, stream);
        for (const frame of runner.framesFor(slice, master.hasPredictions)) master.receive(frame, runner.host, slice);
      }
      while (stream.next() < 0.5 && ownRacks.computeNext(slice + perLookahead));
      ownRacks.reportTo(master, slice);
      master.process(slice);
      ownRacks.applyCommands();
      for (const runner of runners) {
        const showsFrom = master.showsFrom(runner.host, slice);
        if (showsFrom >= slice + 1 + perLookahead && stream.next() < 0.5) continue;
        const frame = master.commandsFor(runner.host);
        if (frame !== null) runner.sent.push({ slice, showsFrom, frame: frame.slice() });
      }
      if (pacer.isDue()) await pacer.pause(grid.startUs(slice + 1));
    }
  };
}

async function runnerOf(scenario, topology, grid, hostOfRack, host) {
  const model = rackModelOf(scenario);
  const racks = [...hostOfRack.keys()].filter((rack) => hostOfRack[rack] === host);
  const built = await buildRacks(needsStages(scenario), { ...model, topology }, racks);
  return new Runner(host, new RackHost(topology, built, grid));
}

class Runner {
  /** Commands on their way to the host, with the slices in which they were sent and can show. */
  sent = [];
  /** Reports on their way to the master, with their slices. */
  reported = [];

  constructor(host, rackHost) {
    this.host = host;
    this.rackHost = rackHost;
  }

  /** Does what must be done before the master processes the slice, and some of what may be. */
  advance(slice, perLookahead, stream) {
    const { rackHost, sent, reported } = this;
    const isNeeded = ({ slice: of, showsFrom }) => of <= slice - perLookahead || showsFrom <= slice;
    for (;;) {
      const next = rackHost.nextReportSlice();
      // Replies of all slices below this have been applied.
      const applied = sent.length > 0 ? sent[0].slice : slice;
      const mayCompute = next < applied + perLookahead + rackHost.slicesPredicted;
      const mustCompute = next <= slice;
      const mustApply = sent.some(isNeeded);
      if (sent.length > 0 && (mustApply || (mustCompute && !mayCompute) || stream.next() < 0.3)) {
        const foretold = rackHost.receive(sent.shift().frame);
        if (foretold !== null) reported.push({ slice: rackHost.foretoldSlice, frame: foretold.slice() });
      } else if (mayCompute && (mustCompute || stream.next() < 0.5)) {
        const frame = rackHost.compute(next);
        if (frame !== null) reported.push({ slice: next, frame: frame.slice() });
      } else if (!mustCompute) return;
    }
  }

  framesFor(slice, orLater) {
    const due = this.reported.filter((report) => orLater || report.slice === slice);
    this.reported = this.reported.filter((report) => !due.includes(report));
    return due.map(({ frame }) => frame);
  }
}
