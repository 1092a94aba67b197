import { ControlWords, Ring } from "../../actors/index.js";
import { COMMANDS, FrameCodec, REPORTS, ReportWriter } from "../../messages/index.js";
import { PEER, type TransportTask, writeHeartbeats } from "./transport.js";

const SLEEP_LIMIT_MS = 1000;

/** The other end of a measured channel, a piscina task: what a rack thread does, without racks. */
export default function peer(task: TransportTask): void {
  const control = new ControlWords(task.control);
  const [reports, commands] = [new Ring(task.reports), new Ring(task.commands)];
  const [writer, codec] = [new ReportWriter(), new FrameCodec()];
  control.tellReady(PEER);
  for (let slice = 0; slice < task.frames && !control.stopped; slice++) {
    if (task.way === "answer" && !take(slice)) return;
    writeHeartbeats(writer, task.heartbeats);
    const frame = codec.encode(REPORTS, slice, writer.bytes());
    if (!reports.write(frame, slice, () => control.stopped)) return;
    control.tell(PEER, slice + 1, slice + 1, slice + 1);
  }

  /** Waits for the frame of the slice; false: it will not come. */
  function take(slice: number): boolean {
    while (!commands.hasFrame()) {
      if (control.stopped) return false;
      control.sleep(PEER, slice + 1, () => commands.hasFrame(), SLEEP_LIMIT_MS);
    }
    codec.decode(commands.read(), COMMANDS);
    commands.release();
    return true;
  }
}
