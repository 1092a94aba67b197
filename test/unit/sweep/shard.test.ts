import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dealtTo, type SweepPlan } from "../../../dist/experiments/index.js";
import { partName, shardChoice } from "../../../dist/cli/index.js";

function planOf(points: number, replications: number, hasRule: boolean): SweepPlan {
  const until = hasRule ? { measure: "m", relativeHalfWidth: 0.1, most: replications + 3 } : null;
  return {
    points: Array.from({ length: points }, (_, index) => ({ index })),
    replications,
    until,
  } as unknown as SweepPlan;
}

describe("parts of a sweep", () => {
  it("are disjoint, together all, and of one size", () => {
    const size = fc.integer({ min: 1, max: 12 });
    fc.assert(
      fc.property(size, size, size, fc.boolean(), (points, replications, count, hasRule) => {
        const plan = planOf(points, replications, hasRule);
        const parts = Array.from({ length: count }, (_, i) => dealtTo({ index: i + 1, count }, plan));
        const most = plan.until?.most ?? replications;
        const sizes = parts.map(() => 0);
        for (let point = 0; point < points; point++) {
          const owners = new Set<number>();
          for (let replication = 0; replication < most; replication++) {
            const having = parts.flatMap((has, part) => (has(point, replication) ? [part] : []));
            expect(having).toHaveLength(1);
            owners.add(having[0]);
            if (!hasRule || replication === 0) sizes[having[0]]++;
          }
          if (hasRule) expect(owners.size).toBe(1);
        }
        expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
      }),
      { seed: 3, numRuns: 200 },
    );
  });
});

const slurm = (id: number, min: number, max: number, step: number, count: number): Record<string, string> => ({
  SLURM_ARRAY_TASK_ID: String(id),
  SLURM_ARRAY_TASK_MIN: String(min),
  SLURM_ARRAY_TASK_MAX: String(max),
  SLURM_ARRAY_TASK_STEP: String(step),
  SLURM_ARRAY_TASK_COUNT: String(count),
});

describe("--shard", () => {
  it("names a part", () => {
    expect(shardChoice({}, {})).toBeNull();
    expect(shardChoice({ shard: "2/8" }, {})).toEqual({ shard: { index: 2, count: 8 }, words: "part 2 of 8" });
    expect(partName({ index: 2, count: 8 })).toBe("-part-2-of-8");
    expect(partName(undefined)).toBe("");
  });

  it.each([
    ["Slurm --array=1-8", slurm(3, 1, 8, 1, 8), undefined, "3/8"],
    ["Slurm --array=0-7", slurm(7, 0, 7, 1, 8), undefined, "8/8"],
    ["Slurm --array=0-15:4", slurm(8, 0, 12, 4, 4), undefined, "3/4"],
    ["some of Slurm's tasks again: --array=3,6", slurm(6, 3, 6, 1, 2), 8, "7/8"],
    ["an indexed Job", { JOB_COMPLETION_INDEX: "0" }, 5, "1/5"],
    ["GitLab", { CI_NODE_INDEX: "2", CI_NODE_TOTAL: "2" }, undefined, "2/2"],
  ])("auto finds %s", (_, env, shards, expected) => {
    const choice = shardChoice({ shard: "auto", ...(shards === undefined ? {} : { shards }) }, env);
    expect(`${String(choice?.shard.index)}/${String(choice?.shard.count)}`).toBe(expected);
    expect(choice?.words).toContain(Object.keys(env)[0]);
  });
});
