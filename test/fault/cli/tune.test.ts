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

  it("ends with 6 where no point meets the goal, and says which one comes nearest", async () => {
    const { code, stdout, stderr } = await place.bide("tune", "unmet.yaml", "--quiet");
    expect([code, stderr]).toEqual([6, "bide: no point meets the goal\n"]);
    expect(stdout).toMatch(/^Answer +no point meets the goal; W1=\ds comes nearest$/m);
  });
});
