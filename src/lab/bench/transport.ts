import { setImmediate as nextTurn } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Piscina } from "piscina";
import { Pacer, ControlWords, Ring, ThreadLink } from "../../actors/index.js";
import { sumOver, US_PER_SECOND } from "../../core/kernel/index.js";
import type { BenchColumn, BenchReport, BenchRow } from "../../experiments/index.js";
import { COMMANDS, FrameCodec, REPORTS, REPORT_WORDS, ReportWriter } from "../../messages/index.js";
import { SUCCEEDED } from "../../core/platforms/hadoop/index.js";
import { benchMachine, type BenchOptions, cost, inTurns, median, named, rate, tally } from "./machine.js";

const RUNS = 3;

const CASES = [1, 40, 700].map((heartbeats) => ({ name: `${heartbeats} heartbeats per frame`, heartbeats }));

/** Frames of each size, both ways; as many again before, to warm up. */
const FRAMES = 20_000;

const COLUMNS: readonly BenchColumn[] = [
  named("case", "heartbeats per frame"),
  tally("frameBytes", "bytes/frame"),
  rate("framesPerSecond", "frames/s"),
  rate("heartbeatsPerSecond", "heartbeats/s"),
  rate("megabytesPerSecond", "MB/s", 1),
  cost("cpuPerFrame", "CPU us/frame", 2),
  rate("roundTripsPerSecond", "round trips/s"),
  cost("roundTripMicroseconds", "us/round trip", 1),
  tally("channelKiB", "shared KiB"),
];

/** `bide bench transport`. */
export async function benchTransport(options: BenchOptions): Promise<BenchReport> {
  const { runs = RUNS, frames = FRAMES, signal, onProgress } = options;
  const figures = await inTurns(CASES, runs, onProgress, async ({ heartbeats }) => ({
    stream: await transport("stream", frames, heartbeats, signal),
    answer: await transport("answer", frames, heartbeats, signal),
  }));
  return {
    bench: "transport",
    question: "how fast do frames go from one thread to another?",
    setup: {
      Sent: `${frames} of each size after as many to warm up, through the rings, control words and codec of a simulation`,
      Heartbeats: "with the end of one attempt each; written, encoded, decoded and checked as in a simulation",
      "frames/s": "one way, as fast as the reader takes them; CPU time of both threads",
      "round trips/s": "a frame of that size each way, the next after the answer",
      "shared KiB": "memory of both rings and the control words",
      Medians: `of ${runs}; sizes take turns`,
    },
    machine: benchMachine(),
    columns: COLUMNS,
    rows: CASES.map(({ heartbeats }, index) => rowOf(heartbeats, frames, figures[index])),
    ratios: {},
    notes: [],
  };
}

function rowOf(
  heartbeats: number,
  frames: number,
  runs: readonly Readonly<Record<TransportTask["way"], TransportFigures>>[],
): BenchRow {
  const perSecond = frames / median(runs.map(({ stream }) => stream.wallSeconds));
  const { frameBytes, channelBytes } = runs[0].stream;
  const roundTripSeconds = median(runs.map(({ answer }) => answer.wallSeconds)) / frames;
  return {
    case: String(heartbeats),
    frameBytes,
    framesPerSecond: perSecond,
    heartbeatsPerSecond: perSecond * heartbeats,
    megabytesPerSecond: (perSecond * frameBytes) / 1e6,
    cpuPerFrame: (median(runs.map(({ stream }) => stream.cpuSeconds)) / frames) * 1e6,
    roundTripsPerSecond: 1 / roundTripSeconds,
    roundTripMicroseconds: roundTripSeconds * 1e6,
    channelKiB: channelBytes / 1024,
  };
}

const WAIT_MS = 40;

/** The cost of a number of frames, after as many to warm up. */
interface TransportFigures {
  readonly wallSeconds: number;
  /** CPU time of both threads. */
  readonly cpuSeconds: number;
  readonly frameBytes: number;
  readonly channelBytes: number;
}

/**
 * Sends frames between this thread and another through the rings, control words and codec of a simulation.
 * Frames are checked on receipt, as the master does.
 */
