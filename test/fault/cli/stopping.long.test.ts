import { setTimeout } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { awakeMs, ended, Place, wrote } from "./command.js";

let place: Place;
beforeEach(() => {
  place = new Place();
});
afterEach(() => {
  place.remove();
});

describe("a run that is stopped leaves nothing", () => {
  it.each([
    ["patient", "SIGINT", 130],
    ["patient", "SIGTERM", 143],
    ["patient", "SIGHUP", 129],
    ["deaf", "SIGINT", 130],
    ["deaf", "SIGTERM", 143],
  ] as const)("%s engine, %s: exit %i within a second, one line", async (engine, signal, exitCode) => {
    const child = place.startOn(engine, "run", "good.yaml", "--quiet");
    const end = ended(child);
    await wrote(child, "RUNNING");
    expect(place.left()).toEqual(["results"]);
    const sinceSent = awakeMs();
    child.kill(signal);
    const { code, stdout, stderr } = await end;
    // The promise is the product's; the margin is for a machine that is busy with other tests.
    expect(sinceSent()).toBeLessThan(10_000);
    expect({ code, stdout, left: place.left() }).toEqual({ code: exitCode, stdout: "", left: [] });
    expect(stderr).toBe(`RUNNING\nbide: stopped by ${signal}; no results were written\n`);
  });

  it("a second Ctrl-C ends it at once", async () => {
    const child = place.startOn("deaf", "run", "good.yaml", "--out", "out", "--quiet");
    const end = ended(child);
    await wrote(child, "RUNNING");
    child.kill("SIGINT");
    // Two equal signals that wait to be handled are one.
    await setTimeout(150);
    child.kill("SIGINT");
    const { code } = await end;
    expect({ code, left: place.left() }).toEqual({ code: 130, left: [] });
  });

  it.each(["c.json", "deep/folder"])("a comparison is stopped in the same way: --out %s", async (out) => {
    const child = place.startOn("patient", "compare", "good.yaml", "--out", out, "--quiet");
    const end = ended(child);
    await wrote(child, "RUNNING");
    child.kill("SIGINT");
    expect(await end).toMatchObject({ code: 130, stdout: "" });
    expect(place.left()).toEqual([]);
  });
});

describe("a run whose many rack threads start", () => {
  // A thread that is ended while it loads its modules took the whole process with it, now and then.
  it.each([
    ["SIGTERM", 300, 143],
    ["SIGTERM", 900, 143],
    ["SIGINT", 1500, 130],
  ] as const)("%s after %i ms: exit %i within a few seconds, and nothing left", { timeout: 60_000 }, async (...the) => {
    const [signal, afterMs, exitCode] = the;
    const cluster = "cluster: { racks: 500, nodesPerRack: 2 }\nruntime: { model: detailed }\n";
    place.write("racks.yaml", `${cluster}workload: { kind: jobs, jobs: [ { maps: 100, count: 50, every: 5s } ] }\n`);
    const child = place.start("run", "racks.yaml", "--threads", "rack", "--out", "out", "--quiet");
    const end = ended(child);
    // Its folder is there: it listens to signals.
    while (place.left().length === 1) await setTimeout(10);
    await setTimeout(afterMs);
    const sinceSent = awakeMs();
    child.kill(signal);
    const { code, stdout, stderr } = await end;
    expect(sinceSent()).toBeLessThan(10_000);
    expect({ code, stdout, stderr, left: place.left() }).toEqual({
      code: exitCode,
      stdout: "",
      left: ["racks.yaml"],
      stderr: `bide: stopped by ${signal}; no results were written\n`,
    });
  });
});

describe("a run that fails leaves nothing", () => {
  it("a rack that dies: exit 3 with rack, virtual time and cause", async () => {
    const { code, stdout, stderr } = await place.bideOn("dyingRack", "run", "good.yaml");
    expect({ code, stdout, left: place.left() }).toEqual({ code: 3, stdout: "", left: [] });
    expect(stderr).toBe(
      "bide: rack07 died at virtual time 1h02m03.5s: out of memory\nbide: the run was stopped; no results were written\n",
    );
  });

  it.each([
    ["broken", /TypeError: x is undefined\n +at /],
    ["notANumber", /breaks its own schema/],
  ])("a mistake of ours (%s): exit 1, with all that a report needs", async (engine, message) => {
    const { code, stdout, stderr } = await place.bideOn(engine, "run", "good.yaml");
    expect({ code, stdout, left: place.left() }).toEqual({ code: 1, stdout: "", left: [] });
    expect(stderr).toMatch(message);
    expect(stderr).toMatch(/Please report it .*Node v/);
  });
});
