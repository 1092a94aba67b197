import type { CommandsOf, Rack, RackParts } from "../core/platforms/hadoop/index.js";
import type { Topology } from "../core/cluster/index.js";
import { assert, type SliceGrid, formatTime } from "../core/kernel/index.js";
import { readCommands, COMMANDS, FrameCodec, REPORTS, PREDICTED_US, ReportWriter } from "../messages/index.js";

/**
 * The rack actors that share a thread, and their common letter-box: one frame per slice carries the reports of all of
 * them, one the commands for all. On the master's own thread there may be no frames: it fetches the same words, and
 * commands the racks at once. Synchronous; knows neither clock nor thread.
 */
export class RackHost {
  /** Index of the rack of each node; -1: none of these. */
  private readonly rackByNode: Int32Array;
  /**
   * The promise of each rack, as long as it has not computed and no command has come; and by rack: 1 if one has come.
   */
  private readonly promisedUs: Float64Array;
  private readonly hasNews: Uint8Array;
  private readonly predicts: boolean;
  private sendsPredictions = false;
  /** The slice of the first heartbeat in what `receive` has returned last. */
  foretoldSlice = 0;
  /** Slices beyond the lookahead of which light racks tell when they are awake. */
  readonly slicesPredicted: number;
  private readonly codec = new FrameCodec();
  private readonly writer = new ReportWriter();

  constructor(
    private readonly topology: Topology,
    private readonly racks: readonly Rack[],
    private readonly grid: SliceGrid,
  ) {
    this.predicts = racks.every((rack) => rack.predicts);
    this.slicesPredicted = this.predicts ? Math.floor(PREDICTED_US / grid.lookaheadUs) * grid.perLookahead : 0;
    this.rackByNode = new Int32Array(topology.nodes).fill(-1);
    this.promisedUs = Float64Array.from(this.racks, (rack) => rack.nextReportUs());
    this.hasNews = new Uint8Array(this.racks.length);
    this.racks.forEach(({ racks }, index) => {
      for (const rack of racks) {
        for (let i = topology.rackStart[rack]; i < topology.rackStart[rack + 1]; i++) {
          this.rackByNode[topology.rackNodes[i]] = index;
        }
      }
    });
  }

  /** The racks, if the master can poll them for their ends as they fall due: one rack actor for all of them. */
  get polledRack(): Required<Pick<Rack, "commands" | "dueEnds">> | null {
    const [{ commands, dueEnds }] = this.racks;
    return this.racks.length === 1 && dueEnds !== undefined ? { commands, dueEnds } : null;
  }

  /** Returns the sink of commands for a node of these racks without a frame; then `applyCommands`. */
  readonly commandsOf: CommandsOf = (node) => {
    const index = this.rackByNode[node];
    assert(index >= 0, "a command for a node of another host");
    this.hasNews[index] = 1;
    return this.racks[index].commands;
  };

  /** Brings the promise up to date after commands. */
  applyCommands(): void {
    const { racks, hasNews } = this;
    for (let index = 0; index < racks.length; index++) {
      if (hasNews[index] === 0) continue;
      hasNews[index] = 0;
      this.promisedUs[index] = racks[index].nextReportUs();
    }
  }

  /** Racks that predict tell from now on at once what commands lead to, in the frame that `receive` returns. */
  predict(): void {
    this.sendsPredictions = this.predicts;
  }

  /** Delivers a frame of commands. Returns the frame of what is foretold, or null when that is nothing. */
  receive(frame: Uint8Array): Uint8Array | null {
    const { codec, grid, writer } = this;
    codec.decode(frame, COMMANDS);
    const startUs = grid.startUs(codec.slice);
    writer.open(startUs);
    if (this.sendsPredictions) for (const rack of this.racks) rack.predict?.(writer, startUs + PREDICTED_US);
    readCommands(codec.words, codec.length, startUs, this.commandsOf);
    this.applyCommands();
    if (writer.length === 0) return null;
    this.foretoldSlice = grid.sliceAt(writer.firstUs());
    writer.countFrom(grid.startUs(this.foretoldSlice));
    return codec.encode(REPORTS, this.foretoldSlice, writer.bytes());
  }

  /** The promise of these racks: no report before that slice, unless a command comes. */
  nextReportSlice(): number {
    let nextUs = Infinity;
    const { promisedUs } = this;
    for (let index = 0; index < promisedUs.length; index++) if (promisedUs[index] < nextUs) nextUs = promisedUs[index];
    return this.grid.sliceAt(nextUs);
  }

  /**
   * Computes a slice; the frame of its reports, or null when there are none. Slices must come in order. Light racks
   * tell what is to come in the same frame.
   */
  compute(slice: number): Uint8Array | null {
    const startUs = this.grid.startUs(slice);
    const endUs = this.grid.startUs(slice + 1);
    const reports = this.report(startUs, this.predicts ? Math.max(endUs, startUs + PREDICTED_US) : endUs);
    return reports.length === 0 ? null : this.codec.encode(REPORTS, slice, reports.bytes());
  }

  /** Computes a slice; its reports, into `writer` or valid until the next. Slices must come in order. */
  collect(slice: number, writer = this.writer): ReportWriter {
    return this.report(this.grid.startUs(slice), this.grid.startUs(slice + 1), writer);
  }

  private report(startUs: number, untilUs: number, writer = this.writer): ReportWriter {
    const { racks, promisedUs } = this;
    writer.open(startUs);
    for (let index = 0; index < racks.length; index++) {
      if (promisedUs[index] >= untilUs) continue;
      const rack = racks[index];
      try {
        rack.reportUntil(untilUs, writer);
        promisedUs[index] = rack.nextReportUs();
      } catch (cause) {
        const names = rack.racks.map((number) => this.topology.rackNames[number]);
        throw new RackFailure(names.join(", "), startUs, cause);
      }
    }
    return writer;
  }
}

/** A rack actor that failed, or whose thread died: where, when in virtual time, and why. */
export class RackFailure extends Error {
  override readonly name = "RackFailure";

  constructor(
    /** Name of the rack, or names of all racks on the thread that died. */
    readonly rack: string,
    readonly virtualUs: number,
    cause: unknown,
    /** Number of threads in its place that have died already. */
    replaced = 0,
  ) {
    const inVain = replaced === 0 ? "" : `; replaced ${replaced === 1 ? "once" : `${replaced} times`} before`;
    super(`${rack} died at virtual time ${formatTime(virtualUs)}: ${describe(cause)}${inVain}`, { cause });
  }
}

function describe(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

/**
 * The racks of one host. `isStaged`: the scenario needs detailed racks, whatever `runtime.model` says (attempts that
 * commit, for example); they are loaded only then. Otherwise light racks do, with the same result.
 */
export async function buildRacks(
  isStaged: boolean,
  parts: Omit<RackParts, "rack">,
  racks: readonly number[],
): Promise<Rack[]> {
  if (isStaged) {
    const { DetailedRack } = await import("../core/platforms/hadoop/racks/detailed/detailed-rack.js");
    return racks.map((rack) => new DetailedRack({ ...parts, rack }));
  }
  const { LightRacks } = await import("../core/platforms/hadoop/racks/light-racks.js");
  return [new LightRacks(parts.topology, racks, parts.runtime)];
}
