import { describe, expect, it } from "vitest";
import { MAP, TaskFailures } from "../../../dist/core/platforms/hadoop/index.js";

/** A job avoids a node from the second failure there. */
function onNodes(nodes: number): TaskFailures {
  return new TaskFailures(2, () => nodes);
}

describe("failures of tasks", () => {
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
