/* eslint-disable no-control-regex -- they are what is looked for */
// Feeds damaged files and messages to every reader: each must refuse them in its own words, in bounded time and memory.
// Half of what has a structure is damaged in its bytes, half in its structure: then checksum, signature and packing are
// right, and what is inside is read.
//   npm run fuzz -- --inputs 100000 --seed 1
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Worker, isMainThread, parentPort, workerData } from "node:worker_threads";
import { gunzipSync, gzipSync } from "node:zlib";
import { Packr } from "msgpackr/pack";
import seedrandom from "seedrandom";
import { parse as parseYaml } from "yaml";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
/** One input may take so long, on a machine that others use too. */
const MOST_MS = 20_000;
const MOST_HEAP_MB = 1024;

async function main() {
  const { values } = parseArgs({
    options: {
      inputs: { type: "string", default: "10000" },
      seed: { type: "string", default: "1" },
      reader: { type: "string" },
    },
  });
  const inputs = Number(values.inputs);
  if (!(Number.isInteger(inputs) && inputs > 0)) throw new Error(`--inputs: found ${values.inputs}, allowed a number`);
  const at = new Int32Array(new SharedArrayBuffer(8));
  const found = await new Promise((resolve) => {
    const worker = new Worker(new URL(import.meta.url), {
      workerData: { inputs, seed: values.seed, only: values.reader, at },
      resourceLimits: { maxOldGenerationSizeMb: MOST_HEAP_MB },
    });
    let last = [-1, performance.now()];
    const timer = setInterval(() => {
      const now = Atomics.load(at, 0);
      if (now !== last[0]) last = [now, performance.now()];
      else if (performance.now() - last[1] > MOST_MS) end(`input ${now} hangs`);
    }, 500);
    const end = (fault) => {
      clearInterval(timer);
      void worker.terminate();
      resolve(typeof fault === "string" ? { faults: [fault], counts: [] } : fault);
    };
    worker.on("message", end);
    worker.on("error", (error) => end(`input ${Atomics.load(at, 0)} ended the thread: ${error.stack ?? error}`));
  });
  for (const line of found.counts) console.log(line);
  for (const fault of found.faults) console.error(fault);
  console.log(`${inputs} inputs, seed ${values.seed}: ${found.faults.length} faults`);
  process.exit(found.faults.length === 0 ? 0 : 1);
}

