import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { bide } from "../../../dist/cli/index.js";
import { runScenario } from "../../../dist/lab/index.js";
import { SweptPlace } from "./swept.js";

const MARK = '{"format":"bide-folder","version":1,"kind":"sweep"}\n';
const KEY = "0".repeat(32);

/** Text files by path; a text that begins with `-> ` is a link. */
type Tree = Record<string, string>;

/** Everything here is somebody else's. */
const FOREIGN: Record<string, Tree> = {
  "a thesis": { "thesis.tex": "years" },
  "a series of tables": { "series/a.parquet": "theirs" },
  "a lock of another tool": { "lock.json": '{"name":"terraform"}' },
  "every name of ours": {
    "README.txt": "theirs",
    "sweep.yaml": "theirs",
    "plan.json": "{}",
    "journal.jsonl": "theirs\n",
    "runs.parquet": "theirs",
    "costs.parquet": "theirs",
    "queue.json": "theirs",
    "lock.json": "theirs",
  },
  "a folder under the name of a file": { "plan.json/x": "theirs" },
  "a journal that is a link": { "journal.jsonl": "-> ../precious" },
  "a mark that is a link": { ".bide-folder": "-> ../mark", "README.txt": "theirs" },
  "our mark, and a journal that is a link": { ".bide-folder": MARK, "journal.jsonl": "-> ../precious" },
  "our mark, and series that are a link": { ".bide-folder": MARK, series: "-> ../photos" },
  "our mark, and a link among the series": { ".bide-folder": MARK, [`series/${KEY}.parquet`]: "-> ../../precious" },
  "our mark, and somebody's notes": { ".bide-folder": MARK, "notes.txt": "theirs" },
  "results of a run": { "summary.json": '{"format":"bide-summary"}', "README.txt": "Results of one run of Bide: x" },
};

let place: SweptPlace;
beforeEach(() => {
  place = new SweptPlace({ points: 1, replications: 1, more: "series: true" });
});
afterEach(() => {
  place.remove();
});

function make(folder: string, tree: Tree): void {
  for (const [name, text] of Object.entries(tree)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    if (text.startsWith("-> ")) symlinkSync(text.slice(3), path);
    else writeFileSync(path, text);
  }
}

/** All that is in a folder: kinds, contents, targets of links, times. */
function everythingIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => {
      const path = join(folder, name);
      const found = lstatSync(path);
      const what = found.isFile()
        ? readFileSync(path, "utf8")
        : found.isSymbolicLink()
          ? readlinkSync(path)
          : found.isDirectory()
            ? ""
            : "special";
      return [name, found.mode, found.isDirectory() ? "" : found.mtimeMs, what].join(" | ");
    })
    .sort();
}

/** The command line, without a process for each; names of files are of the place. */
async function call(...args: string[]): Promise<{ code: number; stderr: string }> {
  let stderr = "";
  const hear = (stream: NodeJS.WriteStream): { mockRestore: () => void } =>
    vi.spyOn(stream, "write").mockImplementation((...written: unknown[]) => {
      stderr += String(written[0]);
      const done = written.at(-1);
      if (typeof done === "function") (done as () => void)();
      return true;
    });
  const spies = [hear(process.stderr), hear(process.stdout)];
  const here = args.map((arg, at) => (at === 0 || arg.startsWith("--") ? arg : place.file(arg)));
  try {
    return { code: await bide(here, () => Promise.resolve(runScenario)), stderr };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

const WAYS = [[], ["--resume"], ["--force"]];

describe("a folder that is somebody else's", () => {
  it.each(Object.entries(FOREIGN))("is left as it is: %s", async (_, tree) => {
    const theirs = place.file("theirs");
    make(theirs, tree);
    make(place.path, { precious: "precious", mark: MARK, "photos/beach.jpg": "beach" });
    const before = everythingIn(place.path);
    for (const way of WAYS) {
      const { code, stderr } = await call("sweep", "s.yaml", "--out", "theirs", ...way);
      expect([code, stderr], way.join(" ")).toEqual([2, expect.stringMatching(/theirs: (cannot|found)/)]);
      expect(everythingIn(place.path), way.join(" ")).toEqual(before);
    }
  });

  it("is no part of a sweep that merge may empty under another name", async () => {
    expect((await call("sweep", "s.yaml", "--out", "part")).code).toBe(0);
    symlinkSync("part", place.file("alias"));
    const before = everythingIn(place.path);
    const { code, stderr } = await call("merge", "part", "--out", "alias", "--force");
    expect([code, stderr]).toEqual([2, expect.stringContaining("alias, which is one of the parts")]);
    expect(everythingIn(place.path)).toEqual(before);
  });

  it("is not written by tune, merge or results either", async () => {
    expect((await call("sweep", "s.yaml", "--out", "part")).code).toBe(0);
    make(place.file("theirs"), { "README.txt": "theirs", "journal.jsonl": "theirs" });
    place.replace("t.yaml", `${readFileSync(place.file("s.yaml"), "utf8")}\ngoal: {minimize: responseMean}\n`);
    const before = everythingIn(place.path);
    for (const args of [
      ["merge", "part", "--out", "theirs", "--force"],
      ["tune", "t.yaml", "--out", "theirs", "--force"],
      ["tune", "t.yaml", "--out", "theirs", "--resume"],
      ["run", "base.yaml", "--out", "theirs", "--force"],
      ["run", "base.yaml", "--out", "part", "--force"],
      ["results", "part", "--out", "part/journal.jsonl", "--force"],
      ["results", "part", "--csv", "part/runs.parquet", "--force"],
    ]) {
      expect((await call(...args)).code, args.join(" ")).toBe(2);
      expect(everythingIn(place.path), args.join(" ")).toEqual(before);
    }
  });
});

describe("a folder that is Bide's", () => {
  it("is nobody's without its mark, and left as it was", async () => {
    expect((await call("sweep", "s.yaml", "--out", "out")).code).toBe(0);
    rmSync(place.file("out", ".bide-folder"));
    const before = everythingIn(place.file("out"));
    const { mtimeMs } = lstatSync(place.file("out"));
    for (const option of ["--resume", "--force"]) {
      const { code, stderr } = await call("sweep", "s.yaml", "--out", "out", option);
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining("without .bide-folder") });
      expect(everythingIn(place.file("out"))).toEqual(before);
    }
    expect(lstatSync(place.file("out")).mtimeMs).toBe(mtimeMs);
  });

  it("may be an empty folder that was there, or one whose making was cut off", async () => {
    make(place.file("out"), { "..bide-folder.partial-0a1b2c3d": '{"form' });
    expect((await call("sweep", "s.yaml", "--out", "out")).code).toBe(0);
    mkdirSync(place.file("empty"));
    expect((await call("sweep", "s.yaml", "--out", "empty")).code).toBe(0);
  });
});
