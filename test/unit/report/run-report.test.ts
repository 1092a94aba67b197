import { describe, expect, it } from "vitest";
import { parseScenario } from "../../../dist/io/index.js";
import { NO_PAINT, runReport } from "../../../dist/report/index.js";
import { sampleSummary } from "../results/sample-run.mjs";

const { scenario } = parseScenario("workload: {kind: benchmark}", "sample.yaml");
const extras = { scenario, timeline: null, resultsPath: "results/sample", paint: NO_PAINT };

describe("the summary on screen", () => {
  it("is this", () => {
    expect(runReport(sampleSummary(), extras)).toMatchInlineSnapshot(`
      "Scenario        sample, seed 7; 1h02m03.5s of virtual time, all jobs ended
      Scheduler       hfs (W1 10s, W2 5s)
      Cluster         2 racks, 40 nodes, 200 map + 200 reduce slots, heartbeat 3s
      Placement       inline (--threads 0)

      Maps per job  jobs  unfinished  node %  rack %  off-rack %  response p50 s  p95 s  p99 s
      1                2           0   100.0     0.0         0.0            24.1   48.1   72.2
      21-60            1           0       -       -           -           611.0  1,222  1,833
      >1500            1           1    89.8     8.1         2.1               -      -      -
      all              4           1    90.0     8.0         2.0            30.0   60.0   90.0

      Tasks           1,625 maps (5 unfinished), 12 reduces
      To first task   p50 2.0 s, p95 4.1 s, p99 6.1 s (4 jobs)
      To fair share   no job
      Locality wait   0.570 s/map, longest 15.5 s; wait clock 0.410 s/map
      Task time       maps p50 19.0 s, reduces p50 231.0 s
      Throughput      312 jobs/h, 14.2 maps/s, 0.0321 reduces/s
      Map slots       61.2 % busy; more than 95 % busy for 21.0 % of the time, with 27.1 slots freed/s
      Reduce slots    10.0 % busy; more than 95 % busy for 0.0 % of the time
      Fairness        Jain 0.913 over pools, below fair share 4.2 %
      Heartbeats      31,042 processed, 1,480,012 implied
      Cost            wall 2.10 s, CPU 2.30 s, 712,346 tasks per CPU s, peak memory 210 MiB
      Frames          none (inline)
      Fingerprint     0123456789abcdef0123456789abcdef
      Note            3 malformed lines of the trace were skipped
      Results         results/sample
      "
    `);
  });

  it("tells times below one second with three digits", () => {
    const summary = sampleSummary();
    Object.assign(summary.timeToFirstTaskSeconds, { p50: 0.0421, p95: 0.999, p99: 0 });
    Object.assign(summary.responseSeconds, { p50: 0.0042, p95: 0.31, p99: 1.26 });
    const text = runReport(summary, extras);
    expect(text).toContain("To first task   p50 0.0421 s, p95 0.999 s, p99 0.0 s (4 jobs)\n");
    expect(text).toMatch(/^all .* 0[.]0042 {2}0[.]310 {4}1[.]3$/m);
  });

  it("counts each resource in its own unit", () => {
    const summary = sampleSummary();
    const resources = [
      { key: "memory", one: "MB", many: "MB" },
      { key: "vcores", one: "vcore", many: "vcores" },
    ];
    const { mapSlots } = summary.utilisation;
    Object.assign(summary, {
      words: { ...summary.words, resources },
      cluster: { ...summary.cluster, resources: { memory: 8192, vcores: 8 } },
      utilisation: { memory: mapSlots, vcores: mapSlots },
    });
    const text = runReport(summary, extras);
    expect(text).toMatch(/^MB {14}61\.2 % busy; .* with 27\.1 MB freed\/s$/m);
    expect(text).toMatch(/^Vcores {10}61\.2 % busy; .* with 27\.1 vcores freed\/s$/m);
  });

  it("counts failed jobs of a platform whose tasks do not fail", () => {
    const summary = sampleSummary();
    Object.assign(summary.jobs, { failed: 2 });
    Object.assign(summary, { failures: undefined });
    expect(runReport(summary, extras)).toContain("Failures        2 jobs failed\n");
  });

  it("says nothing of locality waits where they are not counted", () => {
    const summary = sampleSummary();
    Object.assign(summary.waits, { localitySecondsPerTask: null, longestLocalitySeconds: null });
    expect(runReport(summary, extras)).not.toContain("Locality wait");
  });

  it("counts the frames between threads", () => {
    const summary = sampleSummary();
    Object.assign(summary.cost, { placement: "2 threads", threads: 2, frames: 12345, frameBytes: 80123456 });
    expect(runReport(summary, extras)).toContain("Frames          12,345 (80.1 MB)\n");
    expect(runReport(summary, extras)).not.toContain("Recovery");
  });

  it.each([
    [0, "0 rack threads"],
    [1, "1 rack thread"],
  ])("tells of %i replaced threads where recovery was asked for", (recoveries, words) => {
    const summary = sampleSummary();
    Object.assign(summary.cost, { threads: 2, recoveries, commandLogBytes: 42_567_861 });
    expect(runReport(summary, extras)).toContain(`Recovery        ${words} replaced, 42.6 MB of commands kept\n`);
  });

  it("keeps to 100 columns, however long the texts are", () => {
    const words = "a note of many words that goes on and on ".repeat(12).trim();
    const { cost } = sampleSummary();
    const summary = sampleSummary({ notes: [words, `${words} too`], cost: { ...cost, placementReason: words } });
    const lines = runReport(summary, extras).split("\n");
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100);
    expect(lines.filter((line) => line.startsWith("Note "))).toHaveLength(2);
  });

  it("does not break a path, so that it can be copied", () => {
    const resultsPath = `results/${"x".repeat(150)}`;
    expect(runReport(sampleSummary(), { ...extras, resultsPath })).toContain(resultsPath);
  });

  it("has no escape codes without paint, and only those of the paint with it", () => {
    // eslint-disable-next-line no-control-regex
    expect(runReport(sampleSummary(), extras)).not.toMatch(/[\u001b]/);
    const paint = { bold: (text: string) => `<b>${text}</b>`, dim: (text: string) => text };
    expect(runReport(sampleSummary(), { ...extras, paint })).toContain("<b>Fingerprint     </b>0123456789abcdef");
  });

  it("tells of kills, deadlines and refused jobs where there are any", () => {
    const summary = sampleSummary({
      preemption: { kills: 1200, checks: 3, slotsWanted: 1204, lostSeconds: 98765.4 },
      deadlines: { met: 7, missed: 2, open: 1 },
      refusedJobs: 1,
    });
    const text = runReport(summary, extras);
    expect(text).toContain("1,200 attempts killed, 98,765 slot-seconds lost; 3 checks wanted 1,204 slots");
    expect(text).toContain("7 met, 2 missed, 1 open");
    expect(text).toContain("1 job: no pool takes it");
    expect(text).toMatch(/all jobs that\s+were not refused ended/);
    const { submitted } = summary.jobs;
    expect(runReport({ ...summary, refusedJobs: submitted }, extras)).toMatch(/all\s+jobs\s+were\s+refused/);
    expect(runReport(sampleSummary(), extras)).not.toMatch(/Preemption|Deadlines|Refused/);
  });

  it("tells of failures and second attempts where there are any", () => {
    const summary = sampleSummary({
      failures: { attempts: 1200, sourcesLost: 3, kills: 7, lostSeconds: 98765.4 },
      speculation: { launched: 41, won: 12, wastedSeconds: 1234.5 },
      jobs: { ...sampleSummary().jobs, failed: 2 },
    });
    const text = runReport(summary, extras);
    expect(text).toMatch(
      /1,200 attempts failed, 98,765 slot-seconds lost; 3 attempts lost the node they read\s+from; 2 jobs failed/,
    );
    expect(text).toContain("41 second attempts, 12 of them first; 1,235 slot-seconds wasted");
    expect(runReport(sampleSummary(), extras)).not.toMatch(/Failures|Speculation/);
  });

  it("tells what lost nodes cost, and of a run that no node is left for", () => {
    const faults = { nodesGivenUp: 2, attemptsLost: 1, outputsLost: 30, blocksCopied: 1200, bytesCopied: 3 * 2 ** 30 };
    const text = runReport(sampleSummary({ faults, stopped: "no-nodes-left" }), extras);
    expect(text).toMatch(
      /2 nodes given up, 1 attempt lost, 30 finished maps run again, 1,200 blocks \(3.22 GB\)\s+copied/,
    );
    expect(text).toMatch(/stopped: the nodes that are left\s+have\s+no\s+slots\s+for the jobs that wait/);
    expect(runReport(sampleSummary(), extras)).not.toMatch(/Lost nodes|no slots/);
  });

  it("names the rules, preemption and load cap of a Fair Scheduler that is not as usual", () => {
    const text = "workload: {kind: benchmark}\nscheduler: {rules: 1.2, preemption: log}";
    const other = parseScenario(text, "sample.yaml").scenario;
    const lines = runReport(sampleSummary(), { ...extras, scenario: other }).split("\n");
    expect(lines[1]).toBe("Scheduler       hfs (rules 1.2, W1, W2 1.5 heartbeats, preemption logged, load cap)");
  });

  it("says so when nothing was written", () => {
    expect(runReport(sampleSummary(), { ...extras, resultsPath: null })).not.toContain("Results");
  });
});