export async function transport(
  way: TransportTask["way"],
  frames: number,
  heartbeats: number,
  signal: AbortSignal | undefined,
): Promise<TransportFigures> {
  const channel = openChannel(heartbeats);
  const { control, link } = channel;
  const pool = new Piscina({
    filename: fileURLToPath(new URL("./transport-thread.js", import.meta.url)),
    minThreads: 1,
    maxThreads: 1,
    atomics: "disabled",
  });
  const memory = { control: control.memory, reports: link.reports.memory, commands: link.commands.memory };
  const task: TransportTask = { way, frames: 2 * frames, heartbeats, ...memory };
  let fault: unknown = null;
  const ended = pool.run(task).catch((cause: unknown) => {
    fault = cause;
  });
  try {
    while (!control.isReady(PEER) && fault === null) await nextTurn();
    return await exchange(channel, way, frames, heartbeats, () => fault, signal);
  } finally {
    control.stop(1);
    await ended;
    await pool.destroy();
  }
}

async function exchange(
  channel: Channel,
  way: TransportTask["way"],
  frames: number,
  heartbeats: number,
  faultOf: () => unknown,
  signal: AbortSignal | undefined,
): Promise<TransportFigures> {
  const pacer = new Pacer(() => undefined, signal);
  const [codec, writer] = [new FrameCodec(), new ReportWriter()];
  const { control, link, bytes } = channel;
  let startMs = 0;
  let cpuBefore = process.cpuUsage();
  let frameBytes = 0;
  for (let slice = 0; slice < 2 * frames; slice++) {
    if (slice === frames) {
      startMs = performance.now();
      cpuBefore = process.cpuUsage();
    }
    if (way === "answer") {
      writeHeartbeats(writer, heartbeats);
      link.send(codec.encode(COMMANDS, slice, writer.bytes()), slice, slice + 1);
      control.publish(slice + 1);
      link.wakeIfWanted();
    }
    while (control.done(PEER) <= slice) {
      control.awaitHosts([PEER], () => control.done(PEER) > slice, WAIT_MS);
      if (!pacer.isDue()) continue;
      await pacer.pause(0);
      if (faultOf() !== null) throw faultOf();
    }
    const frame = link.takeReports(slice);
    if (frame === null) throw new Error("a frame was lost on its way");
    codec.decode(frame, REPORTS);
    frameBytes = frame.length;
    link.releaseReports();
    if (pacer.isDue()) await pacer.pause(0);
  }
  const { user, system } = process.cpuUsage(cpuBefore);
  const wallSeconds = (performance.now() - startMs) / 1000;
  return { wallSeconds, cpuSeconds: (user + system) / 1e6, frameBytes, channelBytes: bytes };
}

/** The only peer. */
export const PEER = 0;

/** Nothing here depends on how long a slice is. */
export const SLICE_US = 3 * US_PER_SECOND;

/** Frames that a ring of reports has room for. */
const ROOM = 64;

const FRAME_OVERHEAD = 64;

const SLOTS = 10;

/** The start data of the thread at the other end. */
export interface TransportTask {
  /** `stream`: it writes frames as fast as there is room. `answer`: a frame for every one that it gets. */
  readonly way: "stream" | "answer";
  readonly frames: number;
  readonly heartbeats: number;
  readonly control: SharedArrayBuffer;
  readonly reports: SharedArrayBuffer;
  readonly commands: SharedArrayBuffer;
}

/** Shared memory as between the master and one rack thread, and the master's end of it. */
interface Channel {
  readonly control: ControlWords;
  readonly link: ThreadLink;
  readonly bytes: number;
}

function openChannel(heartbeats: number): Channel {
  const control = ControlWords.allocate(1);
  const largest = 4 * REPORT_WORDS * heartbeats + FRAME_OVERHEAD;
  const [reports, commands] = [Ring.allocate(ROOM, largest), Ring.allocate(ROOM, largest)];
  const bytes = sumOver([control.memory, reports.memory, commands.memory], ({ byteLength }) => byteLength);
  return { control, link: new ThreadLink(PEER, control, reports, commands), bytes };
}

/** Writes the given number of heartbeats, each with the end of one attempt. */
export function writeHeartbeats(writer: ReportWriter, heartbeats: number): void {
  writer.open(0);
  for (let beat = 0; beat < heartbeats; beat++) writer.report(SUCCEEDED, beat, beat, beat % SLOTS, beat);
}
