import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Place } from "./command.js";

const AXES = `scenario: good.yaml
axes:
  - {name: W1, path: scheduler.wait.node, values: [0s, 2s, 4s]}
replications: 2
`;

let place: Place;
beforeAll(() => {
  place = new Place();
  place.write("none.yaml", AXES);
  place.write("met.yaml", `${AXES}goal: {smallest: [W1], where: [{measure: responseMean, atMost: 1h}]}\n`);
  place.write("kills.yaml", `${AXES}goal: {smallest: [W1], where: [{measure: kills, atMost: 0}]}\n`);
  place.write("unmet.yaml", `${AXES}goal: {smallest: [W1], where: [{measure: responseMean, atMost: 1s}]}\n`);
});
afterAll(() => {
  place.remove();
});

describe("bide tune", () => {
  it("refuses a sweep without a goal, and --resume without a folder", async () => {
    expect(await place.bide("tune", "none.yaml")).toMatchObject({
      code: 2,
      stdout: "",
      stderr: "none.yaml: found no section goal, allowed a sweep that says what is looked for\n",
    });
    expect(await place.bide("tune", "met.yaml", "--resume")).toMatchObject({ code: 2, stdout: "" });
  });

  it("prints the answer as JSON, and simulates nothing again that is in the folder", async () => {
    const first = await place.bide("tune", "met.yaml", "--json", "--quiet", "--out", "kept", "--grid");
    expect(first).toMatchObject({ code: 0, stderr: "" });
    const report = JSON.parse(first.stdout) as object;
    expect(report).toMatchObject({ format: "bide-tune", answer: { label: "W1=0s" }, grid: { isSame: true } });
    const again = await place.bide("tune", "met.yaml", "--json", "--out", "kept", "--grid", "--resume");
    expect(again.stdout).toBe(first.stdout);
    const counted = await place.bide("sweep", "met.yaml", "--json", "--quiet", "--out", "kept", "--resume");
    expect(JSON.parse(counted.stdout)).toMatchObject({ ended: 6, endedHere: 0 });
  });

  it("intervals are no narrower than the grid of heartbeats allows, and say that they rest on too few runs", async () => {
    place.write("grid.yaml", `${AXES}goal: {smallest: [W1], where: [{measure: responseP50, atMost: 1h}]}\n`);
    const { stdout } = await place.bide("tune", "grid.yaml", "--quiet");
    expect(stdout).toContain("; ? of fewer than 10 runs, too few for 95 %\n");
    const [, halfWidth] = /^answer +W1=0s +2 +\d+\.\d±(\d+\.\d)\?/m.exec(stdout) ?? [];
    // Student's t of two runs, and half a heartbeat of 3 s as the least deviation: also where both runs say the same.
    expect(Number(halfWidth)).toBeGreaterThanOrEqual((12.7 * 1.5) / Math.SQRT2 - 0.1);
  });

  it("where nothing is ever killed, at most 0 kills are met, and tables of the sweep show no 0", async () => {
    const { code, stdout } = await place.bide("tune", "kills.yaml", "--quiet");
    expect(stdout).toMatch(/^Answer +W1=0s$/m);
    expect(code).toBe(0);
    const sweep = await place.bide("sweep", "kills.yaml", "--quiet", "--out", "of-kills");
    expect(sweep.code).toBe(0);
    const shown = await place.bide("results", "of-kills", "--measures", "kills,failedAttempts");
    expect(shown.stdout).toMatch(/^0s +- +0/m);
  });

  it("ends with 6 where no point meets the goal, and says which one comes nearest", async () => {
    const { code, stdout, stderr } = await place.bide("tune", "unmet.yaml", "--quiet");
    expect([code, stderr]).toEqual([6, "bide: no point meets the goal\n"]);
    expect(stdout).toMatch(/^Answer +no point meets the goal; W1=\ds comes nearest$/m);
  });
});
