import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Flows } from "../../../dist/core/cluster/index.js";
import { NaiveFlows } from "../../support/naive-flows.js";
import { type FlowStep, flowHistories, MOST_FLOWS } from "../../support/random-flows.js";

const NEAR = 1e-9;

/** What a time in microseconds may be off: tails of random histories last centuries. */
function fuzz(us: number): number {
  return 1e-3 + 1e-12 * us;
}

/** What moves in two microseconds of rounding, and what is lost in sums. */
function slack(rate: number, bytes: number): number {
  return rate === Infinity ? 0 : rate * 2e-6 + bytes * 1e-9 + 1e-9;
}

/** Flows and their naive twin side by side; the twin is told which flow is done when, and says if that is wrong. */
class Pair {
  readonly fast: Flows;
  readonly naive: NaiveFlows;
  moved = 0;
  nowUs = 0;

  constructor(capacity: readonly number[]) {
    this.fast = new Flows(Float64Array.from(capacity), MOST_FLOWS);
    this.naive = new NaiveFlows([...capacity]);
  }

  runTo(atUs: number): void {
    while (this.fast.nextDoneUs() <= atUs) this.takeDone();
    this.nowUs = atUs;
    this.naive.advance(atUs);
    for (const f of this.naive.flows.keys()) expect(this.naive.doneUs(f)).toBeGreaterThan(atUs - fuzz(atUs));
  }

  takeDone(): void {
    const { fast, naive } = this;
    const doneUs = fast.nextDoneUs();
    for (const f of naive.flows.keys()) expect(naive.doneUs(f)).toBeGreaterThan(doneUs - 1 - fuzz(doneUs));
    const f = fast.popDone();
    expect(Number.isSafeInteger(doneUs)).toBe(true);
    expect(doneUs).toBeGreaterThanOrEqual(this.nowUs);
    expect(naive.doneUs(f)).toBeLessThanOrEqual(doneUs + fuzz(doneUs));
    this.nowUs = doneUs;
    naive.advance(doneUs);
    naive.flows.delete(f);
    this.compare();
  }

  apply(step: FlowStep): void {
    const { fast, naive } = this;
    const { flow, amount } = step;
    const runs = naive.flows.get(flow);
    this.runTo(this.nowUs + step.afterUs);
    if (step.what === "start" && runs === undefined) {
      const [r0 = -1, r1 = -1, r2 = -1, r3 = -1] = step.resources;
      fast.start(flow, this.nowUs, step.bytes, r0, r1, r2, r3);
      naive.flows.set(flow, { left: step.bytes, resources: step.resources, reserved: undefined });
    } else if (step.what === "stop" && naive.flows.has(flow)) {
      const rate = fast.rate(flow);
      const left = fast.stop(flow, this.nowUs);
      expect(Math.abs(left - naive.flows.get(flow)!.left)).toBeLessThanOrEqual(slack(rate, left));
      naive.flows.delete(flow);
    } else if (step.what === "extend" && naive.flows.has(flow)) {
      fast.extend(flow, this.nowUs, step.bytes);
      naive.flows.get(flow)!.left += step.bytes;
    } else if (step.what === "capacity") {
      const resource = flow % naive.capacity.length;
      fast.setCapacity(resource, this.nowUs, amount);
      naive.capacity[resource] = amount;
    } else if ((step.what === "reserve" || step.what === "lift") && naive.flows.has(flow)) {
      const reserved = step.what === "reserve" && amount < Infinity ? amount / 4 : undefined;
      fast.reserve(flow, this.nowUs, reserved ?? -1);
      naive.flows.get(flow)!.reserved = reserved;
    }
    this.compare();
  }

  compare(): void {
    const rates = this.naive.rates();
    const largest = Math.max(...[...rates.values(), ...this.naive.capacity].filter((rate) => rate < Infinity));
    for (const [f, rate] of rates) {
      // What is left beside a large load is known only to that load's last bits.
      if (rate === Infinity) expect(this.fast.rate(f)).toBe(Infinity);
      else expect(Math.abs(this.fast.rate(f) - rate)).toBeLessThanOrEqual(NEAR * rate + 1e-12 * largest);
    }
    this.checkCertificate();
  }

  /**
   * No resource beyond its capacity, and each flow has a full one on which nobody is faster: that is max-min fairness.
   */
  private checkCertificate(): void {
    const { fast, naive } = this;
    const rates = new Map([...naive.flows.keys()].map((f) => [f, fast.rate(f)]));
    const open = [...naive.flows].filter(([, flow]) => flow.reserved === undefined);
    const on = (r: number): number[] =>
      open.filter(([, flow]) => flow.resources.includes(r)).map(([f]) => rates.get(f)!);
    const reserved = new Map([...naive.flows].map(([f, flow]) => [f, flow.reserved ?? 0]));
    naive.capacity.forEach((capacity, r) => {
      const most = Math.max(capacity, naive.load(r, reserved));
      if (capacity < Infinity) expect(naive.load(r, rates)).toBeLessThanOrEqual(most * (1 + NEAR));
    });
    for (const [f, { resources }] of open) {
      const rate = rates.get(f)!;
      const limits = resources.some((r) => {
        const capacity = naive.capacity[r];
        const full = naive.load(r, rates) >= capacity * (1 - NEAR);
        return capacity < Infinity && full && rate >= Math.max(...on(r)) * (1 - NEAR) - 1e-12 * capacity;
      });
      expect(limits || rate === Infinity).toBe(true);
    }
  }
}

describe("flows", () => {
  it("never have other rates, ends or remainders than all taken anew at every event would give", () => {
    fc.assert(
      fc.property(flowHistories, ({ capacity, steps }) => {
        const pair = new Pair(capacity);
        for (const step of steps) pair.apply(step);
        while (pair.fast.nextDoneUs() < Infinity) pair.takeDone();
        const never = Number.MAX_SAFE_INTEGER;
        for (const f of pair.naive.flows.keys()) expect(pair.naive.doneUs(f)).toBeGreaterThan(never - fuzz(never));
      }),
      { numRuns: 400 },
    );
  });

  it("never propose more than fits, and propose what the rates would be without the reservations", () => {
    fc.assert(
      fc.property(
        flowHistories,
        fc.array(fc.boolean(), { minLength: MOST_FLOWS, maxLength: MOST_FLOWS }),
        (history, listed) => {
          const pair = new Pair(history.capacity);
          for (const step of history.steps) pair.apply(step);
          const asked = [...pair.naive.flows.keys()].filter((f) => listed[f]);
          const proposed = new Float64Array(asked.length);
          pair.fast.propose(
            Int32Array.from(asked),
            asked.length,
            new Float64Array(asked.length).fill(Infinity),
            proposed,
          );
          for (const f of asked) pair.naive.flows.get(f)!.reserved = undefined;
          const rates = pair.naive.rates();
          const largest = Math.max(...[...rates.values(), ...pair.naive.capacity].filter((rate) => rate < Infinity));
          asked.forEach((f, i) => {
            if (rates.get(f) === Infinity) expect(proposed[i]).toBe(Infinity);
            else
              expect(Math.abs(proposed[i] - rates.get(f)!)).toBeLessThanOrEqual(NEAR * proposed[i] + 1e-12 * largest);
          });
        },
      ),
      { numRuns: 300 },
    );
  });
});
