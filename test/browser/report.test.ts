import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";

const BIDE = new URL("../../bin/bide.js", import.meta.url).pathname;

const FLAGS = [
  ...["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"],
  ...["--disable-background-networking", "--disable-component-update", "--disable-sync"],
];

/** Names that would do something, were they taken for more than names. */
const HOSTILE = [
  "<script>window.hit=1</script>",
  `"'><img src=x onerror=window.hit=1>`,
  "من اليمين إلى اليسار",
  // Longer ones, and control characters, are refused when a scenario is read.
  "n".repeat(100),
];

/** A curve, bars with bounds, quantiles, and rows by themselves; one of each verdict; names that would do something. */
function scorecard() {
  const row = (id: string, unit: string, published: object, measured: number | null, verdict: string) => ({
    id,
    experiment: id.split(".")[0],
    kind: "shape",
    what: HOSTILE[0],
    unit,
    published,
    tolerance: "value" in published ? { relative: 0.15 } : {},
    source: HOSTILE[1],
    confidence: 5,
    verdict,
    measured,
    halfWidth: 0.02 * (measured ?? 0),
    judgedBy: "value" in published ? "value" : "bound",
    ourBound: null,
    nullModel: null,
    values: [],
    singleRun: null as object | null,
    why: verdict === "within" ? "" : HOSTILE[2],
  });
  const rows = [
    ...[5, 10, 20].map((n) => row(`fig3.n${n}`, "share", { value: 1 / n }, 1 / n, "within")),
    row("fig6.bin1", "share", { atLeast: 0.97 }, 0.99, "within"),
    {
      ...row("fig6.bin2", "share", { value: 0.5 }, 0.9, "missed"),
      singleRun: { low: 0.4, high: 1, isInside: true },
      nullModel: { value: 1, verdict: "missed" },
    },
    row("fig5.fair-small-p50", "seconds", { value: 20 }, 30, "missed"),
    row("fig5.fair-small-max", "seconds", { value: 90 }, 91, "within"),
    row("fig5.hfs-small-p50", "seconds", { value: 10 }, 11.6, "undecided"),
    row(`law.${HOSTILE[0]}`, "ratio", { value: 1 }, 1.01, "within"),
    { ...row(`law.${HOSTILE[3].repeat(100)}`, "ratio", { value: 1 }, 9, "missed"), kind: "fitted" },
    { ...row("gone.a", "ratio", {}, null, "missing"), kind: "missing" },
  ];
  return { format: "bide-scorecard", version: 2, scores: {}, rows };
}

