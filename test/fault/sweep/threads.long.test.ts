import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SweptPlace } from "./swept.js";

let place: SweptPlace;
beforeEach(() => {
  place = new SweptPlace({ points: 2, replications: 1, axis: "path: cluster.mapSlots, values: [1, 2]" });
});
afterEach(() => {
  place.remove();
});

/** Any job; ends its thread at the start of a run if `when` says so. */
const deadly = (when: string): string => `import { existsSync, writeFileSync } from "node:fs";
export default {
  name: "deadly",
  summary: "first come, first served, while it lasts",
  create(cluster) {
    if (${when}) process.exit(7);
    return { choose: ({ jobs }) => ({ job: jobs[0], farthest: "any" }) };
  },
};
`;

const ARGS = [
  "sweep",
  "s.yaml",
  "--plugin",
  "deadly.mjs",
  "--set",
  "scheduler=deadly",
  "--set",
  "run.until=60s",
  "--quiet",
];

describe("a thread that dies in a run", () => {
  it("is replaced, and its run done again: nobody notices", async () => {
    place.write("deadly.mjs", deadly('!existsSync("died") && (writeFileSync("died", ""), true)'));
    const { code, stderr } = await place.bideProcess(...ARGS, "--out", "s", "--threads", "2");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(place.left()).toContain("died");
    expect(place.keysIn("s")).toHaveLength(2);
    await place.bideProcess(...ARGS, "--out", "again", "--threads", "1");
    expect(place.tables("again")).toEqual(place.tables("s"));
  });

  it("each time: the run has failed, the sweep goes on, exit 4; --retry-failed does it again", async () => {
    place.write("deadly.mjs", deadly('!existsSync("healed")'));
    const first = await place.bideProcess(...ARGS, "--out", "s", "--threads", "2");
    expect(first.code).toBe(4);
    expect(first.stderr).toMatch(
      /2 of 2 runs failed; the first, W=1, seed 1: the thread of the run ended, 3 times: .*7/,
    );
    expect(first.stderr).toContain(
      "npx bide sweep s.yaml --set scheduler=deadly --set run.until=60s --plugin deadly.mjs --threads 2 --out s --quiet " +
        "--resume --retry-failed repeats them",
    );
    place.write("healed", "");
    const unchanged = await place.bideProcess(...ARGS, "--out", "s", "--resume");
    expect(unchanged.code).toBe(4);
    expect(place.keysIn("s")).toHaveLength(2);
    const retried = await place.bideProcess(...ARGS, "--out", "s", "--resume", "--retry-failed");
    expect({ code: retried.code, stderr: retried.stderr }).toEqual({ code: 0, stderr: "" });
    expect(place.keysIn("s")).toHaveLength(4);
    await place.bideProcess(...ARGS, "--out", "again");
    expect(place.tables("again")).toEqual(place.tables("s"));
  });
});
