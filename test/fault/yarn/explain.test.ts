import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Place } from "../cli/command.js";

/** Two queues of one user each; the second comes when the first has filled both nodes. */
const SCENARIO = `platform: yarn
name: explained
cluster: {nodes: 2, memory: 4096, vcores: 4}
workload:
  kind: jobs
  jobs:
    - {name: etl, queue: a, maps: {tasks: 12, time: 20s, replicas: 0}, reduces: {tasks: 1, time: 5s}}
    - {name: report, queue: b.c, submit: 10s, maps: {tasks: 2, time: 5s, replicas: 0}}
    - {name: late, queue: b.c, submit: 1h, maps: {tasks: 1, time: 1s, replicas: 0}}
scheduler: {kind: yarn-fair, assignMultiple: true, queues: [{name: a}, {name: b}, {name: b.c}]}
`;

interface Told {
  readonly us: number;
  readonly shares: readonly { readonly reason: string; readonly us: number; readonly by: number | null }[];
  readonly parts: readonly { readonly name: string; readonly fromUs: number; readonly toUs: number }[];
}

let place: Place;
beforeAll(async () => {
  place = new Place();
  place.write("s.yaml", SCENARIO);
  const run = await place.bide("run", "s.yaml", "--quiet", "--out", "with", "--log", "decisions");
  expect(run).toMatchObject({ code: 0, stderr: "" });
});
afterAll(() => {
  place.remove();
});

async function told(...args: string[]): Promise<Told> {
  const { code, stdout, stderr } = await place.bide("explain", "with", "--json", ...args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout) as Told;
}

describe("bide explain of a run of YARN", () => {
  it("says where the time of a job went: its master, its maps, then its reduces", async () => {
    const job = await told("--job", "etl");
    expect(job.parts.map(({ name }) => name)).toEqual([null, "map", "reduce"]);
    expect(job.parts.slice(1).map(({ fromUs }) => fromUs)).toEqual(job.parts.slice(0, 2).map(({ toUs }) => toUs));
    expect(job.shares.reduce((sum, { us }) => sum + us, 0)).toBe(job.us);
    const reduces = await told("--stage", "etl/reduce");
    expect(reduces.shares.map(({ reason }) => reason)).toContain("parents");
    expect(job.shares.map(({ reason }) => reason)).not.toContain("parents");
  });

  it("says who had what a job lacked", async () => {
    const { shares } = await told("--job", "report");
    expect(shares[0]).toMatchObject({ reason: "share", by: 0 });
  });

  it("adds up the jobs of a queue, and of those below it", async () => {
    const [all, b, c, one, two, etl] = await Promise.all(
      [[], ["--queue", "root.b"], ["--queue", "root.b.c"], ["--job", "1"], ["--job", "2"], ["--job", "0"]].map(
        async (args) => told(...args),
      ),
    );
    expect(b!.us).toBe(c!.us);
    expect(b!.us).toBe(one!.us + two!.us);
    expect(all!.us).toBe(b!.us + etl!.us);
  });

  it.each([
    ["--job", "report"],
    ["--pool", "root.a"],
    ["--queue", "root.d"],
    ["--stage", "report/reduce"],
  ])("answers to %s %s", async (...args) => {
    expect(await place.bide("explain", "with", ...args)).toMatchSnapshot();
  });
});
