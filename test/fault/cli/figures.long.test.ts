import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Place } from "./command.js";

const EVIL = `</svg><script>'"|&`;
const SCENARIO = `
cluster: {racks: 2, nodesPerRack: 2}
workload:
  kind: jobs
  jobs:
    - {name: a, pool: ${JSON.stringify(EVIL)}, maps: 3, mapTime: 4s, count: 3, every: 2s}
    - {name: b, pool: plain, maps: 30, mapTime: 4s}
compare: {systems: [{name: ${JSON.stringify(EVIL)}, set: {scheduler: fifo}}, {name: b, set: {scheduler: fair}}]}
`;

let place: Place;
beforeAll(async () => {
  place = new Place();
  place.write("own.yaml", SCENARIO);
  await place.bide("compare", "own.yaml", "--seeds", "2", "--out", "compared", "--quiet");
  await place.bide("run", "own.yaml", "--out", "ran", "--quiet");
}, 60_000);
afterAll(() => {
  place.remove();
});

const bytes = (name: string): Buffer => readFileSync(join(place.path, name));
/** Width and height, as the SVG says. */
const sizeOf = (svg: string): number[] =>
  ["width", "height"].map((key) => Number(new RegExp(`^<svg[^>]* ${key}="(\\d+)`).exec(svg)?.[1]));

it.each([
  ["compared", "responseP95,nodeLocalAll"],
  ["ran", "cdf"],
  ["ran", "cdf,size"],
  ["ran", "cdf,pool"],
  ["ran", "timeline"],
])(
  "a figure of %s, %s, is the same SVG in a file, a PNG of twice its size, and a PDF of one page",
  async (folder, plot) => {
    const drawn = async (name: string): Promise<Buffer> => {
      await place.bide("results", folder, "--plot", plot, "--out", name, "--force");
      return bytes(name);
    };
    const { stdout } = await place.bide("results", folder, "--plot", plot);
    expect(stdout).toMatch(/^<svg .*<\/svg>\n$/s);
    expect(stdout).not.toContain("<script");
    expect((await drawn("f.svg")).toString()).toBe(stdout);
    const png = await drawn("f.png");
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual(sizeOf(stdout).map((pixels) => 2 * pixels));
    const pdf = await drawn("f.pdf");
    expect(pdf.toString("latin1").match(/\/Type \/Page\n/g)).toHaveLength(1);
    expect((await drawn("g.pdf")).equals(pdf)).toBe(true);
  },
);
