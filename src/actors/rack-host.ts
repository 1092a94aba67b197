import { buildRack } from "../core/cluster/build-rack.js";
import type { RackModel } from "../core/cluster/rack-model.js";
import type { Rack } from "../core/cluster/rack.js";
import type { Topology } from "../core/cluster/topology.js";
import type { SliceGrid } from "../core/kernel/slices.js";
import { readCommands } from "../messages/read-commands.js";
import { COMMANDS, FrameCodec, REPORTS } from "../messages/frame.js";
import { ReportWriter } from "../messages/report-words.js";
import { RackFailure } from "./rack-failure.js";

/**
 * The rack actors that share a thread, and their common letter-box: one frame per slice carries the reports of all of
 * them, one the commands for all. Synchronous; knows neither clock nor thread. A frame is a letter to or from a rack only
 * through this box, so that any spread of racks over hosts exchanges the same words.
 */
export class RackHost {
  private readonly racks: Rack[];
  /** Which of them a node belongs to; -1: to none. */
  private readonly rackByNode: Int32Array;
  /** What each has promised, as long as it has not computed and no command has come; and which have got one. */
  private readonly promisedUs: Float64Array;
  private readonly hasNews: Uint8Array;
  private readonly codec = new FrameCodec();
  private readonly writer = new ReportWriter();

  constructor(
    private readonly topology: Topology,
    rackNumbers: readonly number[],
    model: RackModel,
    private readonly grid: SliceGrid,
  ) {
    this.racks = rackNumbers.map((rack) => buildRack({ ...model, topology, rack }));
    this.rackByNode = new Int32Array(topology.nodes).fill(-1);
    this.promisedUs = Float64Array.from(this.racks, (rack) => rack.nextReportUs());
    this.hasNews = new Uint8Array(this.racks.length);
    this.racks.forEach(({ rack }, index) => {
      for (let i = topology.rackStart[rack]; i < topology.rackStart[rack + 1]; i++) {
        this.rackByNode[topology.rackNodes[i]] = index;
      }
    });
  }

  /** Delivers a frame of commands. */
  receive(frame: Uint8Array): void {
    const { codec, grid, topology } = this;
    codec.decode(frame, COMMANDS);
    const startUs = grid.startUs(codec.slice);
    const bounds = {
      nodes: topology.nodes,
      slots: topology.rackSlotStart[topology.racks],
      sliceUs: grid.startUs(codec.slice + 1) - startUs,
    };
    const { racks, rackByNode, hasNews } = this;
    readCommands(codec.words, codec.length, startUs, bounds, (node) => {
      const index = rackByNode[node];
      if (index < 0) return undefined;
      hasNews[index] = 1;
      return racks[index].commands;
    });
    for (let index = 0; index < racks.length; index++) {
      if (hasNews[index] === 0) continue;
      hasNews[index] = 0;
      this.promisedUs[index] = racks[index].nextReportUs();
    }
  }

  /** The promise of these racks: no report before that slice, unless a command comes. */
  nextReportSlice(): number {
    let nextUs = Infinity;
    const { promisedUs } = this;
    for (let index = 0; index < promisedUs.length; index++) if (promisedUs[index] < nextUs) nextUs = promisedUs[index];
    return this.grid.sliceAt(nextUs);
  }

  /** Computes a slice; the frame of its reports, or null when there are none. Slices must come in order. */
  compute(slice: number): Uint8Array | null {
    const { writer, grid } = this;
    const untilUs = grid.startUs(slice + 1);
    writer.open(grid.startUs(slice));
    for (let index = 0; index < this.racks.length; index++) {
      if (this.promisedUs[index] >= untilUs) continue;
      const rack = this.racks[index];
      try {
        rack.reportUntil(untilUs, writer);
        this.promisedUs[index] = rack.nextReportUs();
      } catch (cause) {
        throw new RackFailure(this.topology.rackNames[rack.rack], grid.startUs(slice), cause);
      }
    }
    return writer.length === 0 ? null : this.codec.encode(REPORTS, slice, writer.bytes());
  }
}
