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

describe("few file handles", () => {
  // What fails first depends on how many there are: code, a thread, a table.
  it.each([24, 30, 36, 44])("are named with their limit: %i", async (limit) => {
    for (const command of ["run good.yaml --out out", "sweep s.yaml --out out2 --threads 2"]) {
      const { code, stderr } = await place.shell(`ulimit -n ${String(limit)}; $BIDE ${command} --quiet`);
      expect(stderr).not.toMatch(/mistake in Bide|^\s+at /m);
      if (code === 0) continue;
      expect([2, 3, 4], stderr).toContain(code);
      expect(stderr).toMatch(/too many open files/);
    }
  });
});
