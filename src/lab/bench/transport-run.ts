import { fileURLToPath } from "node:url";
import { setImmediate as nextTurn } from "node:timers/promises";
import { Piscina } from "piscina";
import { Pacer } from "../../actors/pacer.js";
import { COMMANDS, FrameCodec, REPORTS } from "../../messages/frame.js";
import { checkReports, ReportWriter } from "../../messages/report-words.js";
import { BOUNDS, openChannel, PEER, writeHeartbeats, type Channel, type TransportTask } from "./transport-channel.js";

const WAIT_MS = 40;

/** What so many frames took, after as many to warm up. */
export interface TransportFigures {
  readonly wallSeconds: number;
  /** Of both threads. */
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
    checkReports(codec.words, codec.length, BOUNDS);
    if (pacer.isDue()) await pacer.pause(0);
  }
  const { user, system } = process.cpuUsage(cpuBefore);
  const wallSeconds = (performance.now() - startMs) / 1000;
  return { wallSeconds, cpuSeconds: (user + system) / 1e6, frameBytes, channelBytes: bytes };
}
