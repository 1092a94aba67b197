import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Ajv } from "ajv";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { awakeMs, ended, Place } from "./command.js";

const scenario = (name: string) => fileURLToPath(new URL(`../../../scenarios/${name}`, import.meta.url));
const schema = JSON.parse(readFileSync(new URL("../../../docs/formats/summary.schema.json", import.meta.url), "utf8"));
const isSummary = new Ajv({ strict: true }).compile(schema);

let place: Place;
beforeEach(() => {
  place = new Place();
});
afterEach(() => {
  place.remove();
});

describe("bide run --recover", () => {
  const asked = ["--recover", "--no-tables", "--out", "out"];

  it("goes on after a rack thread has died, says so, and ends as without", async () => {
    const run = ["run", scenario("tiny.yaml"), "--json"];
    const { stdout } = await place.bide(...run, "--threads", "0", "--no-tables", "--out", "undisturbed");
    const found = await place.bideOn("dying:exit", ...run, "--threads", "rack", ...asked);
    expect(found.code).toBe(0);
    expect(found.stderr).toMatch(
      /^note: rack\d+ died at virtual time \S+ \(.+\); replayed in \d+\.\d s, and goes on\n$/m,
    );
    const summary = JSON.parse(found.stdout);
    expect(isSummary(summary), JSON.stringify(isSummary.errors)).toBe(true);
    expect(summary.cost.recoveries).toBe(1);
    expect(summary.cost.commandLogBytes).toBeGreaterThan(0);
    expect({ ...summary, cost: null }).toEqual({ ...JSON.parse(stdout), cost: null });
  });
});

describe("a real run that ends badly", () => {
  it.each(["0", "2"])("Ctrl-C with --threads %s: exit 130 within a second, nothing left", async (threads) => {
    const child = place.start("run", scenario("facebook-day.yaml"), "--threads", threads, "--quiet");
    const end = ended(child);
    while (!existsSync(join(place.path, "results"))) await pause(20);
    await pause(800);
    const sinceSent = awakeMs();
    child.kill("SIGINT");
    const { code, stdout, stderr } = await end;
    expect(sinceSent()).toBeLessThan(10_000);
    expect({ code, stdout, left: place.left() }).toEqual({ code: 130, stdout: "", left: [] });
    expect(stderr).toBe("bide: stopped by SIGINT; no results were written\n");
  });
});

async function pause(ms: number): Promise<void> {
  await new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