async function work({ inputs, seed, only, at }) {
  const folder = mkdtempSync(join(tmpdir(), "bide-fuzz-"));
  try {
    const readers = (await allReaders(folder)).filter(({ name }) => only === undefined || name === only);
    for (const { name, trees = [], write, read } of readers) {
      for (const tree of trees) {
        try {
          await read(write(tree));
        } catch (error) {
          throw new Error(`${name} refuses what nobody damaged: ${error.message}`, { cause: error });
        }
      }
    }
    const tally = new Map(readers.map(({ name }) => [name, { read: 0, refused: 0 }]));
    const faults = [];
    for (let input = 0; input < inputs && faults.length < 20; input++) {
      Atomics.store(at, 0, input);
      const { name, corpus, trees, write, read } = readers[input % readers.length];
      // A stream for each input, so that any one can be repeated by itself.
      const random = seedrandom(`${seed} ${input}`);
      const isTree = trees !== undefined && random() < 0.5;
      const bytes = isTree ? write(damagedTree(trees, random)) : damaged(corpus ?? trees.map(write), random);
      try {
        await read(bytes);
        tally.get(name).read++;
      } catch (error) {
        if (isRefusal(error)) tally.get(name).refused++;
        else
          faults.push(
            `${name}, input ${input}, seed ${seed}: ${error?.stack ?? error}\n${JSON.stringify(bytes.toString("latin1").slice(0, 2000))}`,
          );
      }
    }
    const counts = [...tally].map(([name, { read, refused }]) => `${name.padEnd(16)} ${read} read, ${refused} refused`);
    parentPort.postMessage({ faults, counts });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** `RefusedFile` is an InputError that has the elements of its file. */
const REFUSALS = new Set(["InputError", "RefusedFile", "FrameError", "NotBelieved", "Refused"]);

/** Said in Bide's words, and nothing in it that could act on a terminal. */
function isRefusal(error) {
  if (!REFUSALS.has(error?.constructor?.name)) return false;
  return (
    error.message !== "" && !/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/.test(error.message)
  );
}

const BITS = [
  "",
  "\0",
  "\x1b]0;x\x07",
  "\u202e",
  "\xff",
  "\n",
  "\t",
  ",",
  '"',
  "<",
  "&a;",
  "]]>",
  "*a",
  "&a ",
  "- ",
  ": ",
  "{",
  "[",
  "!!js",
  "~",
  "-1",
];
const NUMBERS = [
  "0",
  "-0",
  "1e309",
  "NaN",
  ".inf",
  "9007199254740993",
  "1e-320",
  "4294967296",
  "36500d",
  "0x10",
  "1_000",
];

/** One of the corpus after some cuts, doublings, bits and numbers; now and then noise, or nothing. */
function damaged(corpus, random) {
  const below = (n) => Math.floor(random() * n);
  const one = (list) => list[below(list.length)];
  let bytes = Buffer.from(one(corpus));
  if (random() < 0.02) bytes = Buffer.from(Array.from({ length: below(300) }, () => below(256)));
  for (let times = 1 + below(4); times > 0; times--) {
    const from = below(bytes.length + 1);
    const to = Math.min(bytes.length, from + below(random() < 0.2 ? 400 : 12));
    const [before, middle, after] = [bytes.subarray(0, from), bytes.subarray(from, to), bytes.subarray(to)];
    const parts = [
      () => [before, after],
      () => [before, middle, middle, after],
      () => [before, Buffer.from(one(BITS), "utf8"), after],
      () => [before, Buffer.from([below(256)]), bytes.subarray(from + 1)],
      () => [before, Buffer.from(one(NUMBERS)), after],
      () => [before, Buffer.from(one(BITS).repeat(1 + below(2000))), after],
      () => {
        const text = bytes.toString("latin1");
        const numbers = [...text.matchAll(/\d+/g)];
        if (numbers.length === 0) return [bytes];
        const { index, 0: digits } = one(numbers);
        return [Buffer.from(`${text.slice(0, index)}${one(NUMBERS)}${text.slice(index + digits.length)}`, "latin1")];
      },
    ];
    bytes = Buffer.concat(one(parts)()).subarray(0, 1 << 18);
  }
  return bytes;
}

const numberOf = (value) => (typeof value === "number" ? value : 7);

/** Values of every type, the odd ones of each. A function is given what was there before. */
const VALUES = [
  null,
  true,
  0,
  -1,
  0.5,
  1e15,
  2 ** 53,
  1e308,
  -1e308,
  "",
  "x".repeat(5000),
  "\u001b]0;x\u0007\u202e\n",
  "../../../../etc/passwd",
  "\ud800",
  "NaN",
  "36500d",
  "-1s",
  "1e9GB",
  [],
  {},
  { $: "NaN" },
  { $: "Infinity" },
  { $: "object", entries: [["__proto__", { polluted: true }]] },
  (old) => [old],
  (old) => ({ a: old }),
  (old) => JSON.stringify(old),
  (old) => -numberOf(old),
  (old) => numberOf(old) * 1e6,
  (old) => numberOf(old) + 0.5,
  () => Array.from({ length: 3000 }, (_, i) => i),
  () => Array.from({ length: 300 }).reduce((inner) => [inner], 0),
];
const KEYS = ["__proto__", "constructor", "toString", "length", "", "x", "\u001b[2J", "0"];

/** One of the trees after some of its values, keys and elements have been lost, doubled, moved or replaced. */
function damagedTree(trees, random) {
  const below = (n) => Math.floor(random() * n);
  const one = (list) => list[below(list.length)];
  const root = { root: structuredClone(one(trees)) };
  for (let times = 1 + below(3); times > 0; times--) {
    const places = [];
    const walk = (parent) => {
      for (const key of Object.keys(parent)) {
        if (places.length < 20_000) places.push([parent, key]);
        if (typeof parent[key] === "object" && parent[key] !== null) walk(parent[key]);
      }
    };
    walk(root);
    const [parent, key] = one(places);
    const set = (value, at = key) =>
      Object.defineProperty(parent, at, { value, writable: true, enumerable: true, configurable: true });
    const isElement = Array.isArray(parent);
    one([
      () => set(replaced(parent[key])),
      () => set(replaced(parent[key])),
      () => (parent === root ? undefined : isElement ? parent.splice(Number(key), 1) : delete parent[key]),
      () => (isElement ? parent.splice(Number(key), 0, structuredClone(parent[key])) : set(parent[key], one(KEYS))),
      () => (isElement ? parent.splice(below(parent.length), 0, one([1, "x", {}])) : set(one([1, "x", {}]), one(KEYS))),
      () => {
        const [from, other] = one(places);
        set(structuredClone(from[other]));
      },
    ])();
  }
  return root.root;

  function replaced(old) {
    const value = one(VALUES);
    return typeof value === "function" ? value(old) : structuredClone(value);
  }
}

async function allReaders(folder) {
  const from = async (path) => import(`../dist/${path}.js`);
  const [scenarios, sweeps, regress, baselines, bench, kinds] = await Promise.all(
    [
      "io/scenario/load",
      "io/sweep/load-sweep",
      "io/regress/load-regress",
      "io/regress/baseline-file",
      "io/results/bench-schema",
      "io/file-kind",
    ].map(from),
  );
  const [allocations, capacity, explained, workloads, journal, plan, folders, tables, planned, runTask] =
    await Promise.all(
      [
        "io/allocations/read",
        "io/capacity/read",
        "io/explained-file",
        "io/workloads/load",
        "io/sweep/journal",
        "io/sweep/plan-file",
        "io/sweep/sweep-folder",
        "io/sweep/sweep-tables",
        "lab/sweep/planned-sweep",
        "lab/sweep/run-task",
      ].map(from),
    );
  const [frames, reports, commands] = await Promise.all(
    ["messages/frame", "messages/report-words", "messages/command-words"].map(from),
  );
  const files = (path, ending) =>
    readdirSync(join(ROOT, path))
      .filter((name) => name.endsWith(ending))
      .map((name) => readFileSync(join(ROOT, path, name)));
  const whole = (path) => [readFileSync(join(ROOT, path))];
  const fromFile = (name, read) => async (bytes) => {
    const path = join(folder, name);
    writeFileSync(path, bytes);
    return read(path);
  };
  /** What `read` is given as bytes, and as trees that are written as JSON, which YAML is too. */
  const both = (corpus) => ({ corpus, trees: corpus.map((text) => parseYaml(text.toString())), write: json });
  /** The first run of a baseline: what comes behind it has the same form. */
  const beginning = (text) => {
    const { runs, ...rest } = JSON.parse(text.toString());
    const [{ replications, ...run }] = runs;
    return json({ ...rest, runs: [{ ...run, replications: replications.slice(0, 2) }] });
  };
  const workload = (kind) => {
    const { scenario } = scenarios.loadScenario(join(ROOT, "scenarios/tiny.yaml"));
    const file = `input.${kind}`;
    const path = join(folder, `${kind}.yaml`);
    writeFileSync(
      path,
      `name: w\ncluster: {racks: 1, nodesPerRack: 2}\nworkload: {kind: ${kind}, file: ${file}}\nscheduler: {kind: fifo}\n`,
    );
    const loaded = scenarios.loadScenario(path).scenario ?? scenario;
    return fromFile(file, async () => workloads.loadWorkload(loaded, folder));
  };

  // A sweep as it is planned, one of its runs, and what came of it.
  writeFileSync(join(folder, "tiny.yaml"), readFileSync(join(ROOT, "scenarios/tiny.yaml")));
  writeFileSync(
    join(folder, "planned.yaml"),
    "name: f\nwhy: a test\nscenario: tiny.yaml\naxes:\n  - {name: W, path: scheduler.wait.node, values: [0s, 1s]}\nreplications: 2\nseries: true\nmeasures: [responseMean, nodeLocalAll]\n",
  );
  const { stored, taskOf } = planned.planSweep(sweeps.loadSweep(join(folder, "planned.yaml")), []);
  const task = taskOf(0, 0);
  const { key } = task;
  const run = await runTask.default(task);
  if (run.outcome !== "done") throw new Error(`the run failed: ${run.error}`);
  const { series, ...kept } = run;
  const row = { key, point: 0, replication: 0, seed: stored.plan.seeds[0], run: kept };
  const failed = {
    ...row,
    replication: 1,
    key: stored.keys[0][1],
    run: { outcome: "failed", error: "x", cost: run.cost },
  };
  const line = (value) => Buffer.from(`${journal.checkedLine(value ?? null)}\n`);
  const journalBytes = (rows) => Buffer.concat((Array.isArray(rows) ? rows : [rows]).map(line));
  const planTree = JSON.parse(plan.planText(stored));
  const recordOf = (planBytes, rows) => {
    const path = join(folder, "sweep");
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, "plan.json"), planBytes);
    writeFileSync(join(path, "journal.jsonl"), rows);
    return tables.sweepTables(folders.readSweepFolder(path));
  };

  const bounds = { nodes: 10, slots: 40, sliceUs: 3e6, longestReportDelayUs: 6e8 };
  const codec = new frames.FrameCodec();
  const packr = new Packr({ useRecords: false });
  const wordBytes = (words) => new Uint8Array(Int32Array.from([words].flat(3).map(numberOf)).buffer);
  const frameOf = (kind) => (words) => Buffer.from(codec.encode(kind, 7, wordBytes(words)));
  const readFrame = (kind, readWords) => (bytes) => {
    codec.decode(bytes, kind);
    readWords(codec.words, codec.length);
  };
  const readReports = (words, length) => reports.checkReports(words, length, bounds);
  const readCommands = (words, length) => commands.readCommands(words, length, 6e6, bounds, () => sinkWithin(bounds));
  const [reportWords, commandWords] = [
    everyReport(new reports.ReportWriter()),
    everyCommand(new commands.CommandWriter()),
  ];
  const envelope = [frames.FRAME_VERSION, frames.REPORTS, 7, { words: reportWords }];

  return [
    { name: "scenario", ...both(files("scenarios", ".yaml")), read: fromFile("s.yaml", scenarios.loadScenario) },
    {
      name: "sweep",
      ...both(files("scenarios/sweeps", ".yaml").filter((text) => text.length < 4000)),
      read: (bytes) => {
        const path = join(folder, "sweep.yaml");
        writeFileSync(path, bytes);
        return sweeps.parseSweep(readFileSync(path, "utf8"), join(ROOT, "scenarios/sweeps/fuzzed.yaml"));
      },
    },
    {
      name: "regress",
      ...both(files("scenarios/regress", ".yaml")),
      // Beside the scenarios that it names.
      read: (bytes) => {
        const path = join(folder, "regress", "r.yaml");
        mkdirSync(join(folder, "regress"), { recursive: true });
        writeFileSync(path, bytes.toString("utf8").replaceAll("../", join(ROOT, "scenarios/")));
        return regress.loadRegress(path);
      },
    },
    {
      name: "baseline",
      ...both(files("scenarios/regress", ".baseline.json").map(beginning)),
      read: fromFile("b.json", baselines.readBaseline),
    },
    { name: "bench", ...both(files("bench/baselines", ".json")), read: fromFile("bench.json", bench.readBench) },
    {
      name: "allocations",
      corpus: whole("scenarios/hadoop/fair-scheduler.xml"),
      read: fromFile("a.xml", (path) => allocations.readAllocations(path, "a.xml")),
    },
    {
      name: "capacity",
      corpus: whole("scenarios/hadoop/capacity-scheduler.xml"),
      read: fromFile("c.xml", (path) => capacity.readCapacities(path, "c.xml")),
    },
    { name: "explained", corpus: files("scenarios/hadoop", ".xml"), read: fromFile("e.xml", explained.readExplained) },
    { name: "swim", corpus: whole("test/data/swim-small.tsv"), read: workload("swim") },
    { name: "tasks", corpus: whole("test/data/tasks-small.csv"), read: workload("tasks") },
    {
      name: "journal",
      trees: [[row, failed], [failed, row, row], [row]],
      write: journalBytes,
      read: fromFile("j.jsonl", journal.readJournal),
    },
    { name: "plan", trees: [planTree], write: json, read: fromFile("p.json", plan.readPlan) },
    {
      name: "folder, plan",
      trees: [planTree],
      write: json,
      read: (bytes) => recordOf(bytes, journalBytes([row, failed])),
    },
    {
      name: "folder, journal",
      trees: [[row, failed], [row]],
      write: journalBytes,
      read: (bytes) => recordOf(json(planTree), bytes),
    },
    {
      name: "kind",
      corpus: [...files("scenarios", ".yaml"), ...files("scenarios/hadoop", ".xml")],
      read: fromFile("k", kinds.fileKindOf),
    },
    {
      name: "reports",
      trees: [reportWords],
      write: frameOf(frames.REPORTS),
      read: readFrame(frames.REPORTS, readReports),
    },
    {
      name: "commands",
      trees: [commandWords],
      write: frameOf(frames.COMMANDS),
      read: readFrame(frames.COMMANDS, readCommands),
    },
    {
      name: "envelope",
      trees: [envelope],
      // The words as binary where they still are the words.
      write: (tree) =>
        packr.pack(Array.isArray(tree) ? tree.map((one) => (one?.words ? wordBytes(one.words) : one)) : tree),
      read: readFrame(frames.REPORTS, readReports),
    },
  ];
}

