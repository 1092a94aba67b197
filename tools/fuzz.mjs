/* eslint-disable no-control-regex -- they are what is looked for */
// Feeds damaged files to every reader: each must refuse them in its own words, in bounded time and memory.
//   npm run fuzz -- --inputs 100000 --seed 1
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Worker, isMainThread, parentPort, workerData } from "node:worker_threads";
import seedrandom from "seedrandom";

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
    const tally = new Map(readers.map(({ name }) => [name, { read: 0, refused: 0 }]));
    const faults = [];
    for (let input = 0; input < inputs && faults.length < 20; input++) {
      Atomics.store(at, 0, input);
      const { name, corpus, read } = readers[input % readers.length];
      // A stream for each input, so that any one can be repeated by itself.
      const random = seedrandom(`${seed} ${input}`);
      const bytes = damaged(corpus, random);
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
    const counts = [...tally].map(([name, { read, refused }]) => `${name.padEnd(14)} ${read} read, ${refused} refused`);
    parentPort.postMessage({ faults, counts });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const REFUSALS = new Set(["InputError", "FrameError", "NotBelieved"]);

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
  const [allocations, capacity, explained, workloads, journal, plan, frames, reports, parcels, seals] =
    await Promise.all(
      [
        "io/allocations/read",
        "io/capacity/read",
        "io/explained-file",
        "io/workloads/load",
        "io/sweep/journal",
        "io/sweep/plan-file",
        "messages/frame",
        "messages/report-words",
        "lab/sweep/queue/job-parcel",
        "lab/sweep/queue/seal",
      ].map(from),
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
  const { scenario } = scenarios.loadScenario(join(ROOT, "scenarios/tiny.yaml"));
  const task = {
    key: "a".repeat(32),
    scenario,
    directory: "/x",
    plugins: [],
    measures: [],
    warmUp: { kind: "none" },
    series: false,
  };
  const open = new seals.Seal(null);
  const writer = new frames.WordWriter();
  writer.reserve(10);
  for (let i = 0; i < 10; i++) writer.words[writer.length++] = i;
  return [
    { name: "scenario", corpus: files("scenarios", ".yaml"), read: fromFile("s.yaml", scenarios.loadScenario) },
    {
      name: "sweep",
      corpus: files("scenarios/sweeps", ".yaml").filter((text) => text.length < 4000),
      read: (bytes) => {
        const path = join(folder, "sweep.yaml");
        writeFileSync(path, bytes);
        return sweeps.parseSweep(readText(path), join(ROOT, "scenarios/sweeps/fuzzed.yaml"));
      },
    },
    {
      name: "regress",
      corpus: whole("scenarios/regress/quick.yaml"),
      read: fromFile("r.yaml", (path) => regress.loadRegress(path)),
    },
    {
      name: "baseline",
      corpus: whole("scenarios/regress/quick.baseline.json"),
      read: fromFile("b.json", baselines.readBaseline),
    },
    {
      name: "bench",
      corpus: [Buffer.from('{"format":"bide-bench","version":1}')],
      read: fromFile("bench.json", bench.readBench),
    },
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
      corpus: [Buffer.from('{"key":"a","run":{"outcome":"failed","error":"x"}}\n'.repeat(3))],
      read: fromFile("j.jsonl", journal.readJournal),
    },
    {
      name: "plan",
      corpus: [Buffer.from('{"format":"bide-sweep","version":1,"plan":{"axes":[],"points":[],"seeds":["1"]}}')],
      read: fromFile("p.json", plan.readPlan),
    },
    {
      name: "kind",
      corpus: [...files("scenarios", ".yaml"), ...files("scenarios/hadoop", ".xml")],
      read: fromFile("k", kinds.fileKindOf),
    },
    {
      name: "reports",
      corpus: [Buffer.from(writer.bytes())],
      read: (bytes) => {
        const words = new Int32Array(new Uint8Array(bytes.subarray(0, bytes.length & ~3)).buffer);
        reports.checkReports(words, words.length, { nodes: 10, slots: 4, sliceUs: 3e6, longestSilenceUs: 6e8 });
      },
    },
    {
      name: "parcel",
      corpus: [Buffer.from(parcels.packTask(task), "base64"), Buffer.from(parcels.packTask(task))],
      read: (bytes) => parcels.unpackTask(bytes.toString("base64"), null, []),
    },
    {
      name: "sealed",
      corpus: [Buffer.from(parcels.sealParcel(open, "s", "k", { task: "", file: null }).sealed)],
      read: (bytes) => parcels.openParcel(open, "s", "k", { sealed: bytes.toString("utf8") }),
    },
  ];

  function readText(path) {
    return readFileSync(path, "utf8");
  }
}

if (isMainThread) await main();
else await work(workerData);
