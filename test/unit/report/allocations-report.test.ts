import { describe, expect, it } from "vitest";
import { NO_PAINT, allocationsReport } from "../../../dist/report/index.js";
import { read } from "../allocations/allocation-file.js";

const report = (inside: string) => allocationsReport({ file: "f.xml", ...read(inside) }, NO_PAINT);

describe("an allocation file explained", () => {
  it("is this", () => {
    expect(
      report(`<pool name="ads"><weight>2</weight><fairSharePreemptionTimeout>120</fairSharePreemptionTimeout></pool>
        <pool name="daily"><minMaps>16</minMaps><minSharePreemptionTimeout>60</minSharePreemptionTimeout></pool>
        <pool name="probes"><schedulingMode>fifo</schedulingMode><maxRunningJobs>1200</maxRunningJobs></pool>
        <pool name="other"/><user name="ann"><maxRunningJobs>3</maxRunningJobs></user>
        <fairSharePreemptionTimeout>600</fairSharePreemptionTimeout>
        <poolPlacementPolicy><specified create="false"/><user create="false"/><reject/></poolPlacementPolicy>`),
    ).toMatchInlineSnapshot(`
      "Allocations     f.xml: pools of Hadoop 1; 4 pools

      Pool    weight  min maps  min reduces   max maps  max reduces
      ads          2         0            0  unlimited    unlimited
      daily        1        16            0  unlimited    unlimited
      probes       1         0            0  unlimited    unlimited
      other        1         0            0  unlimited    unlimited

      Pool    jobs at once    mode  min-share timeout  fair-share timeout
      ads      (unlimited)  (fair)            (never)            (10m00s)
      daily    (unlimited)  (fair)              1m00s            (10m00s)
      probes         1,200    fifo            (never)            (10m00s)
      other    (unlimited)  (fair)            (never)            (10m00s)

      Other pools     weight 1, no min share, no max, any number of jobs at once, jobs share slots (fair);
                      timeouts: min share never, fair share 10m00s. A value in brackets in the tables is
                      one of these
      Users           jobs at once: ann 3; every other user any number of jobs
      Pool of a job   1. the pool that the job names, or else its user's name; not if that is default, if
                      it is declared
                      2. the pool named like the user, if it is declared
                      3. the job is refused
                      A scenario obeys these rules under scheduler.rules: branch-1. Under other rules it
                      refuses the file.
      Preemption      A pool that has had less than its min share (or than it could use, if that is less)
                      for longer than its min-share timeout gets the missing slots back: that many tasks
                      of pools above their fair share are killed, latest launched first, and run again.
                      A pool that has been below its fair share (below half of it, in Hadoop's rule sets)
                      for longer than its fair-share timeout gets its whole fair share in the same way.
                      Never means that the pool waits until tasks of others end. All of this holds only
                      where the scenario turns preemption on.

      Elements        all of the file: 16 honoured, 1 without effect, 0 refused
      Line 1          pool ads: honoured
      Line 1          pool ads > weight 2: honoured
      Line 1          pool ads > fairSharePreemptionTimeout 120: without effect: Hadoop 1 has one for all
                      pools, beside them
      Line 2          pool daily: honoured
      Line 2          pool daily > minMaps 16: honoured
      Line 2          pool daily > minSharePreemptionTimeout 60: honoured
      Line 3          pool probes: honoured
      Line 3          pool probes > schedulingMode fifo: honoured
      Line 3          pool probes > maxRunningJobs 1200: honoured
      Line 4          pool other: honoured
      Line 4          user ann: honoured
      Line 4          user ann > maxRunningJobs 3: honoured
      Line 5          fairSharePreemptionTimeout 600: honoured
      Line 6          poolPlacementPolicy: honoured
      Line 6          poolPlacementPolicy > specified: honoured
      Line 6          poolPlacementPolicy > user: honoured
      Line 6          poolPlacementPolicy > reject: honoured
      "
    `);
  });

  it("says unlimited and never, and what there is to say of an empty file", () => {
    const text = report("");
    expect(text).toMatchInlineSnapshot(`
      "Allocations     f.xml: pools of Hadoop 1; no pool is declared

      Other pools     weight 1, no min share, no max, any number of jobs at once, jobs share slots (fair);
                      timeouts: min share never, fair share never
      Users           each runs any number of jobs at once
      Pool of a job   no rules here: the scenario says which pool a job goes to
      Preemption      No pool ever takes slots back: it waits until tasks of others end.
      "
    `);
    expect(text).not.toContain("Infinity");
  });

  it("says that a timeout without a min share, or of another pool, takes nothing back", () => {
    const timeout = "<minSharePreemptionTimeout>9</minSharePreemptionTimeout>";
    const idle = report(`<pool name="a">${timeout}</pool><pool name="b"><minMaps>1</minMaps></pool>`);
    expect(idle).toMatch(/have no effect: no pool with such a timeout has a min share/);
    expect(idle).toContain("No pool ever takes slots back");
    expect(report(`<pool name="a">${timeout}<minReduces>1</minReduces></pool>`)).not.toContain("No pool ever");
  });

  it("keeps to 100 columns, however many users, notes and rules there are", () => {
    const users = Array.from(
      { length: 300 },
      (_, i) => `<user name="u${i}"><maxRunningJobs>${i}</maxRunningJobs></user>`,
    );
    const notes = Array.from({ length: 200 }, (_, i) => `<unknown${i}/>`);
    const lines = report(users.join("") + notes.join("")).split("\n");
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100);
    // Every element has a row: users, their limits, and what is unknown.
    expect(lines.filter((line) => line.startsWith("Line "))).toHaveLength(800);
  });

  it("sets off labels and heads of tables with the paint, and has no escape codes without", () => {
    const paint = { bold: (text: string) => `<b>${text}</b>`, dim: (text: string) => text };
    const painted = allocationsReport({ file: "f.xml", ...read('<pool name="a"/>') }, paint);
    expect(painted).toContain("<b>Users           </b>each runs any number of jobs at once");
    expect(painted).toMatch(/<b>Pool .*<\/b>\na /);
  });
});
