import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Piscina } from "piscina";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ControlWords, Ring, ThreadLink, type RackThreadTask } from "../../../dist/actors/index.js";
import { rackModelOf, SUCCEEDED } from "../../../dist/core/platforms/hadoop/index.js";
import { buildTopology, sharedTopology } from "../../../dist/core/cluster/index.js";
import { CommandWriter, COMMANDS, FrameCodec, REPORTS } from "../../../dist/messages/index.js";
import { clusterOf, jobOf, smallRun } from "../../support/small-scenarios.mjs";

const SECOND = 1_000_000;
const SLICES = 3;
const LATER_MS = 600;

/** A rack thread with the test in the place of the master, so that every interleaving can be had at will. */
describe.each([
  ["at once", false],
  ["after it has looked for a while", true],
])("a rack thread that sleeps %s", (_, spins) => {
  const cluster = clusterOf({ racks: 1, nodesPerRack: 1, mapSlots: 2, heartbeatUs: 3 * SECOND });
  const { scenario } = smallRun({ cluster, jobs: [jobOf({})] });
  const codec = new FrameCodec();
  let pool: Piscina;
  let control: ControlWords;
  let link: ThreadLink;
  let ended: Promise<unknown>;

  beforeEach(async () => {
    control = ControlWords.allocate(1, spins);
    link = new ThreadLink(0, control, Ring.allocate(8, 1000), Ring.allocate(8, 1000));
    pool = new Piscina({
      filename: fileURLToPath(new URL("../../../dist/actors/rack-thread.js", import.meta.url)),
      minThreads: 1,
      maxThreads: 1,
      atomics: "disabled",
    });
    const task: RackThreadTask = {
      host: 0,
      racks: [0],
      model: rackModelOf(scenario),
      topology: sharedTopology(buildTopology(scenario.cluster)),
      isStaged: false,
      lookaheadUs: SLICES * SECOND,
      slicesPerLookahead: SLICES,
      control: control.memory,
      spins,
      reports: link.reports.memory,
      commands: link.commands.memory,
      replay: null,
      injectedFault: null,
    };
    ended = pool.run(task);
    while (!control.isReady(0)) await sleep(1);
    await until(() => control.quiet(0) > 1000);
  });

  afterEach(async () => {
    control.stop(1);
    await ended;
    await pool.destroy();
  });

  /** Waits as the master would, but not so long that the thread's own time limit could help. */
  async function until(isThere: () => boolean): Promise<void> {
    const startMs = performance.now();
    while (!isThere() && performance.now() - startMs < LATER_MS) await sleep(2);
    expect(isThere(), "the thread got there before it would have woken by itself").toBe(true);
  }

  /** A map launched on the node's beat in the slice, which is its first one in a round. */
  function launch(slice: number, slot: number, lengthUs: number): Uint8Array {
    const startUs = slice * SECOND;
    const writer = new CommandWriter();
    writer.open(startUs);
    writer.launchMap(0, startUs, slot, 0, lengthUs, null);
    return Uint8Array.from(codec.encode(COMMANDS, slice, writer.bytes()));
  }

  /** What the driver does after a slice. */
  function finish(slice: number, frame: Uint8Array | null): void {
    if (frame !== null) link.send(frame, slice, slice + SLICES);
    control.publish(slice + 1);
    link.wakeIfWanted();
  }

  it("does a lookahead of slices before it is told anything", async () => {
    await until(() => control.done(0) === SLICES);
    expect([0, 1, 2, 100].map((slice) => link.hasReached(slice))).toEqual([true, true, true, true]);
    expect(link.takeReports(0)).toBeNull();
  });

  it("reports a map in the slice of the beat after its finish, and keeps quiet till then", async () => {
    finish(0, launch(0, 0, 4 * SECOND));
    await until(() => link.hasReached(5));
    for (let slice = 1; slice <= 5; slice++) finish(slice, null);
    await until(() => link.hasReached(6));
    const frame = link.takeReports(6);
    codec.decode(frame!, REPORTS);
    expect([codec.slice, ...codec.words.subarray(0, codec.length)]).toEqual([6, 0, 0, 0, 2 * SECOND, SUCCEEDED]);
    link.releaseReports();
  });

  it("that takes a frame before its slice is published does not leave the master waiting", async () => {
    // The thread is up and about just after the master has sent the frame of slice 0, but before it publishes.
    link.send(launch(0, 0, 1000 * SECOND), 0, SLICES);
    control.wakeIfWanted(0, true);
    await until(() => !link.commands.hasFrame());
    // So it is not asleep when the master looks, and the master has no reason to wake it; then it goes to sleep.
    control.publish(1);
    await sleep(20);
    for (let slice = 1; slice < SLICES; slice++) {
      await until(() => link.hasReached(slice));
      finish(slice, null);
    }
    await until(() => link.hasReached(SLICES));
  });

  it("stops when it is told to, asleep or not", async () => {
    control.stop(1);
    // A thread that was not woken would sleep for ever.
    await ended;
  });
});
