import { afterAll, beforeAll, expect, it } from "vitest";
import { Place } from "../cli/command.js";

let place: Place;
beforeAll(() => {
  place = new Place();
  place.write(
    "s.yaml",
    "scenario: good.yaml\naxes: [{name: slots, path: cluster.mapSlots, values: [1, 2]}]\nreplications: 4\n",
  );
  place.write("bad.yaml", "scenario: good.yaml\naxes: [{name: slots, path: cluster.mapSlots, values: [1, 65]}]\n");
});
afterAll(() => {
  place.remove();
});

it("a dry run says what would be run and how long it would take, and keeps nothing", async () => {
  const text = await place.bide("sweep", "s.yaml", "--dry-run", "--threads", "2");
  expect(text).toMatchObject({ code: 0, stderr: "" });
  expect(text.stdout).toContain("2 points, 4 runs each: 8; seeds 1 to 4");
  expect(text.stdout).toMatch(/^Time {12}about \S+ on 2 threads of this machine/m);
  expect(text.stdout).toMatch(/^Point {2}slots\n0 {10}1\n1 {10}2\n$/m);
  const json = await place.bide("sweep", "s.yaml", "--dry-run", "--json");
  const found = JSON.parse(json.stdout) as { plan: { points: unknown[] }; estimate: { leastRuns: number } };
  expect([json.code, found.plan.points.length, found.estimate.leastRuns]).toEqual([0, 2, 8]);
  expect(place.left()).toEqual(["bad.yaml", "s.yaml"]);
});

it("a dry run refuses what the sweep would refuse", async () => {
  const { code, stdout, stderr } = await place.bide("sweep", "bad.yaml", "--dry-run");
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toContain("found 65 for cluster.mapSlots");
  expect(stderr).toContain('(at the point "slots=65")');
});