let folder: string;
let browser: Browser;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "bide-browser-"));
  const jobs = HOSTILE.map((name, i) => ({
    name,
    user: name,
    pool: `p${i}`,
    maps: 20,
    mapTime: "20s",
    at: `${i}s`,
  }));
  const scenario = {
    name: "hostile",
    cluster: { racks: 2, nodesPerRack: 4, mapSlots: 2, reduceSlots: 1 },
    workload: { kind: "jobs", jobs },
    scheduler: { kind: "hfs" },
    run: { sample: "2s" },
  };
  writeFileSync(join(folder, "hostile.yaml"), JSON.stringify(scenario));
  const long = "n".repeat(2000);
  const systems = HOSTILE.map((name, i) => ({
    name,
    why: long,
    set: { scheduler: ["fifo", "fair", "delay", "hfs"][i] },
  }));
  writeFileSync(join(folder, "compared.yaml"), JSON.stringify({ ...scenario, why: long, compare: { systems } }));
  const axis = (name: string, path: string, values: readonly unknown[]) => ({
    name,
    path,
    values,
    labels: HOSTILE.slice(0, values.length),
  });
  const sweep = {
    name: "hostile",
    why: long,
    scenario: "hostile.yaml",
    replications: 2,
    axes: [
      { name: "slots", path: "cluster.mapSlots", values: [1, 2, 3] },
      axis("wait", "scheduler.wait.node", ["0s", "5s"]),
      axis("kind", "cluster.reduceSlots", [1, 2, 3]),
    ],
  };
  writeFileSync(join(folder, "sweep.yaml"), JSON.stringify(sweep));
  const bide = (...args: string[]) => execFileSync(process.execPath, [BIDE, ...args], { cwd: folder });
  bide("run", "hostile.yaml", "--quiet", "--tasks", "--report", "--out", "one");
  bide("run", "hostile.yaml", "--quiet", "--seed", "2", "--set", "scheduler=fifo", "--out", "two");
  bide("report", "one", "two", "--out", "both.html");
  bide("compare", "compared.yaml", "--quiet", "--seeds", "3", "--report", "--out", "compared");
  const vary = { "cluster.mapSlots": [1, 2], "cluster.reduceSlots": [1, 2] };
  const two = { ...scenario, compare: { vary, systems: systems.slice(0, 3) } };
  writeFileSync(join(folder, "varied.yaml"), JSON.stringify(two));
  bide("compare", "varied.yaml", "--quiet", "--seeds", "2", "--report", "--out", "varied");
  // No scenario has names of 10,000 characters; a file that somebody else wrote may.
  const written = join(folder, "compared/comparison.json");
  const other = JSON.parse(readFileSync(written, "utf8")) as { scenario: string; notes: string[] };
  [other.scenario, other.notes] = ["<b>".repeat(3300), [...HOSTILE, "n".repeat(10_000)]];
  writeFileSync(written, JSON.stringify(other));
  bide("report", "compared", "--force");
  writeFileSync(join(folder, "card.json"), JSON.stringify(scorecard()));
  bide("report", "card.json");
  bide("sweep", "sweep.yaml", "--quiet", "--threads", "1", "--report", "--out", "swept");
  browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: FLAGS });
});

afterAll(async () => {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The page, once it has been drawn; what it asked for and complained of meanwhile. */
async function opened(file: string, width: number, colorScheme: "light" | "dark") {
  const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme, acceptDownloads: true });
  const troubles: string[] = [];
  page.on("console", (message) => troubles.push(message.text()));
  page.on("pageerror", (error) => troubles.push(error.message));
  page.on("request", (request) => {
    if (request.url() !== `file://${join(folder, file)}` && !/^(data|blob):/.test(request.url()))
      troubles.push(request.url());
  });
  await page.goto(`file://${join(folder, file)}`);
  await page.waitForSelector("figure svg");
  return { page, troubles };
}

const RUN = "one/report.html";
const COMPARED = "compared/report.html";
const VARIED = "varied/report.html";
const SWEPT = "swept/report.html";
const CARD = "card.html";

/** In the browser: the pixels of a PNG that are no shade of grey. The page lets `data:` pictures in. */
const COLOURED_PIXELS = `async function colouredPixels(png) {
  const picture = new Image();
  picture.src = "data:image/png;base64," + png;
  await picture.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [picture.width, picture.height];
  const context = canvas.getContext("2d");
  context.drawImage(picture, 0, 0);
  const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
  let coloured = 0;
  for (let i = 0; i < data.length; i += 4) {
    const [red, green, blue] = data.subarray(i, i + 3);
    if (Math.max(red, green, blue) - Math.min(red, green, blue) > 60) coloured++;
  }
  return coloured;
}`;

/** Of each chart, how many shapes it has drawn, and how many pixels of it have a colour of marks. */
async function drawn(page: Page): Promise<{ id: string; shapes: number; pixels: number }[]> {
  const found = [];
  await page.evaluate(`globalThis.colouredPixels = ${COLOURED_PIXELS}`);
  for (const figure of await page.locator("figure:has(.chart)").all()) {
    const png = (await figure.locator(".chart").screenshot()).toString("base64");
    // The CSP of the page lets data: pictures in.
    const pixels = await page.evaluate<number>(`colouredPixels(${JSON.stringify(png)})`);
    found.push({
      id: (await figure.getAttribute("id")) ?? "",
      shapes: await figure.locator(".chart svg path").count(),
      pixels,
    });
  }
  return found;
}

const VIEWS = [
  [1280, "light"],
  [390, "dark"],
] as const;

