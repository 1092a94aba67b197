import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { harmless } from "../../../dist/core/kernel/index.js";
import { doneRun, sweepPlan, sweepRecord, wordAxis, writeSweepFolder } from "../../support/hand-made-sweeps.js";
import { Place } from "./command.js";

/** Sets the title, goes up a line, turns the direction, hides, and ends the line. */
const EVIL = "x\u001b]0;owned\u0007\u001b[1A\u009b2J\u202e\u200b\rforged\nforged line";
// eslint-disable-next-line no-control-regex
const ACTS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/;

/** What EVIL says after the end of its line. */
const FORGED = /^\W*forged line/m;

let place: Place;
beforeAll(() => {
  place = new Place();
  const name = JSON.stringify(EVIL);
  const cluster = "cluster: {racks: 1, nodesPerRack: 2, mapSlots: 2, reduceSlots: 1}";
  const jobs = `workload: {kind: jobs, jobs: [{name: ${name}, maps: 1, mapTime: 5s, user: ${name}, pool: ${name}}]}`;
  writeFileSync(join(place.path, "evil.yaml"), `name: ${name}\n${cluster}\n${jobs}\nscheduler: {kind: fair}\n`);
  writeFileSync(join(place.path, "job.yaml"), `name: job\n${cluster}\n${jobs}\nscheduler: {kind: fair}\n`);
  const file = `name: file\n${cluster}\nworkload: {kind: swim, file: ${name}}\nscheduler: {kind: fair}\n`;
  writeFileSync(join(place.path, "file.yaml"), file);
  const systems = `compare: {systems: [{name: ${name}, scheduler: fifo}, {name: b, scheduler: fair}]}`;
  writeFileSync(join(place.path, "systems.yaml"), `name: job\n${cluster}\n${jobs}\n${systems}\n`);
  writeFileSync(join(place.path, "bench.json"), JSON.stringify({ format: EVIL, bench: EVIL, [EVIL]: EVIL }));
  const sweep = (scenario: string): string =>
    `name: s\nscenario: ${scenario}\naxes: [{name: ${name}, setting: run.seed, values: [1, 2]}]\n`;
  writeFileSync(join(place.path, "sweep.yaml"), sweep(name));
  writeFileSync(join(place.path, "axis.yaml"), sweep("job.yaml"));
  writeFileSync(
    join(place.path, "evil.xml"),
    `<allocations><pool name="${EVIL}"><weight>${EVIL}</weight></pool></allocations>`,
  );
  writeSweepFolder(
    join(place.path, "swept"),
    sweepRecord(sweepPlan([wordAxis(EVIL, EVIL, "b")]), () => doneRun({ nodeLocalSmall: 1, responseP95: 1 })),
  );
});
afterAll(() => {
  place.remove();
});

describe("names of others on the terminal", () => {
  it.each([
    ["validate", "evil.yaml"],
    ["validate", "job.yaml"],
    ["run", "job.yaml", "--no-out"],
    ["run", "file.yaml", "--no-out"],
    ["run", "job.yaml", "--set", `scheduler.kind=${EVIL}`],
    ["run", EVIL],
    [EVIL],
    ["run", "job.yaml", `--seed${EVIL}=1`],
    ["run", "job.yaml", `--${EVIL}`],
    ["compare", "job.yaml", "--seeds", "2"],
    ["compare", "systems.yaml", "--seeds", "2"],
    ["compare", "systems.yaml", "--systems", EVIL],
    ["bench", EVIL],
    ["bench", "show", EVIL],
    ["bench", "show", "bench.json"],
    ["bench", "decisions", "--only", EVIL],
    ["examples", EVIL],
    ["examples", "tiny", "--out", EVIL],
    ["schema", EVIL],
    ["completion", EVIL],
    ["worker", "--queue", EVIL],
    ["sweep", "sweep.yaml"],
    ["sweep", "axis.yaml", "--dry-run"],
    ["explain-config", "evil.xml"],
    ["explain-config", EVIL],
    ["results", "swept"],
    ["results", "swept", "--format", "md"],
    ["results", "swept", "--sort", EVIL],
    ["results", "swept", "--plot", EVIL],
    ["results", "swept", "--sql", "FROM runs"],
    ["results", "swept", "--sql", `SELECT "${EVIL}`],
    ["results", EVIL],
    ["tune", EVIL],
    ["regress", EVIL],
    ["merge", EVIL, "--out", "m"],
    ["check-scheduler", EVIL],
    ["run", "job.yaml", "--plugin", EVIL],
  ])("bide %j", async (...args) => {
    const { stdout, stderr } = await place.bide(...args);
    const said = stdout + stderr;
    expect(said).not.toBe("");
    expect(said).not.toMatch(ACTS);
    expect(said).not.toMatch(FORGED);
  });

  it("are written as codes by the one place that writes, which leaves bold and dim", () => {
    expect(harmless("a\u001b[1mb\u001b[22m\n\u001b[31mc\u202ed\u009b")).toBe(
      "a\u001b[1mb\u001b[22m\n\\u001b[31mc\\u202ed\\u009b",
    );
  });
});
