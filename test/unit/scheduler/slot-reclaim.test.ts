import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  JobTable,
  MAP,
  REDUCE,
  RUNNING,
  type Launcher,
  type VisitAttempt,
  SlotReclaim,
} from "../../../dist/core/platforms/hadoop/index.js";

/**
 * [running maps, pending maps] of jobs that are ready; attempts are numbered in order of launch, those of a job in a
 * row.
 */
function cluster(jobsOf: readonly (readonly [number, number])[]) {
  const jobs = new JobTable();
  const killed: number[] = [];
  const attempts: { job: number; task: number; launchUs: number; isReported: boolean }[] = [];
  for (const [id, [running, pending]] of jobsOf.entries()) {
    const maps = running + pending;
    const entry = { id, pool: 0, user: 0, priority: 2, startUs: 0, maps, reduces: 0, slowStartMaps: 0, firstBlock: -1 };
    const job = jobs.enter(entry);
    jobs.state[job] = RUNNING;
    jobs.pending[MAP][job] = pending;
    jobs.running[MAP][job] = running;
    for (let task = 0; task < running; task++) {
      attempts.push({ job, task, launchUs: attempts.length, isReported: true });
    }
  }
  const launcher = {
    forEachReported: (type: number, visit: VisitAttempt) => {
      if (type === REDUCE) return;
      for (const [place, { job, task, launchUs, isReported }] of attempts.entries()) {
        if (isReported) visit(place, job, task, launchUs);
      }
    },
    kill: (place: number) => killed.push(place),
  } as unknown as Launcher;
  const reclaim = new SlotReclaim(jobs, launcher);
  const check = (slots: number, isOccasion = true): number[] => {
    killed.length = 0;
    reclaim.check([slots, 0], isOccasion);
    return [...killed];
  };
  return { jobs, attempts, reclaim, check };
}

describe("slots taken back by killing", () => {
  it("are those of a new job's share, from whoever has more, launched last first", () => {
    // 12 slots, 4 each: the first job has 2 too many, the second 2.
    const { check, reclaim } = cluster([
      [6, 9],
      [6, 9],
      [0, 9],
    ]);
    expect(check(12)).toEqual([11, 10, 5, 4]);
    expect(reclaim.counts).toEqual({ checks: 1, slotsWanted: 4, kills: 4 });
  });

  it("are no more than are lacking beyond free slots", () => {
    const { check } = cluster([
      [6, 9],
      [0, 9],
    ]);
    // 8 slots, 4 each, 2 free.
    expect(check(8)).toEqual([5, 4]);
  });

  it("are no more than the job can use", () => {
    const { check } = cluster([
      [8, 9],
      [0, 1],
    ]);
    expect(check(8)).toEqual([7]);
  });

  it("count whole: a job that is due less than a slot waits", () => {
    const some = Array.from({ length: 4 }, () => [1, 5] as const);
    expect(cluster([...some, [0, 5]]).check(4)).toEqual([]);
    // 10 / 3 each: 3 for the new one, and nobody falls below 3.
    const found = cluster([
      [5, 9],
      [5, 9],
      [0, 9],
    ]).check(10);
    expect(found).toEqual([9, 8, 4]);
  });

  it("are not taken from a job that has its share or less, nor for one that has nothing to launch", () => {
    expect(
      cluster([
        [4, 9],
        [4, 9],
      ]).check(8),
    ).toEqual([]);
    expect(
      cluster([
        [7, 9],
        [1, 0],
      ]).check(8),
    ).toEqual([]);
  });

  it("are asked for once: kills under way count, and who passes his slots up gets no others", () => {
    const { check, jobs, attempts, reclaim } = cluster([
      [8, 9],
      [0, 9],
    ]);
    expect(check(8)).toEqual([7, 6, 5, 4]);
    expect([check(8), check(8, false), reclaim.isOwed]).toEqual([[], [], false]);
    // The slots come free, and the first job gets them again, for the other one does not want them there.
    for (const attempt of attempts.slice(4)) attempt.launchUs += 100;
    expect(check(8, false)).toEqual([]);
    // But when the next occasion comes,
    expect(check(8, true)).toEqual([7, 6, 5, 4]);
    expect(jobs.running[MAP][0]).toBe(8);
  });

  it("are owed as long as attempts have not been reported", () => {
    const { check, attempts, reclaim } = cluster([
      [8, 9],
      [0, 9],
    ]);
    for (const attempt of attempts.slice(1)) attempt.isReported = false;
    expect([check(8), reclaim.isOwed]).toEqual([[0], true]);
    for (const attempt of attempts.slice(0, 6)) attempt.isReported = true;
    expect([check(8, false), reclaim.isOwed]).toEqual([[5, 4, 3], false]);
  });

  it("are not owed any more once they have come free by themselves", () => {
    const { check, attempts, jobs, reclaim } = cluster([
      [4, 9],
      [0, 9],
    ]);
    for (const attempt of attempts) attempt.isReported = false;
    expect([check(4), reclaim.isOwed]).toEqual([[], true]);
    jobs.running[MAP][0] = 2;
    expect([check(4, false), reclaim.isOwed]).toEqual([[], false]);
  });

  it("leave nobody below the share, and nothing to kill for a second time, whatever runs", () => {
    const job = fc.tuple(fc.nat(12), fc.nat(12));
    fc.assert(
      fc.property(fc.array(job, { minLength: 1, maxLength: 6 }), fc.nat(10), (list, free) => {
        const { check, attempts } = cluster(list);
        const running = list.reduce((sum, [has]) => sum + has, 0);
        const slots = running + free;
        const places = check(slots);
        const victims = places.map((place) => attempts[place].job);
        const left = list.map(([has], of) => has - victims.filter((victim) => victim === of).length);
        // A fair share is no less than an equal part, unless the job wants less.
        const level = Math.floor(slots / list.length);
        for (const victim of victims) expect(left[victim]).toBeGreaterThanOrEqual(Math.min(level, list[victim][0]));
        const lacking = list.reduce((sum, [has, pending]) => sum + Math.min(pending, Math.max(0, slots - has)), 0);
        expect(victims.length).toBeLessThanOrEqual(lacking);
        expect(new Set(places).size).toBe(places.length);
        expect(check(slots)).toEqual([]);
      }),
    );
  });
});
