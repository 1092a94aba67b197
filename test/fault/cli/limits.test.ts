import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
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

  it("for tables is named, and there are none", async () => {
    const { code, stderr } = await place.shell(`ulimit -v 1200000; $BIDE run good.yaml --threads 0 --quiet --out out`);
    expect([code, stderr]).toEqual([
      0,
      expect.stringMatching(
        /^note: no Parquet tables were written: DuckDB needs 0\.7 GB more of address space; the limit of this process is 1\.2 GB \(ulimit -v\)/,
      ),
    ]);
    expect(readFileSync(join(place.path, "out", "README.txt"), "utf8")).toContain("ulimit -v");
  });
});

describe("files that may not grow", () => {
  // ulimit -f counts kilobytes.
  it.each([
    [1, "run good.yaml --threads 0 --out out", /^out: cannot write: .*(larger than is allowed|File too large)/],
    [1, "sweep s.yaml --threads 1 --out out", /^out\/\S+: cannot write: file too large/],
    [3, "sweep s.yaml --threads 1 --out out", /^out\/?\S*: cannot write: .*(larger than is allowed|File too large)/],
  ])("are named: %i kB, %s", async (limit, command, words) => {
    const { code, stderr } = await place.shell(`ulimit -f ${String(limit)}; $BIDE ${command} --quiet`);
    expect([code, stderr]).toEqual([2, expect.stringMatching(words)]);
  });
});

describe("few processes", () => {
  // What is really allowed depends on what else the user runs.
  const NO_THREADS = new URL("../../support/no-threads.mjs", import.meta.url).href;

  it.each([
    ["run good.yaml --threads 2 --no-tables --out out", []],
    ["sweep s.yaml --threads 2 --out out", ["out"]],
  ])("end the command, which names the limit, and no run has failed: %s", async (command, left) => {
    const { code, stderr } = await place.shell(`NODE_OPTIONS="--import ${NO_THREADS}" $BIDE ${command} --quiet`);
    const words =
      /^bide: no more threads or processes: the limit of this user is \S+ \(ulimit -u\); the command was stopped$/m;
    expect([code, stderr]).toEqual([3, expect.stringMatching(words)]);
    expect(place.left()).toEqual([...left, "s.yaml"]);
    const journal = join(place.path, "out", "journal.jsonl");
    if (existsSync(journal)) expect(readFileSync(journal, "utf8")).not.toContain("failed");
  });
});

describe("a file system", () => {
  it("that is read-only is named", async () => {
    // Nobody can make a folder there.
    for (const command of ["run good.yaml --threads 0", "sweep s.yaml --threads 1"]) {
      const { code, stderr } = await place.bide(...command.split(" "), "--quiet", "--out", "/proc/self/bide-out");
      expect([code, stderr]).toEqual([2, expect.stringMatching(/^\/proc\/self\/bide-out: cannot write: /)]);
    }
  });
});
