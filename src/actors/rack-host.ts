import { buildRack, type RackModel } from "../core/cluster/build-rack.js";
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
  private readonly rackByNode: (Rack | undefined)[];
  private readonly codec = new FrameCodec();
  private readonly writer = new ReportWriter();

  constructor(
    private readonly topology: Topology,
    rackNumbers: readonly number[],
    model: RackModel,
    private readonly grid: SliceGrid,
  ) {
    this.racks = rackNumbers.map((rack) => buildRack({ ...model, topology, rack }));
    this.rackByNode = new Array<Rack | undefined>(topology.nodes).fill(undefined);
    for (const rack of this.racks) {
      for (let i = topology.rackStart[rack.rack]; i < topology.rackStart[rack.rack + 1]; i++) {
        this.rackByNode[topology.rackNodes[i]] = rack;
      }
    }
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
    readCommands(codec.words, codec.length, startUs, bounds, (node) => this.rackByNode[node]);
  }

  /** The promise of these racks: no report before that slice, unless a command comes. */
  nextReportSlice(): number {
    let nextUs = Infinity;
    for (const rack of this.racks) nextUs = Math.min(nextUs, rack.nextReportUs());
    return this.grid.sliceAt(nextUs);
  }

  /** Computes a slice; the frame of its reports, or null when there are none. Slices must come in order. */
  compute(slice: number): Uint8Array | null {
    const { writer, grid } = this;
    const untilUs = grid.startUs(slice + 1);
    writer.open(grid.startUs(slice));
    for (const rack of this.racks) {
      if (rack.nextReportUs() >= untilUs) continue;
      try {
        rack.reportUntil(untilUs, writer);
      } catch (cause) {
        throw new RackFailure(this.topology.rackNames[rack.rack], grid.startUs(slice), cause);
      }
    }
    return writer.length === 0 ? null : this.codec.encode(REPORTS, slice, writer.bytes());
  }
}
