import { describe, expect, it } from "vitest";
import { MAP, REDUCE, TaskFailures } from "../../../dist/core/platforms/hadoop/index.js";

/** A job avoids a node from the second failure there. */
function onNodes(nodes: number): TaskFailures {
  return new TaskFailures(2, () => nodes);
}

describe("failures of tasks", () => {
  it("are counted by task: maps and reduces of one index, and tasks of two jobs, are not the same", () => {
    const failures = onNodes(10);
    expect([failures.add(1, MAP, 3, 0), failures.add(1, MAP, 3, 0), failures.add(1, REDUCE, 3, 0)]).toEqual([1, 2, 1]);
    expect(failures.add(2, MAP, 3, 0)).toBe(1);
    expect([failures.of(1, MAP, 3), failures.of(1, REDUCE, 3), failures.of(2, REDUCE, 3)]).toEqual([2, 1, 0]);
    failures.forget(1);
    expect([failures.of(1, MAP, 3), failures.of(2, MAP, 3)]).toEqual([0, 1]);
  });

  it("keep a task from a node where it failed, until it has failed on as many nodes as there are", () => {
    const failures = onNodes(2);
    failures.add(0, MAP, 7, 1);
    failures.add(0, MAP, 7, 1);
    expect([failures.refuses(0, MAP, 7, 1), failures.refuses(0, MAP, 7, 0), failures.refuses(0, MAP, 6, 1)]).toEqual([
      ...[true, false, false],
    ]);
    failures.add(0, MAP, 7, 0);
    expect([failures.refuses(0, MAP, 7, 1), failures.refuses(0, MAP, 7, 0)]).toEqual([false, false]);
  });

  it("keep a job from a node where enough of its attempts failed, whatever their tasks", () => {
    const failures = onNodes(9);
    failures.add(0, MAP, 1, 4);
    expect(failures.avoids(0, 4)).toBe(false);
    failures.add(0, REDUCE, 0, 4);
    expect([failures.avoids(0, 4), failures.avoids(0, 5), failures.avoids(1, 4)]).toEqual([true, false, false]);
  });

  it("keep it from none once a quarter of the nodes are like that", () => {
    const avoided = (nodes: number): boolean[] => {
      const failures = onNodes(nodes);
      for (const node of [0, 0, 1, 1]) failures.add(0, MAP, 0, node);
      return [failures.avoids(0, 0), failures.avoids(0, 1)];
    };
    expect(avoided(9)).toEqual([true, true]);
    expect(avoided(8)).toEqual([false, false]);
  });
});
