import { resolve } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Place } from "./command.js";

const EXAMPLE = resolve("scenarios/plugins/shortest-job-first.mjs");
const SCENARIO = `cluster: {racks: 1, nodesPerRack: 2, mapSlots: 1, reduceSlots: 1}
workload:
  kind: jobs
  jobs:
    - {name: big, pool: shop.etl, maps: 20, mapTime: 40s}
    - {name: twin, pool: shop.ads, at: 15s, maps: 1, mapTime: 5s}
    - {name: twig, pool: shop.ads, at: 16s, maps: 1, mapTime: 5s}
scheduler: {kind: hfs, pools: {shop: {pools: {etl: {}, ads: {}}}}}
run: {until: 201s}
`;

interface Told {
  readonly waitUs: number;
  readonly shares: readonly { readonly reason: string; readonly by?: string; readonly us: number }[];
  readonly chain?: readonly { readonly fromUs: number; readonly toUs: number }[];
}

let place: Place;
beforeAll(async () => {
  place = new Place();
  place.write("s.yaml", SCENARIO);
  const run = ["run", "s.yaml", "--quiet", "--log", "decisions", "--tasks", "--out"];
  expect(await place.bide(...run, "with")).toMatchObject({ code: 0, stderr: "" });
  const plugged = await place.bide(...run, "plugged", "--plugin", EXAMPLE, "--set", "scheduler=shortest-job");
  expect(plugged).toMatchObject({ code: 0, stderr: "" });
});
afterAll(() => {
  place.remove();
});

const sumOf = ({ shares }: Told): number => shares.reduce((sum, { us }) => sum + us, 0);
async function told(...args: string[]): Promise<Told> {
  return JSON.parse((await place.bide("explain", ...args, "--json")).stdout) as Told;
}

it.each(["with", "plugged"])("the shares of a wait sum to it, also of a user's own scheduler: %s", async (folder) => {
  for (const one of [
    ["--job", "1", "--chain"],
    ["--task", "big/19", "--chain"],
    ["--pool", "shop.ads"],
  ]) {
    const { waitUs, chain, ...rest } = await told(folder, ...one);
    expect(sumOf({ waitUs, ...rest })).toBe(waitUs);
    if (chain !== undefined) expect(chain.reduce((sum, { fromUs, toUs }) => sum + toUs - fromUs, 0)).toBe(waitUs);
  }
});

it.each(["fifo", "fair", "delay", "hfs", "capacity", "dsfs", "kill", "partition", "offers", "quincy"])(
  "--log decisions leaves the fingerprint of %s as it is, on any threads",
  async (kind) => {
    const prints = [];
    for (const [i, more] of [[], ["--log", "decisions", "--threads", "2"]].entries()) {
      const out = ["--quiet", "--out", `${kind}-${i}`];
      const run = await place.bide("run", "good.yaml", "--json", "--set", `scheduler=${kind}`, ...out, ...more);
      prints.push((JSON.parse(run.stdout) as { fingerprint: string }).fingerprint);
    }
    expect(prints[1]).toBe(prints[0]);
  },
);
