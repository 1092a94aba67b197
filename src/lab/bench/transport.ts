import type { BenchColumn, BenchReport, BenchRow } from "../../core/metrics/bench-report.js";
import type { BenchOptions } from "./bench-options.js";
import { benchMachine } from "./machine.js";
import { median } from "./medians.js";
import { transport, type TransportFigures } from "./transport-run.js";

const RUNS = 3;
const HEARTBEATS = [1, 40, 700];
/** Of each size, both ways; as many again before, to warm up. */
const FRAMES = 20_000;

const COLUMNS: readonly BenchColumn[] = [
  { key: "case", title: "heartbeats per frame", kind: "name" },
  { key: "frameBytes", title: "bytes/frame", kind: "count" },
  { key: "framesPerSecond", title: "frames/s", kind: "rate" },
  { key: "heartbeatsPerSecond", title: "heartbeats/s", kind: "rate" },
  { key: "megabytesPerSecond", title: "MB/s", kind: "rate", decimals: 1 },
  { key: "cpuPerFrame", title: "CPU us/frame", kind: "cost", decimals: 2 },
  { key: "roundTripsPerSecond", title: "round trips/s", kind: "rate" },
  { key: "roundTripMicroseconds", title: "us/round trip", kind: "cost", decimals: 1 },
  { key: "channelKiB", title: "shared KiB", kind: "count" },
];

/** `bide bench transport`. */
export async function benchTransport(options: BenchOptions): Promise<BenchReport> {
  const { runs = RUNS, frames = FRAMES, signal, onProgress } = options;
  const found = HEARTBEATS.map(() => ({ streams: [] as TransportFigures[], answers: [] as TransportFigures[] }));
  for (let run = 0; run < runs; run++) {
    for (const [at, heartbeats] of HEARTBEATS.entries()) {
      onProgress?.(`run ${String(run + 1)} of ${String(runs)}: ${String(heartbeats)} heartbeats per frame`);
      found[at].streams.push(await transport("stream", frames, heartbeats, signal));
      found[at].answers.push(await transport("answer", frames, heartbeats, signal));
    }
  }
  return {
    bench: "transport",
    question: "how fast do frames go from one thread to another?",
    setup: {
      Sent: `${String(frames)} of each size after as many to warm up, through the rings, control words and codec of a simulation`,
      Heartbeats: "with the end of one attempt each; written, encoded, decoded and checked as in a simulation",
      "frames/s": "one way, as fast as the reader takes them; CPU time of both threads",
      "round trips/s": "a frame of that size each way, the next after the answer",
      "shared KiB": "memory of both rings and the control words",
      Medians: `of ${String(runs)}; sizes take turns`,
    },
    machine: benchMachine(),
    columns: COLUMNS,
    rows: HEARTBEATS.map((heartbeats, at) => rowOf(heartbeats, frames, found[at].streams, found[at].answers)),
    ratios: {},
    notes: [],
  };
}

function rowOf(
  heartbeats: number,
  frames: number,
  streams: readonly TransportFigures[],
  answers: readonly TransportFigures[],
): BenchRow {
  const perSecond = frames / median(streams.map(({ wallSeconds }) => wallSeconds));
  const { frameBytes, channelBytes } = streams[0];
  const roundTripSeconds = median(answers.map(({ wallSeconds }) => wallSeconds)) / frames;
  return {
    case: String(heartbeats),
    frameBytes,
    framesPerSecond: perSecond,
    heartbeatsPerSecond: perSecond * heartbeats,
    megabytesPerSecond: (perSecond * frameBytes) / 1e6,
    cpuPerFrame: (median(streams.map(({ cpuSeconds }) => cpuSeconds)) / frames) * 1e6,
    roundTripsPerSecond: 1 / roundTripSeconds,
    roundTripMicroseconds: roundTripSeconds * 1e6,
    channelKiB: channelBytes / 1024,
  };
}
