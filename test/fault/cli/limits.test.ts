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

describe("little address space", () => {
  it("for threads is named before any is started", { timeout: 60_000 }, async () => {
    const { code, stderr } = await place.shell(
      "ulimit -v 2000000; $BIDE run good.yaml --threads rack --quiet --out out",
    );
    const words =
      "good: 2 threads (--threads) need 2.3 GB of address space; the limit of this process is 2 GB (ulimit -v)";
    expect([code, stderr]).toEqual([2, `${words}; --anyway starts it nevertheless\n`]);
    expect(place.left()).toEqual(["s.yaml"]);
  });
});
