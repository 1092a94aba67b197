import fc from "fast-check";
import { expect, it } from "vitest";
import { Recorder } from "../../dist/core/platforms/hadoop/index.js";
import { collectRecord, simulate, type ActorsRun } from "../../dist/lab/index.js";
import { failingCases, failingRun } from "../support/failing-runs.js";
import { casesToTry, SEARCH_TIMEOUT_MS, searchForProblem } from "../support/search.js";

const FILE = "test/property/slot-seconds.test.ts";
const RUNS = 150;
const SECOND = 1_000_000;

/**
 * Nodes that crash for good, return late, or run on behind a lost switch until they have been given up; and a run cut
 * off at any time.
 */
const cases = fc.record({
  raw: failingCases,
  losses: fc.array(
    fc.record({
      kind: fc.constantFrom("crash", "crash", "switch"),
      rack: fc.nat(1),
      node: fc.nat(2),
      atS: fc.nat(150),
      forS: fc.constantFrom(2, 20, 45, 120, Infinity),
    }),
    { minLength: 1, maxLength: 4 },
  ),
  untilS: fc.integer({ min: 20, max: 400 }),
});

interface Told {
  readonly run: ActorsRun;
  /**
   * By job and type (`2 * job + type`), from what the recorder was told: attempts that ended by their row, others until
   * the run stopped.
   */
  readonly ranUs: Float64Array;
  readonly running: number;
}

async function toldRun({ raw, losses, untilS }: typeof cases extends fc.Arbitrary<infer T> ? T : never): Promise<Told> {
  const { scenario, workload } = failingRun(raw);
  const events = losses.map(({ kind, rack, node, atS, forS }) => ({
    kind,
    rack,
    node: kind === "switch" ? 0 : node,
    atUs: atS * SECOND,
    forUs: forS * SECOND,
    factor: 1,
  }));
  const faulty = {
    ...scenario,
    run: { ...scenario.run, untilUs: untilS * SECOND },
    faults: { ...scenario.faults, events: [...scenario.faults.events, ...events] as typeof scenario.faults.events },
  };
  const launchedUs = new Map<string, number>();
  const { launched } = Recorder.prototype;
  Recorder.prototype.launched = function (...of) {
    launchedUs.set([of[0], of[1], of[2], of[3]].join("/"), of[6]);
    launched.apply(this, of);
  };
  let run: ActorsRun;
  try {
    run = await simulate(faulty, workload, { threads: 0, slices: 1, recordTasks: true });
  } finally {
    Recorder.prototype.launched = launched;
  }
  const { tasks } = run.master.master.recorder;
  if (tasks === null) throw new Error("the run kept no attempts");
  const column = (name: "job" | "type" | "index" | "attempt" | "launchAtUs" | "finishAtUs") => tasks.column(name);
  const [job, type, index, attempt] = (["job", "type", "index", "attempt"] as const).map(column);
  const ranUs = new Float64Array(2 * workload.jobs.length);
  for (let row = 0; row < tasks.rows; row++) {
    if (type[row]! > 1) continue;
    ranUs[2 * job[row]! + type[row]!] += column("finishAtUs")[row]! - column("launchAtUs")[row]!;
    expect(launchedUs.delete([job[row], type[row], index[row], attempt[row]].join("/")), "ended once").toBe(true);
  }
  for (const [name, atUs] of launchedUs) {
    const [ofJob, ofType] = name.split("/").map(Number);
    ranUs[2 * ofJob! + ofType!] += Math.max(0, run.stoppedUs - atUs);
  }
  return { run, ranUs, running: launchedUs.size };
}

it(
  "slot time of a job is that of its attempts, each charged once, whatever nodes are lost and return",
  async () => {
    let tried = 0;
    let lost = 0;
    let cutOff = 0;
    let leftBehind = 0;
    await searchForProblem(FILE, cases, RUNS, async (example) => {
      const { run, ranUs, running } = await toldRun(example);
      const { recorder, slots, attempts } = run.master.master;
      tried++;
      lost += recorder.attemptsLost;
      cutOff += running > 0 ? 1 : 0;
      leftBehind += slots.takenSlots[0]! + slots.takenSlots[1]! + attempts.awaitingCommit > running ? 1 : 0;
      const { jobs } = collectRecord(run.master.master, run.stoppedUs);
      for (let job = 0; job < jobs.rows; job++) {
        const [charged, ran] = [jobs.heldUs[0][job]! + jobs.heldUs[1][job]!, ranUs[2 * job]! + ranUs[2 * job + 1]!];
        if (jobs.heldUs[0][job] === ranUs[2 * job] && charged === ran) continue;
        return `job ${job} is charged ${charged} us, and its attempts ran ${ran}`;
      }
      return null;
    });
    if (tried < casesToTry(RUNS)) return;
    expect(lost / tried, "attempts lost in a run").toBeGreaterThan(0.5);
    expect((cutOff * 100) / tried, "per cent of runs with attempts that still ran").toBeGreaterThan(10);
    expect((leftBehind * 100) / tried, "per cent of runs with slots left behind on lost nodes").toBeGreaterThan(10);
  },
  SEARCH_TIMEOUT_MS,
);
