import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Place } from "./command.js";

const EVIL = `</svg><script>'"|&`;

const SCENARIO = `
name: own
cluster: {racks: 2, nodesPerRack: 2}
workload:
  kind: jobs
  jobs:
    - {name: a, pool: ${JSON.stringify(EVIL)}, maps: 3, mapTime: 4s, count: 3, every: 2s}
    - {name: b, pool: plain, maps: 30, mapTime: 4s}
compare:
  systems:
    - {name: ${JSON.stringify(EVIL)}, set: {scheduler: fifo}}
    - {name: ${"long".repeat(24)}, set: {scheduler: fair}}
`;

let place: Place;
beforeAll(async () => {
  place = new Place();
  writeFileSync(join(place.path, "own.yaml"), SCENARIO);
  for (const args of [
    ["compare", "own.yaml", "--seeds", "2", "--out", "compared", "--quiet"],
    ["run", "own.yaml", "--out", "ran", "--quiet"],
  ]) {
    expect(await place.bide(...args)).toMatchObject({ code: 0, stderr: "" });
  }
}, 60_000);
afterAll(() => {
  place.remove();
});

const bytes = (name: string): Buffer => readFileSync(join(place.path, name));

/** Width and height as the first chunk of a PNG has them. */
const sizeOfPng = (name: string): number[] => [bytes(name).readUInt32BE(16), bytes(name).readUInt32BE(20)];

/** As the SVG says. */
const sizeOfSvg = (svg: string): number[] =>
  ["width", "height"].map((key) => Number(new RegExp(`^<svg[^>]* ${key}="(\\d+)`).exec(svg)?.[1]));

const PLOTS = [
  ["compared", "responseP95,nodeLocalAll"],
  ["ran", "cdf"],
  ["ran", "cdf,size"],
  ["ran", "cdf,pool"],
  ["ran", "timeline"],
] as const;

