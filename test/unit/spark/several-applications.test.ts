import { describe, expect, it } from "vitest";
import { type CoresRequest, HostCores, type SparkScenario } from "../../../dist/core/platforms/spark/index.js";
import { parseAnyScenario } from "../../../dist/io/index.js";
import { runScenario } from "../../../dist/lab/index.js";
import { answerOf } from "../../support/scenario-answers.js";

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

it("Requests for cores are served in their order, and one that finds no room keeps none from those behind it", () => {
  const granted: string[] = [];
  const request = (name: string, cores: number, ...hosts: number[]): CoresRequest => ({
    cores,
    choose: (hasRoom) => hosts.find(hasRoom) ?? -1,
    granted: (host) => granted.push(`${name} on ${host}`),
  });
  const cores = new HostCores([4, 2]);
  const requests = [request("a", 4, 0), request("b", 4, 0), request("c", 2, 0, 1), request("d", 2, 0)];
  for (const asked of requests) cores.ask(asked);
  expect(granted).toEqual(["a on 0", "c on 1"]);
  cores.giveBack(0, 2);
  cores.giveBack(0, 2);
  expect(granted.slice(2)).toEqual(["d on 0"]);
  expect([cores.cancel(requests[0]!), cores.cancel(requests[1]!)]).toEqual([false, true]);
  cores.giveBack(0, 2);
  expect(granted).toHaveLength(3);
  expect(() => {
    cores.giveBack(0, 1);
  }).toThrow();
});

describe("several applications", () => {
  it.each([
    ["applications.1.executors.count=1"],
    ["applications.0.scheduler={pools: [{name: a}]}"],
    ["applications.1.name=first"],
    ["applications.1.executors.cores=5"],
    ["executors.cores=5"],
    ["applications.1.executors.dynamic=true", "applications.1.executors.cores=9"],
    ["applications.1.colour=red"],
    ["applications=[]"],
    ["applications=[7]"],
    ["applications.1.workload.jobs=[]", "applications.1.workload.kind=jobs"],
    ["applications.1.workload={kind: stages, file: none.csv}", "applications.1.executors={file: none-either.csv}"],
  ])("answer to %s", (...set) => {
    expect(answerOf(TWO, `${process.cwd()}/two.yaml`, set, TWO)).toMatchSnapshot();
  });

  it("have something to do", () => {
    expect(answerOf(TWO.replace(/workload: .*\n/, ""), "two.yaml", [])).toMatchSnapshot();
  });

  const resultsOf = async (text: string) => {
    const { scenario } = parseAnyScenario(text, "two.yaml");
    return (await runScenario(scenario as SparkScenario, "/")).summary;
  };

  it("wait for cores that another holds, and are told apart in the results", async () => {
    const { groups, virtualSeconds } = await resultsOf(TWO);
    expect(groups.map(({ name, jobs }) => [name, jobs.ended])).toEqual([
      ["first", 1],
      ["second/default", 1],
    ]);
    // Two waves of 8 tasks each; the second application gets its executors when the first has ended.
    expect(Math.floor(virtualSeconds)).toBe(40);
    expect((await resultsOf(TWO.replace(", cores: 4 }", " }"))).virtualSeconds).toBeLessThan(26);
  });

  it("with equal lists of jobs do not have equal draws", async () => {
    const spread = TWO.replace("time: 10s", "time: 10s, spread: 0.5").replace(", cores: 4 }", " }");
    const { groups } = await resultsOf(spread.replace("    starts: 5s\n", ""));
    const [first, second] = groups.map(({ responseSeconds }) => responseSeconds.p50);
    expect(first).not.toBe(second);
  });
});
