/**
 * The scale of settings: adds one invented setting of YARN, one of Spark and one of Hadoop to a scratch copy of this
 * project, checks that each works from scenario and configuration file to the engine, and counts the files touched by
 * hand. Generated ones are listed after them, and tests are not counted.
 *
 *   node tools/setting-scale.mjs [--json]   (minutes: it builds)
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const SCHEMA = "scenarios/scenario.schema.json";
const PAGES = ["docs/formats/scenario.md", "docs/schedulers/spark.md", "docs/schedulers/yarn.md"];

/** Edits are `[file, anchor, text]`: the text goes behind the anchor, which the file has once. */
const SETTINGS = [
  {
    platform: "yarn",
    key: "leastOffers",
    record: ["settings", "localityLeastOffers"],
    value: 7,
    sets: 7,
    refused: -1,
    scenario: "yarn/locality-delay",
    with: ["scheduler={kind: yarn-fair, thresholdNode: 0, thresholdRack: 0}"],
    file: ["site", "<configuration><property><name>NAME</name><value>7</value></property></configuration>"],
    property: "yarn.scheduler.fair.locality.least-offers",
    edits: [
      [
        "src/core/platforms/yarn/fair/settings.ts",
        'means: "part of the nodes whose offers are passed over for the rack",\n  },\n',
        '  localityLeastOffers: {\n    key: "leastOffers",\n    property: "yarn.scheduler.fair.locality.least-offers",\n    type: "skips",\n    default: 0,\n    says: "Offers passed over at least.",\n    means: "offers passed over at least",\n  },\n',
      ],
      [
        "src/core/platforms/yarn/fair/scheduler.ts",
        "private allowedLevel(ask: Ask, nowUs: number): YarnLevel {\n    const { settings } = this;\n",
        "    if (ask.opportunities < settings.localityLeastOffers) return NODE_LOCAL;\n",
      ],
    ],
  },
  {
    platform: "spark",
    key: "leastWait",
    record: ["waitLeastUs"],
    value: 30_000_000,
    sets: "30s",
    refused: "-1s",
    scenario: "spark/locality-wait",
    with: ["scheduler.wait=0s"],
    file: ["conf", "NAME 30s"],
    property: "spark.locality.wait.least",
    edits: [
      [
        "src/core/platforms/spark/settings.ts",
        'means: "failures of one task after which its job fails",\n  },\n',
        '  waitLeastUs: {\n    key: "leastWait",\n    property: "spark.locality.wait.least",\n    type: "waitUs",\n    default: 0,\n    says: "For a host, whatever wait.",\n    means: "time that a task waits for a host at least",\n  },\n',
      ],
      [
        "src/core/platforms/spark/task-set.ts",
        'partialBarrier === "undo") return 0;\n',
        "    if (level === NODE_LOCAL && waitNodeUs < this.settings.waitLeastUs) return this.settings.waitLeastUs;\n",
      ],
    ],
  },
  {
    platform: "hadoop",
    key: "leastWait",
    record: ["leastWaitUs"],
    value: 20_000_000,
    sets: "20s",
    refused: "-1s",
    scenario: "tiny",
    with: ["scheduler={kind: hfs, wait: none}"],
    edits: [
      [
        "src/core/scenario/scheduler-spec.ts",
        'scenarioRow(MOST_TASKS, "Most reduces handed out on one heartbeat.", Infinity),\n',
        '  leastWaitUs: scenarioRow(["duration", 0, LIMITS.waitUs], "Wait of jobs that have no other.", 0),\n',
      ],
      [
        "src/core/platforms/hadoop/scheduler/build-pool-scheduler.ts",
        "rules.reduceSlotsMoveWaits);\n",
        '  const leastUs = spec.leastWaitUs;\n  if (wait.kind === "none" && leastUs > 0) return timed(amounts(leastUs, leastUs, leastUs));\n',
      ],
    ],
  },
];

const copy = mkdtempSync(join(tmpdir(), "bide-scale-"));
const run = (command, ...words) => execFileSync(command, words, { cwd: copy, encoding: "utf8", maxBuffer: 1 << 26 });

function apply([file, anchor, text]) {
  const parts = readFileSync(join(copy, file), "utf8").split(anchor);
  assert.equal(parts.length, 2, `${file} has this ${parts.length - 1} times, not once: ${anchor}`);
  writeFileSync(join(copy, file), parts.join(anchor + text));
}

/** Fails unless the setting holds from end to end in the compiled copy. */
async function check({ platform, key, record, value, sets, refused, scenario, file, property, ...rest }) {
  const load = (name) => import(pathToFileURL(join(copy, "dist", name, "index.js")).href);
  const [{ loadAnyScenario, platformJsonSchema }, { runScenario }] = [await load("io"), await load("lab")];
  const read = (...set) => loadAnyScenario(join(copy, `scenarios/${scenario}.yaml`), { set: [...rest.with, ...set] });
  const valueIn = (loaded) => record.reduce((part, field) => part[field], loaded.scenario.scheduler);
  const ranAs = async (loaded) =>
    (await runScenario(loaded.scenario, loaded.directory, { placement: 0 })).summary.fingerprint;
  const [plain, changed] = [read(), read(`scheduler.${key}=${sets}`)];
  assert.deepEqual([valueIn(plain), valueIn(changed)], [0, value], `${platform}: the resolved scenario`);
  assert.throws(() => read(`scheduler.${key}=${refused}`), new RegExp(`scheduler.${key}`), `${platform}: bounds`);
  assert.match(JSON.stringify(platformJsonSchema(platform)), new RegExp(`"${key}":\\{`), `${platform}: JSON Schema`);
  assert.notEqual(await ranAs(plain), await ranAs(changed), `${platform}: the engine`);
  if (file === undefined) return;
  const [name, text] = file;
  writeFileSync(join(copy, "configured"), text.replace("NAME", property));
  assert.equal(valueIn(read(`scheduler.${name}=${join(copy, "configured")}`)), value, `${platform}: ${property}`);
}

try {
  execFileSync("git", ["checkout-index", "--all", `--prefix=${copy}/`], { cwd: ROOT });
  symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"));
  if (existsSync(join(ROOT, "dist"))) cpSync(join(ROOT, "dist"), join(copy, "dist"), { recursive: true });
  for (const edit of SETTINGS.flatMap(({ edits }) => edits)) apply(edit);
  run(process.execPath, "node_modules/typescript/bin/tsc", "-b");
  const figures = [];
  for (const setting of SETTINGS) {
    await check(setting);
    const files = [...new Set(setting.edits.map(([file]) => file))];
    const lines = setting.edits.reduce((sum, [, , text]) => sum + text.split("\n").length - 1, 0);
    figures.push({ platform: setting.platform, files: files.length, insertions: lines, touched: files });
  }
  writeFileSync(join(copy, SCHEMA), run(process.execPath, "bin/bide.js", "schema", "scenario"));
  run(process.execPath, "tools/refresh-printed.mjs", ...PAGES);
  const isOther = (file) => readFileSync(join(ROOT, file), "utf8") !== readFileSync(join(copy, file), "utf8");
  const generated = [...PAGES, SCHEMA].filter(isOther);
  if (process.argv.includes("--json")) console.log(JSON.stringify({ settings: figures, generated }, null, 2));
  else {
    for (const { platform, files, insertions, touched } of figures)
      console.log(`${platform.padEnd(7)} ${files} files, ${insertions} lines: ${touched.join(", ")}`);
    console.log(`by tools ${generated.join(", ")}`);
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
