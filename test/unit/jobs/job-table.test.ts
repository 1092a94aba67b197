import { describe, expect, it } from "vitest";
import { JobTable, MAP, PREP, REDUCE, type JobEntry } from "../../../dist/core/platforms/hadoop/index.js";

const entry = (id: number, changes: Partial<JobEntry> = {}): JobEntry => ({
  id,
  pool: id % 3,
  user: id % 7,
  priority: id % 5,
  startUs: id * 1e9,
  maps: id + 1,
  reduces: id % 4,
  slowStartMaps: 1,
  firstBlock: id * 10,
  ...changes,
});

describe("the job table", () => {
  it("enters a job with all its tasks pending", () => {
    const table = new JobTable();
    const job = table.enter(entry(7));
    expect([table.id[job], table.state[job], table.pool[job], table.priority[job]]).toEqual([7, PREP, 1, 2]);
    expect([table.user[job], table.startUs[job], table.firstBlock[job]]).toEqual([0, 7e9, 70]);
    for (const [type, tasks] of [
      [MAP, 8],
      [REDUCE, 3],
    ] as const) {
      expect([table.total[type][job], table.pending[type][job]]).toEqual([tasks, tasks]);
      expect([table.running[type][job], table.done[type][job]]).toEqual([0, 0]);
    }
  });

  it("uses handles again, with nothing left of the job before", () => {
    const table = new JobTable();
    const first = table.enter(entry(0));
    const second = table.enter(entry(1));
    table.running[MAP][first] = 3;
    table.done[REDUCE][first] = 2;
    table.leave(first);
    expect([table.size, table.state[first]]).toEqual([1, 0]);
    const third = table.enter(entry(2));
    expect(third).toBe(first);
    expect([table.running[MAP][third], table.done[REDUCE][third], table.id[third], table.id[second]]).toEqual([
      0, 0, 2, 1,
    ]);
    expect([table.size, table.handles]).toEqual([2, 2]);
  });

  it("keeps every column when it grows, and never needs more handles than jobs at once", () => {
    const table = new JobTable();
    const handles = Array.from({ length: 500 }, (_, id) => table.enter(entry(id)));
    expect(new Set(handles).size).toBe(500);
    expect(table.capacity).toBeGreaterThanOrEqual(500);
    handles.forEach((job, id) => {
      expect([
        table.id[job],
        table.user[job],
        table.startUs[job],
        table.total[MAP][job],
        table.firstBlock[job],
      ]).toEqual([id, id % 7, id * 1e9, id + 1, id * 10]);
    });
    for (const job of handles) table.leave(job);
    for (let id = 500; id < 2000; id++) table.leave(table.enter(entry(id)));
    expect([table.size, table.handles]).toEqual([0, 500]);
  });

  it("keeps block numbers and times beyond 32 bits", () => {
    const table = new JobTable();
    const job = table.enter(entry(0, { firstBlock: 2 ** 40 + 1, startUs: 2 ** 52 + 1 }));
    expect([table.firstBlock[job], table.startUs[job]]).toEqual([2 ** 40 + 1, 2 ** 52 + 1]);
  });

  it("lets reduces start once enough maps have finished", () => {
    const table = new JobTable();
    const job = table.enter(entry(0, { maps: 10, slowStartMaps: 3 }));
    table.done[MAP][job] = 2;
    expect(table.reducesMayStart(job)).toBe(false);
    table.done[MAP][job] = 3;
    expect(table.reducesMayStart(job)).toBe(true);
    expect(table.reducesMayStart(table.enter(entry(1, { maps: 0, slowStartMaps: 0 })))).toBe(true);
  });
});