it.each(
  [
    [RUN, ["responses", "locality", "pools", "utilisation", "fairness", "backlog", "waits", "heat", "gantt"]],
    [
      "both.html",
      ["runs", "responses", "locality", "pools", "utilisation", "fairness", "backlog", "waits", "heat", "gantt"],
    ],
    [COMPARED, ["systems", "differences"]],
    [VARIED, ["points", "systems", "differences"]],
    [SWEPT, ["curves", "heat-map"]],
    [CARD, ["fig3-1", "fig5-1", "fig6-1", "law-1"]],
  ].flatMap(([file, ids]) =>
    VIEWS.map(([width, scheme]) => ({ file: file as string, ids: ids as string[], width, scheme })),
  ),
)("$file at $width px, $scheme: every chart is drawn, nothing is asked for, names stay names", async (view) => {
  const { page, troubles } = await opened(view.file, view.width, view.scheme);
  const charts = await drawn(page);
  expect(charts.map(({ id }) => id.replace("figure-", ""))).toEqual(view.ids);
  for (const chart of charts) {
    expect(chart, chart.id).toMatchObject({ shapes: expect.toSatisfy((count: number) => count > 4) as number });
    expect(chart.pixels, chart.id).toBeGreaterThan(60);
  }
  expect(await page.evaluate("window.hit")).toBeUndefined();
  // Of scripts, that of the page and its data alone; no name has become an element.
  expect(await page.locator("script").count()).toBe(2);
  expect(await page.locator("main img, main iframe, main a").count()).toBe(0);
  expect(await page.evaluate<number>("document.documentElement.scrollWidth")).toBeLessThanOrEqual(view.width);
  expect(troubles).toEqual([]);
  await page.close();
});

/** Texts of tooltips that are seen. */
async function tips(page: Page): Promise<string[]> {
  return page.locator(".tip:visible").allInnerTexts();
}

it.each([
  [RUN, "responses", 'path[fill="#fff"], path[fill="#ffffff"]'],
  [COMPARED, "systems", ""],
  [SWEPT, "heat-map", ""],
  [CARD, "fig6-1", ""],
  [CARD, "law-1", ""],
])("%s: a tooltip is where the pointer is", async (file, id) => {
  const { page, troubles } = await opened(file, 1280, "light");
  const chart = page.locator(`#figure-${id} .chart`);
  await chart.scrollIntoViewIfNeeded();
  // Over one shape after the other, the smallest first, until one is a mark.
  const places = await chart.locator("svg path").evaluateAll((paths) =>
    paths
      .map((path) => path.getBoundingClientRect())
      .filter(({ width, height }) => width > 0 && height > 0)
      .sort((a, b) => a.width * a.height - b.width * b.height)
      .map(({ x, y, width, height }) => [x + width / 2, y + height / 2] as const),
  );
  let found: string[] = [];
  for (const [x, y] of places) {
    await page.mouse.move(x, y);
    found = await tips(page);
    if (found.length > 0) break;
  }
  expect(found.join("").length).toBeGreaterThan(5);
  expect(await page.evaluate("window.hit")).toBeUndefined();
  expect(troubles).toEqual([]);
  await page.close();
});

it("the pointer over one chart of time is told by the others, and they zoom together", async () => {
  const { page, troubles } = await opened(RUN, 1280, "light");
  const chart = page.locator("#figure-utilisation .chart");
  await chart.scrollIntoViewIfNeeded();
  const box = (await chart.boundingBox())!;
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await expect.poll(async () => page.locator("#figure-fairness .tip").count()).toBe(1);
  const ticks = (id: string): Promise<string> => page.locator(`#figure-${id} .chart svg`).first().innerHTML();
  await page.mouse.move(0, 0);
  const before = { utilisation: await ticks("utilisation") };
  const texts = (id: string) => page.locator(`#figure-${id} .chart svg text`).allTextContents();
  const whole = await texts("fairness");
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.keyboard.down("Control");
  await page.mouse.wheel(0, -300);
  await expect.poll(() => ticks("utilisation")).not.toBe(before.utilisation);
  await expect.poll(() => texts("fairness")).not.toEqual(whole);
  await page.mouse.wheel(0, 3000);
  await expect.poll(() => texts("fairness")).toEqual(whole);
  expect(troubles).toEqual([]);
  await page.close();
});

