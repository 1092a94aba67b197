import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RequeuedTasks } from "../../../dist/core/platforms/hadoop/index.js";

/** Requeued tasks of which all are pending but those in `launched`. */
function requeued(lastFirst: boolean): { tasks: RequeuedTasks; launched: Set<string> } {
  const launched = new Set<string>();
  return {
    launched,
    tasks: new RequeuedTasks(lastFirst, (job, task) => !launched.has(`${job}/${task}`)),
  };
}

function takeAll(tasks: RequeuedTasks, job: number): number[] {
  const taken: number[] = [];
  for (let task = tasks.take(job); task >= 0; task = tasks.take(job)) taken.push(task);
  return taken;
}

describe("requeued tasks", () => {
  it("go by failures first, most of them first, where the lowest goes first", () => {
    const { tasks } = requeued(false);
    tasks.add(0, 4, 1);
    tasks.add(0, 1);
    tasks.add(0, 9, 2);
    tasks.add(0, 7, 1);
    expect(takeAll(tasks, 0)).toEqual([9, 4, 7, 1]);
  });

  it("are passed over where they are refused, and keep their place", () => {
    const { tasks, launched } = requeued(false);
    for (const task of [1, 2, 3, 4]) tasks.add(0, task);
    launched.add("0/2");
    expect(tasks.firstOf(0, (task) => task === 1)).toBe(3);
    expect(tasks.take(0, (task) => task === 1)).toBe(3);
    expect(tasks.firstOf(0, () => true)).toBe(-1);
    expect(takeAll(tasks, 0)).toEqual([1, 4]);
  });

  it("never differ from a list that is searched", () => {
    const step = fc.record({
      job: fc.nat(2),
      task: fc.nat(4),
      does: fc.constantFrom("return", "launch", "take", "forget"),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120, size: "max" }), fc.boolean(), (steps, lastFirst) => {
        const { tasks, launched } = requeued(lastFirst);
        const waiting: { job: number; task: number }[] = [];
        const firstOf = (job: number): number => {
          const own = waiting.filter((entry) => entry.job === job).map(({ task }) => task);
          if (own.length === 0) return -1;
          return lastFirst ? own.at(-1)! : Math.min(...own);
        };
        const drop = (job: number, task: number): void => {
          const at = waiting.findIndex((entry) => entry.job === job && entry.task === task);
          if (at >= 0) waiting.splice(at, 1);
          launched.add(`${job}/${task}`);
        };
        for (const { job, task, does } of steps) {
          const isWaiting = waiting.some((entry) => entry.job === job && entry.task === task);
          if (does === "return" && !isWaiting) {
            launched.delete(`${job}/${task}`);
            waiting.push({ job, task });
            tasks.add(job, task);
          } else if (does === "launch") {
            drop(job, task);
          } else if (does === "take") {
            const first = firstOf(job);
            expect(tasks.take(job)).toBe(first);
            if (first >= 0) drop(job, first);
          } else if (does === "forget") {
            for (const entry of waiting.filter((other) => other.job === job)) drop(job, entry.task);
            tasks.forget(job);
          }
          expect([0, 1, 2].map((any) => tasks.first(any))).toEqual([0, 1, 2].map(firstOf));
          if (tasks.isEmpty) expect(waiting).toEqual([]);
        }
      }),
      { numRuns: 300 },
    );
  });
});
