import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkedLine, valueOfLine, joinParts } from "../../../dist/io/index.js";
import { Place } from "./command.js";

const SWEEP = `name: quick
why: a test
scenario: good.yaml
axes:
  - {name: W1, path: scheduler.wait.node, values: [0s, 1s, 2s]}
replications: 3
`;

const place = new Place();
const PARTS = ["part-1", "part-2", "part-3"];

const bytes = (folder: string): Buffer => readFileSync(join(place.path, folder, "runs.parquet"));

/** Another journal, for a copy of a part. */
function edited(part: string, copy: string, edit: (lines: string[]) => string[]): void {
  cpSync(join(place.path, part), join(place.path, copy), { recursive: true });
  const file = join(place.path, copy, "journal.jsonl");
  const lines = readFileSync(file, "utf8").split("\n").slice(0, -1);
  writeFileSync(
    file,
    edit(lines)
      .map((line) => `${line}\n`)
      .join(""),
  );
}

beforeAll(async () => {
  place.write("quick.yaml", SWEEP);
  const whole = place.bide("sweep", "quick.yaml", "--out", "whole", "--threads", "1", "--quiet");
  expect(await whole).toMatchObject({ code: 0 });
  for (const [i, part] of PARTS.entries()) {
    const args = ["--shard", `${i + 1}/3`, "--out", part, "--threads", "1"];
    expect(await place.bide("sweep", "quick.yaml", ...args)).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(`part ${i + 1} of 3`) as string,
    });
  }
});

afterAll(() => {
  place.remove();
});

describe("bide merge", () => {
  it("makes of all parts, in any order and overlapping, the folder of the whole sweep", async () => {
    const ended = await place.bide("merge", "part-3", ...PARTS, "whole", "--out", "all");
    expect(ended).toMatchObject({ code: 0, stdout: "quick: 9 runs of 5 parts in all\n", stderr: "" });
    expect(bytes("all").equals(bytes("whole"))).toBe(true);
    const plan = (folder: string): unknown => JSON.parse(readFileSync(join(place.path, folder, "plan.json"), "utf8"));
    expect(plan("all")).toEqual(plan("whole"));
  });
});

describe("parts that are joined", () => {
  const joined = (...parts: string[]): ReturnType<typeof joinParts> =>
    joinParts(parts.map((part) => join(place.path, part)));
  /** A copy of a part whose runs are others. */
  const withRuns = (part: string, copy: string, runOf: (run: object) => object): void => {
    edited(part, copy, (lines) =>
      lines.map((line) => {
        const row = valueOfLine(line) as { run: object };
        return checkedLine({ ...row, run: runOf(row.run) });
      }),
    );
  };

  it("have one result of a run, which may have cost different times", () => {
    withRuns("part-1", "liar", (run) => ({ ...run, fingerprint: "0".repeat(16) }));
    withRuns("part-1", "slower", (run) => ({ ...run, cost: { wallSeconds: 77 } }));
    expect(() => joined("part-1", "liar")).toThrow("liar: ");
    expect(joined("part-1", "slower").rows).toHaveLength(3);
  });
});