it.each([
  [RUN, "utilisation"],
  [COMPARED, "systems"],
  [SWEPT, "curves"],
  [CARD, "fig5-1"],
])("%s: a press on the legend hides a series, and another shows it again", async (file, id) => {
  const { page } = await opened(file, 1280, "dark");
  const figure = page.locator(`#figure-${id}`);
  const shapes = () => figure.locator(".chart svg path").count();
  const before = await shapes();
  await figure.scrollIntoViewIfNeeded();
  const { x, y } = (await figure.locator(".chart svg").first().boundingBox())!;
  await page.mouse.click(x + 24, y + 12);
  await expect.poll(shapes).toBeLessThan(before);
  await page.mouse.click(x + 24, y + 12);
  await page.mouse.move(0, 0);
  await expect.poll(shapes).toBe(before);
  await page.close();
});

it.each([RUN, "both.html", COMPARED, SWEPT, CARD])(
  "%s: the keyboard reaches every control, in the order of the page",
  async (file) => {
    const { page } = await opened(file, 1280, "light");
    const controls = await page.locator("main :is(button, select, [tabindex]):visible").count();
    const reached = new Set<string>();
    for (let press = 0; press < controls; press++) {
      await page.keyboard.press("Tab");
      reached.add(
        await page.evaluate<string>(
          `[...document.querySelectorAll("main :is(button, select, [tabindex])")].indexOf(document.activeElement).toString()`,
        ),
      );
    }
    expect(reached.has("-1")).toBe(false);
    expect(reached.size).toBe(controls);
    // A name for each, for readers who do not see it.
    const nameless = await page.$$eval(
      "main :is(button, select, [tabindex])",
      (all) =>
        all.filter(
          (one) =>
            (one.getAttribute("aria-label") ?? one.closest("label")?.textContent ?? one.textContent ?? "").trim() ===
            "",
        ).length,
    );
    expect(nameless).toBe(0);
    await page.close();
  },
);

it.each([RUN, COMPARED, SWEPT, CARD])("%s: gives each figure as SVG and its data as CSV", async (file) => {
  let { page, troubles } = await opened(file, 1280, "light");
  const figures = await page.locator("figure").count();
  for (let at = 0; at < figures; at++) {
    // The browser asks its user before a page saves an eleventh file.
    if (at > 0 && at % 4 === 0) {
      await page.close();
      ({ page, troubles } = await opened(file, 1280, "light"));
    }
    const figure = page.locator("figure").nth(at);
    for (const kind of ["SVG", "CSV"]) {
      const button = figure.getByRole("button", { name: `download as ${kind}` });
      if ((await button.count()) === 0) continue;
      const download = page.waitForEvent("download");
      await button.press("Enter");
      const text = readFileSync(await (await download).path(), "utf8");
      if (kind === "SVG") {
        expect(text).toMatch(/^<svg/);
        expect(text).not.toContain("<script");
        // It is XML: a browser reads it.
        const parse = `new DOMParser().parseFromString(${JSON.stringify(text)}, "image/svg+xml")`;
        const parsed = await page.evaluate<string>(`${parse}.documentElement.nodeName`);
        expect(parsed).toBe("svg");
      } else {
        expect(text.trim().split("\n").length).toBeGreaterThan(1);
        expect(text).not.toMatch(/undefined|NaN|\[object/);
      }
    }
    expect(troubles).toEqual([]);
  }
  await page.close();
});

it("every choice of every figure can be drawn", async () => {
  for (const file of [RUN, COMPARED, VARIED, SWEPT, CARD]) {
    const { page, troubles } = await opened(file, 390, "dark");
    for (const select of await page.locator("figure select:visible").all()) {
      const options = await select.locator("option").count();
      for (let index = 0; index < Math.min(options, 30); index++) {
        await select.selectOption({ index }, { force: true });
      }
    }
    expect(troubles).toEqual([]);
    await page.close();
  }
});
