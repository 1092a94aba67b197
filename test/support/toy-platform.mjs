// A platform in one file: one server, one queue, jobs that come at random. What the tests of the seam add to a copy of
// Bide, with one line in the list of platforms; paths are those of the folder it is copied into, beside `platforms.js`.
import * as z from "zod";
import { exponential, Fingerprint, streamFor } from "../../core/kernel/index.js";
import { Attempts, finishedRun, OUTCOME } from "../../core/record/index.js";
import { BEGINNING, endOf, platformOf } from "./platform.js";
import { resolveRun } from "./run.js";
import { recordOf, setting } from "./setting.js";
import { choice, count, duration, mapping } from "./values.js";

const SECTIONS = ["workload", "scheduler"];

const WORDS = {
  platform: "toy",
  taskTypes: [{ key: "visit", one: "visit", many: "visits", hasLocality: true }],
  otherAttempts: [],
  levels: [{ key: "here", title: "here", local: "here", better: "higher" }],
  resources: [{ key: "servers", one: "server", many: "servers" }],
  group: { one: "line", many: "lines" },
  has: [],
};

const workload = mapping({
  kind: choice(["poisson"]).prefault("poisson").describe("Visitors come independently of each other."),
  visitors: count(1, 100_000).describe("How many."),
  gap: setting(duration(1, 1e12), "Mean time between two.", "10s", "gapUs"),
  service: setting(duration(1, 1e12), "Mean time that one takes.", "5s", "serviceUs"),
});

const scheduler = mapping({
  kind: choice(["fifo", "lifo"]).prefault("fifo").describe("Who is next."),
});

const schema = mapping({
  platform: z.literal("toy"),
  ...BEGINNING,
  workload,
  scheduler: scheduler.prefault({}),
  ...endOf(SECTIONS),
});

export const TOY = platformOf({
  name: "toy",
  recordWords: WORDS,
  sections: SECTIONS,
  shorthands: [[/^scheduler$/, "kind"]],
  schemaWith: () => schema,
  filePlaces: () => [],
  readImports: () => ({ problems: [] }),
  problems: () => [],
  resolve: (file, defaultName) => ({
    platform: "toy",
    name: file.name ?? defaultName,
    why: file.why,
    workload: recordOf(workload, file.workload),
    scheduler: file.scheduler,
    run: resolveRun(file.run),
  }),
  words: {
    scheduler: ({ scheduler: { kind } }) => kind,
    waits: () => "no wait",
    cluster: () => "one server",
    workload: ({ workload: { visitors } }) => `${String(visitors)} visitors`,
  },
  nodes: () => [{ name: "server", rack: "" }],
  mayKill: () => false,
  build: (scenario) => Promise.resolve(new Queue(scenario)),
});

class Queue {
  visitors = [];
  line = [];
  served = null;
  arrived = 0;
  ended = 0;
  nowUs = 0;
  lastEndUs = 0;
  freeUs = Infinity;
  fingerprint = new Fingerprint();

  constructor({ workload: { visitors, gapUs, serviceUs }, scheduler: { kind }, run: { seed } }) {
    this.isLifo = kind === "lifo";
    const stream = streamFor(seed, "toy");
    let atUs = 0;
    for (let i = 0; i < visitors; i++) {
      atUs += Math.ceil(exponential(stream.next(), gapUs));
      const takesUs = Math.max(1, Math.ceil(exponential(stream.next(), serviceUs)));
      this.visitors.push({ atUs, takesUs, launchUs: -1, endUs: -1 });
    }
    this.patienceUs = 100 * serviceUs + 86_400_000_000;
  }

  nextUs() {
    return Math.min(this.freeUs, this.visitors[this.arrived]?.atUs ?? Infinity);
  }

  advance(untilUs) {
    for (let nextUs = this.nextUs(); nextUs <= untilUs && nextUs < Infinity; nextUs = this.nextUs()) {
      this.nowUs = nextUs;
      if (nextUs === this.freeUs) {
        this.served.endUs = nextUs;
        this.lastEndUs = nextUs;
        this.ended++;
        this.freeUs = Infinity;
      } else this.line.push(this.visitors[this.arrived++]);
      if (this.freeUs === Infinity && this.line.length > 0)
        this.serve(this.isLifo ? this.line.pop() : this.line.shift());
    }
    if (this.nextUs() < Infinity) this.nowUs = untilUs;
  }

  serve(visitor) {
    this.served = visitor;
    visitor.launchUs = this.nowUs;
    this.freeUs = this.nowUs + visitor.takesUs;
    this.fingerprint.add(this.nowUs, 1, this.visitors.indexOf(visitor), 0, 0, 0, 0);
  }

  progress() {
    const lastSubmitUs = this.visitors.at(-1).atUs;
    const { ended, lastEndUs } = this;
    return { jobsEnded: ended, jobsTotal: this.visitors.length, lastSubmitUs, tasksEnded: ended, lastEndUs };
  }

  finish(options) {
    const come = this.visitors.slice(0, this.arrived);
    const attempts = new Attempts();
    come.forEach(({ atUs, launchUs, endUs }, job) => {
      if (launchUs < 0) return;
      const row = attempts.add(job, 0, 0, 0, 0, 0, atUs, launchUs);
      attempts.endUs[row] = endUs;
      if (endUs >= 0) attempts.outcome[row] = OUTCOME.succeeded;
    });
    const log = {
      words: WORDS,
      stoppedUs: this.nowUs,
      groups: [{ name: "all", weight: 1, minShare: 0 }],
      capacity: [[{ fromUs: 0, amount: 1 }]],
      jobs: come.map(({ atUs, endUs }, i) => {
        const visit = { name: "visit", type: 0, tasks: 1, held: [1] };
        const job = { name: `visitor-${i}`, user: "all", group: 0, hasFailed: false, stages: [visit] };
        return { ...job, submittedUs: atUs, endedUs: endUs };
      }),
      stages: come.map(({ atUs, endUs }, job) => ({ job, stage: 0, submittedUs: atUs, endedUs: endUs })),
      attempts,
      waits: null,
    };
    const stopped = this.ended === this.visitors.length ? "all-jobs-ended" : "until";
    const cluster = { nodes: 1, resources: { servers: 1 } };
    return finishedRun(log, options, { stopped, fingerprint: this.fingerprint.hex(), cluster, notes: [] });
  }
}