describe("a figure", () => {
  const drawn = async (folder: string, plot: string, name: string): Promise<void> => {
    const made = await place.bide("results", folder, "--plot", plot, "--out", name);
    expect(made).toMatchObject({ code: 0, stdout: "", stderr: `Written to ${name}\n` });
  };

  it.each(PLOTS)("of %s, %s, is an SVG, and a PNG of twice its size", async (folder, plot) => {
    const { stdout, code } = await place.bide("results", folder, "--plot", plot);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^<svg .*<\/svg>\n$/s);
    expect(stdout).not.toContain("<script");
    const name = `${folder}-${plot.replace(",", "-")}.png`;
    await drawn(folder, plot, name);
    expect(bytes(name).subarray(1, 4).toString()).toBe("PNG");
    expect(sizeOfPng(name)).toEqual(sizeOfSvg(stdout).map((pixels) => 2 * pixels));
  });

  it.each([PLOTS[0], PLOTS[4]])("of %s, %s, is the same SVG in a file, and a PDF of one page", async (folder, plot) => {
    await drawn(folder, plot, `${folder}.svg`);
    expect(bytes(`${folder}.svg`).toString()).toBe((await place.bide("results", folder, "--plot", plot)).stdout);
    await drawn(folder, plot, `${folder}.pdf`);
    const pdf = bytes(`${folder}.pdf`).toString("latin1");
    expect([pdf.startsWith("%PDF-"), pdf.trimEnd().endsWith("%%EOF"), pdf.match(/\/Type \/Page\n/g)?.length]).toEqual([
      ...[true, true, 1],
    ]);
    await drawn(folder, plot, `${folder}-again.pdf`);
    expect(bytes(`${folder}-again.pdf`).equals(bytes(`${folder}.pdf`))).toBe(true);
  });

  it("of a comparison can be drawn at once, and says so; its tables are of the measures that it shows", async () => {
    const made = await place.bide("compare", "own.yaml", "--seeds", "2", "--plot", "nodeLocalAll", "--out", "c.png");
    expect(made.code).toBe(0);
    expect(made.stderr).toContain("Figure written to c.png\n");
    expect(made.stdout).not.toContain("Response time");
    const { stdout } = await place.bide("compare", "own.yaml", "--seeds", "2", "--plot", "nodeLocalAll", "--quiet");
    expect(stdout).toMatch(/^<svg /);
    const partly = await place.bide("compare", "own.yaml", "--seeds", "2", "--plot", "kills,nodeLocalAll");
    expect(partly.stdout).toMatch(/^<svg /);
    expect(partly.stderr).toContain("note: no run has a value of kills, so it is not drawn\n");
    const wrong = await place.bide("compare", "own.yaml", "--seeds", "2", "--plot", "nodeLocalAl");
    expect([wrong.code, wrong.stderr.split("\n").length]).toEqual([2, 2]);
    expect(wrong.stderr).toMatch(/^--plot: found "nodeLocalAl", allowed .*; did you mean "nodeLocalAll"\?\n$/);
  });

  it("of one system with all of something has no axis beyond all", async () => {
    place.write(
      "one.yaml",
      `platform: yarn
cluster: { nodes: 1 }
workload: { kind: jobs, jobs: [{ name: a, maps: { tasks: 4, time: 5s, replicas: 1 } }] }
scheduler: { kind: yarn-fair }
compare: { systems: [{ name: "só → 日本🚀" }] }
`,
    );
    const args = ["compare", "one.yaml", "--seeds", "1", "--quiet", "--plot", "nodeLocalAll"];
    const { stdout, code } = await place.bide(...args);
    expect(code).toBe(0);
    const ticks = [...stdout.matchAll(/<text [^>]*>([\d.]+)<\/text>/g)].map(([, value]) => Number(value));
    expect(ticks).toContain(100);
    expect(Math.max(...ticks)).toBe(100);
    const made = await place.bide(...args, "--out", "one.png");
    expect(made.stderr).toContain(
      'note: PNG has no letters for "日本🚀", and shows boxes; an SVG has them from the fonts of who opens it\n',
    );
    expect((await place.bide(...args, "--out", "one.svg")).stderr).not.toContain("note: PNG");
  });

  it("is a table in LaTeX where that is the format, and of the file's ending", async () => {
    for (const args of [
      ["compare", "own.yaml", "--seeds", "2", "--quiet"],
      ["results", "compared"],
      ["results", "compared", "--sql", "SELECT * FROM comparison"],
    ]) {
      const { code, stdout } = await place.bide(...args, "--format", "latex");
      expect(code).toBe(0);
      expect(stdout).toContain("\\textquotedbl{}\\textbar{}\\&");
      for (const line of stdout.split("\n")) expect(line.replace(/\\[&%]/g, "")).toMatch(/^(%.*|[^%]*)$/);
      expect(stdout.match(/\\begin/g)?.length).toBe(stdout.match(/\\end/g)?.length);
    }
    const made = await place.bide("results", "compared", "--format", "latex", "--out", "t.tex");
    expect(made).toMatchObject({ code: 0, stderr: "Written to t.tex\n" });
    const refused = await place.bide("results", "compared", "--format", "latex", "--out", "t.md");
    expect(refused.stderr).toMatch(/found the ending \.md, allowed \.tex/);
  });

  it("has the title and the size that it is given", async () => {
    const args = ["results", "ran", "--plot", "cdf", "--title", EVIL, "--size", "300x120"];
    const { stdout } = await place.bide(...args);
    expect(stdout).toContain("&lt;/svg&gt;&lt;script&gt;");
    const [width, height] = sizeOfSvg(stdout);
    expect(width).toBeGreaterThan(300);
    expect(width).toBeLessThan(450);
    expect(height).toBeGreaterThan(120);
    expect(height).toBeLessThan(340);
  });

  it.each([
    [["results", "ran", "--plot", "cdf", "--out", "x.gif"], /found the ending \.gif, allowed \.svg, \.png, \.pdf/],
    [["compare", "own.yaml", "--plot", "responseP95", "--out", "x.json"], /found the ending \.json/],
    [
      ["results", "ran", "--plot", "W1,responseP95"],
      /--plot: found "W1,responseP95" for a run, allowed cdf; cdf,size;/,
    ],
    [["results", "compared", "--plot", "nodeLocal"], /--plot: found "nodeLocal", allowed measures .*did you mean/],
    [["compare", "own.yaml", "--plot", "kills"], /--plot: found kills without a value, allowed measures with values/],
    [["compare", "own.yaml", "--plot", "nodeLocal"], /found "nodeLocal", allowed .*nodeLocalSmall/],
    [["results", "ran", "--title", "x"], /--title: found no --plot/],
    [["compare", "own.yaml", "--size", "400x300"], /--size: found no --plot/],
    [["results", "ran", "--plot", "cdf", "--size", "0x300"], /allowed WIDTHxHEIGHT in pixels/],
    [["results", "ran", "--plot", "cdf", "--size", "99999x300"], /allowed WIDTHxHEIGHT in pixels/],
    [["results", "ran", "--plot", "cdf", "--size", "big"], /allowed WIDTHxHEIGHT in pixels/],
    [["compare", "own.yaml", "--plot", "kills", "--report"], /--report: /],
  ])("%j: refused before anything is computed", async (args, message) => {
    const { code, stdout, stderr } = await place.bide(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(message);
  });
});
