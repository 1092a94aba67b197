import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Place } from "./command.js";

let place: Place;
beforeEach(() => {
  place = new Place();
  place.write("s.yaml", "name: s\nscenario: good.yaml\naxes: [{path: scheduler.wait.node, values: [0s, 1s]}]\n");
});
afterEach(() => {
  place.remove();
});

describe("little memory", () => {
  // Some two gigabytes of maps that wait; Node itself maps one before it does anything.
  it("for tables is named", { timeout: 60_000 }, async () => {
    place.write(
      "waiting.yaml",
      "workload: { kind: jobs, jobs: [ { maps: 1000000, count: 20 } ] }\nrun: { until: 1m }\n",
    );
    const line = "ulimit -v 2500000; $BIDE run waiting.yaml --anyway --threads 0 --quiet --out out";
    const { code, stderr } = await place.shell(line);
    expect([code, stderr]).toEqual([3, expect.stringContaining("bide: not enough memory for the tables of the run")]);
    expect(place.left()).toEqual(["s.yaml", "waiting.yaml"]);
  });
});

describe("little address space", () => {
  it("keeps auto from threads", { timeout: 60_000 }, async () => {
    const detailed = "--set runtime.model=detailed";
    const line = `ulimit -v 2000000; $BIDE run good.yaml ${detailed} --threads auto --quiet --no-tables --out out`;
    const { code, stdout } = await place.shell(line);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/inline \(auto: /)]);
  });
});