/** Words of terminal output that say what was refused. */
class Refused extends Error {}

function json(tree) {
  return Buffer.from(JSON.stringify(tree) ?? "null");
}

function jsonOf(bytes) {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    return undefined;
  }
}

/** A report of each kind. */
function everyReport(writer) {
  writer.open(6e6);
  const values = [5e5, 5e5, 5e5, 5e5, 5e5, 5e5, 0, 3, 1e6, 1e6, 102_400, 1];
  const places = [2, 2, 2, 2, 2, 2, 0, 0, 1, 0, 39, 3];
  for (const [kind, value] of values.entries()) writer.report(kind, 1, 7e6, places[kind], value);
  return [...writer.words.subarray(0, writer.length)];
}

/** A command of each kind. */
function everyCommand(writer) {
  const detail = { commits: true, failsAt: 5e5, slowdown: 1500, prepareUs: 1e6 };
  writer.open(6e6);
  writer.launchMap(1, 6.5e6, 4, 1, 3e7, null);
  writer.launchReduce(1, 6.5e6, 5, 3e7, 2e7, 1e6, false, null);
  writer.launchMap(1, 6.5e6, 6, 0, 3e7, { ...detail, sourceNode: 7, inputBytes: 2 ** 40, outputBytes: 5 });
  const fetched = { fetchBytes: 2 ** 40, outputBytes: 7, available: 1e6, rank: 3 };
  writer.launchReduce(1, 6.5e6, 7, 3e7, 2e7, 1e6, true, { ...detail, ...fetched });
  writer.mapsAdvanced(2, 7e6, 5, 5e5);
  writer.mapsFinished(2, 7e6, 5);
  writer.kill(2, 7e6, 45);
  writer.commit(3, 7e6, 45);
  writer.openRead(3, 7e6, 45, 2, 8, 2 ** 26);
  writer.closeRead(3, 7e6, 45);
  writer.rateProposed(3, 7e6, 45, 102_400);
  writer.copyBlock(4, 7e6, 1, 9, 2 ** 26);
  return [...writer.words.subarray(0, writer.length)];
}

/** Every command that gets through names nodes, times and amounts that can be. */
function sinkWithin({ nodes, slots, sliceUs }) {
  return new Proxy(
    {},
    {
      get:
        (_, name) =>
        (node, atUs, place, ...rest) => {
          const amounts = rest.flatMap((one) => (typeof one === "object" && one !== null ? Object.values(one) : one));
          const areFine = amounts.every(
            (one) => one === null || typeof one === "boolean" || (one >= -1 && one <= 2 ** 53),
          );
          const isHere = node >= 0 && node < nodes && place >= 0 && place < 2 * slots;
          if (!areFine || !isHere || !(atUs >= 6e6 && atUs < 6e6 + sliceUs)) {
            throw new Error(`${name} got through with ${JSON.stringify([node, atUs, place, ...rest])}`);
          }
        },
    },
  );
}

if (isMainThread) await main();
else await work(workerData);
