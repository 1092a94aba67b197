import { Command } from "commander";
import { describe, expect, it } from "vitest";
import { decisionOptions, decisionChoices, type DecisionCommandOptions } from "../../../dist/cli/index.js";
import { PAPER_CASE } from "../../../dist/lab/index.js";

/** What the words mean after `bide bench decisions`. */
function parsed(words: string): DecisionCommandOptions {
  const command = new Command("decisions").exitOverride().configureOutput({ writeErr: () => undefined });
  for (const option of decisionOptions()) command.addOption(option);
  command.option("--force").parse(words === "" ? [] : words.split(" "), { from: "user" });
  return command.opts<DecisionCommandOptions>();
}

describe("the options of bide bench decisions", () => {
  it("change the paper's case", () => {
    const words =
      "--nodes 620 --slots 5+4 --jobs 7 --pools 3 --maps 9 --reduces 0 --kind hfs --wait 2s+500ms --tasks-per-heartbeat 1";
    expect(decisionChoices(parsed(`${words} --update-interval 0s`))).toEqual({
      points: [
        {
          nodes: 620,
          mapSlots: 5,
          reduceSlots: 4,
          jobs: 7,
          pools: 3,
          maps: 9,
          reduces: 0,
          kind: "hfs",
          wait: { kind: "time", nodeUs: 2_000_000, rackUs: 500_000 },
          tasksPerHeartbeat: 1,
          updateIntervalUs: 0,
          untilUs: Infinity,
        },
      ],
    });
  });

  it("say nothing by default, and nothing but the grid with it", () => {
    expect(decisionChoices(parsed(""))).toEqual({ points: [PAPER_CASE] });
    const grid = "--grid --warmups 0 --seed x --hgrm d --force";
    expect(decisionChoices(parsed(grid))).toEqual({ grid: true, warmups: 0, seed: "x", hgrm: "d", force: true });
  });

  it("make a case of each kind that is named", () => {
    const { points } = decisionChoices(parsed("--kind fifo,yarn-fair,fifo --nodes 50"));
    expect(points?.map(({ kind, nodes }) => [kind, nodes])).toEqual([
      ["fifo", 50],
      ["yarn-fair", 50],
    ]);
  });

  it("read waits and numbers of tasks with words", () => {
    expect(parsed("--wait none").wait).toEqual({ kind: "none" });
    expect(parsed("--wait 5s").wait).toEqual({ kind: "time", nodeUs: 5_000_000, rackUs: 5_000_000 });
    expect(parsed("--tasks-per-heartbeat all").tasksPerHeartbeat).toBe(Infinity);
  });

  it.each([
    ["--nodes 0", 'Expected a whole number from 1 to 200000, found "0".'],
    ["--nodes 1e3", 'Expected a whole number from 1 to 200000, found "1e3".'],
    ["--jobs 100001", 'Expected a whole number from 1 to 100000, found "100001".'],
    ["--maps -1", 'Expected a whole number from 0 to 1000000, found "-1".'],
    ["--slots 2", 'Expected maps+reduces, each up to 64, such as 2+2, found "2".'],
    ["--slots 2+2+2", 'Expected maps+reduces, each up to 64, such as 2+2, found "2+2+2".'],
    ["--slots 65+1", 'Expected maps+reduces, each up to 64, such as 2+2, found "65".'],
    [
      "--kind quincy",
      'Expected hfs, fair, delay, fifo, spark-fifo, spark-fair, yarn-fair, yarn-capacity, separated by commas, found "quincy".',
    ],
    ["--wait 5", 'Expected none, a time such as 5s, or two such as 5s+2s, found "5".'],
    ["--wait 1s+2s+3s", 'Expected none, a time such as 5s, or two such as 5s+2s, found "1s+2s+3s".'],
    ["--wait 999999999d", 'Expected none, a time such as 5s, or two such as 5s+2s, found "999999999d".'],
    ["--tasks-per-heartbeat none", 'Expected all or a whole number from 1 to 128, found "none".'],
    ["--update-interval x", 'Expected a time: 2.5s, found "x".'],
    ["--grid --nodes 5", "option '--grid' cannot be used with option '--nodes <n>'"],
  ])("are not %s", (words, message) => {
    expect(() => parsed(words)).toThrow(message);
  });
});
