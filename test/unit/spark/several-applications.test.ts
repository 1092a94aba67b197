import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CoresRequest, HostCores, type SparkScenario } from "../../../dist/core/platforms/spark/index.js";
import { InputError, loadAnyScenario, parseAnyScenario } from "../../../dist/io/index.js";
import { runScenario } from "../../../dist/lab/index.js";

const TWO = `platform: spark
cluster: { hosts: 2, cores: 4 }
executors: { cores: 4 }
scheduler: { wait: 0s }
workload: { kind: jobs, jobs: [{ name: work, stages: [{ tasks: 16, time: 10s }] }] }
applications:
  - name: first
  - name: second
    starts: 5s
    scheduler: { mode: FAIR }
`;

const read = (text = TWO, set: string[] = []) => {
  const { scenario, notes } = parseAnyScenario(text, "two.yaml", { set });
  return { scenario: scenario as SparkScenario, notes };
};

function refusal(text: string, set: string[] = []): string {
  try {
    parseAnyScenario(text, "two.yaml", { set });
  } catch (error) {
    if (error instanceof InputError) return error.message;
    throw error;
  }
  return "";
}

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "bide-applications-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("cores of hosts", () => {
  const request = (cores: number, hosts: readonly number[], granted: number[][], name: number): CoresRequest => ({
    cores,
    choose: (hasRoom) => hosts.find(hasRoom) ?? -1,
    granted: (host) => granted.push([name, host]),
  });

  it("serve requests in their order, and let one that finds no room keep none from those behind it", () => {
    const granted: number[][] = [];
    const cores = new HostCores([4, 2]);
    const [a, b, c, d] = [
      request(4, [0], granted, 1),
      request(4, [0], granted, 2),
      request(2, [0, 1], granted, 3),
      request(2, [0], granted, 4),
    ];
    for (const one of [a, b, c, d]) cores.ask(one);
    expect(granted).toEqual([
      [1, 0],
      [3, 1],
    ]);
    cores.giveBack(0, 2);
    expect(granted.slice(2)).toEqual([[4, 0]]);
    cores.giveBack(0, 2);
    expect(granted.length).toBe(3);
    cores.giveBack(0, 2);
    expect(granted.slice(3)).toEqual([[2, 0]]);
  });

  it("forget a request that is taken back, and refuse cores that they never gave", () => {
    const granted: number[][] = [];
    const cores = new HostCores([1]);
    const [a, b] = [request(1, [0], granted, 1), request(1, [0], granted, 2)];
    cores.ask(a);
    cores.ask(b);
    expect(cores.cancel(a)).toBe(false);
    expect(cores.cancel(b)).toBe(true);
    cores.giveBack(0, 1);
    expect(granted).toEqual([[1, 0]]);
    expect(() => cores.giveBack(0, 1)).toThrow("more cores back than it has");
  });
});

describe("several applications", () => {
  it("say for themselves what is not as the scenario says", () => {
    const { scenario } = read();
    expect(scenario.applications?.map(({ name, startUs, scheduler: { mode } }) => [name, startUs, mode])).toEqual([
      ["first", 0, "FIFO"],
      ["second", 5e6, "FAIR"],
    ]);
    expect(scenario.applications?.map(({ executors }) => executors.length)).toEqual([2, 2]);
    expect(read(TWO, ["applications.1.executors.count=1"]).scenario.applications?.[1]?.executors.length).toBe(1);
  });

  it("wait for cores that another holds, and are told apart in the results", async () => {
    const { scenario } = read();
    const { summary } = await runScenario(scenario, "/");
    const groups = summary.groups.map(({ name, jobs }) => [name, jobs.ended]);
    expect(groups).toEqual([
      ["first", 1],
      ["second/default", 1],
    ]);
    // Two waves of 8 tasks each; the second application gets its executors when the first has ended.
    expect(summary.virtualSeconds).toBeGreaterThan(40);
    expect(summary.virtualSeconds).toBeLessThan(41);
    const { scenario: apart } = read(TWO.replace(", cores: 4 }", " }"));
    const alone = await runScenario(apart, "/");
    expect(alone.summary.virtualSeconds).toBeLessThan(26);
  });

  it("with equal lists of jobs do not have equal draws", async () => {
    const text = TWO.replace("time: 10s", "time: 10s, spread: 0.5")
      .replace(", cores: 4 }", " }")
      .replace("    starts: 5s\n", "");
    const { scenario } = read(text);
    const { summary } = await runScenario(scenario, "/");
    const [one, other] = summary.groups.map(({ responseSeconds }) => responseSeconds.p50);
    expect(one).not.toBe(other);
  });

  it("are refused where names are not names, nothing is to do, or no host has room", () => {
    expect(refusal(TWO.replace("name: second", "name: first"))).toContain("two.yaml:8:");
    const idle = TWO.replace(/workload: .*\n/, "");
    expect(refusal(idle)).toContain("found nothing for workload, allowed a mapping with a kind: jobs, stages");
    expect(refusal(idle).split("\n").length).toBe(1);
    expect(refusal(TWO, ["applications.1.executors.cores=5"])).toContain(
      'found 5 for applications.1.executors.cores, allowed at most the 4 of host "host-1"',
    );
    expect(refusal(TWO, ["executors.cores=5"])).toContain("found 5 for executors.cores, allowed at most the 4 of host");
    expect(refusal(TWO, ["applications.1.executors.dynamic=true", "applications.1.executors.cores=9"])).toContain(
      "at most the 4 of the largest host",
    );
    expect(refusal(TWO, ["applications.1.colour=red"])).toContain("applications.1");
    expect(refusal(`${TWO}  - 7\n`)).toContain("two.yaml:11:");
    expect(refusal(TWO.replace(/applications:[^]*/, "applications: []\n"))).toContain("applications");
    expect(refusal(TWO, ["applications.1.workload.jobs=[]", "applications.1.workload.kind=jobs"])).toContain("jobs");
  });

  it("name files of their own, each with its place where one is not there", () => {
    const scenario = join(folder, "files.yaml");
    writeFileSync(
      scenario,
      `${TWO}    workload: { kind: stages, file: none.csv }\n    executors: { file: none-either.csv }\n`,
    );
    expect(() => loadAnyScenario(scenario)).toThrow("none-either.csv");
  });

  it("tell once what concerns all of them, and of which of them the rest is", () => {
    const { notes } = read(TWO.replace("name: first", "name: first\n    scheduler: { pools: [{ name: a }] }"));
    expect(notes).toEqual(["application first: scheduler.pools has no effect where scheduler.mode is FIFO"]);
  });
});
