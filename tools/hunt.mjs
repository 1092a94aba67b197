import { readFile } from "node:fs/promises";
import { Command, InvalidArgumentError, Option } from "commander";
import { stringify } from "yaml";
import { InputError, plainTree, readYaml } from "../dist/io/index.js";
import { check, drawCase, firstDecision, HERE, namePlacement, PLACEMENTS, shrink } from "../test/hunt/hunt.mjs";
import { keysOf, PLATFORM_NAMES, schemaKeys } from "../test/hunt/scenario-keys.mjs";

/** How long a find is made smaller. */
const SHRINK_MS = 60_000;
const PROGRESS_MS = 2_000;
/** As of a shell: 128 + SIGINT. */
const INTERRUPTED = 130;

function whole(least) {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= least && Number.isSafeInteger(value)) return value;
    throw new InvalidArgumentError(`Allowed: a whole number from ${String(least)} on.`);
  };
}

const program = new Command("hunt")
  .description(
    "Looks for scenarios whose result depends on where they run. Draws small scenarios over every key of the schema, runs " +
      "each of Hadoop on all placements below, and compares whole results: fingerprint, summary and tables. Those of Spark and YARN " +
      "are run again, in steps and cut short, and what they leave is held against what holds of every run.",
  )
  .option("--cases <n>", "how many cases", whole(1), 1_000)
  .option("--from <n>", "number of the first case", whole(0), 0)
  .addOption(
    new Option("--platform <name>", "scenarios of this platform; all: of each in turn")
      .choices(["all", ...PLATFORM_NAMES])
      .default("all"),
  )
  .option("--seed <n>", "which cases", whole(0), 1)
  .option("--file <file>", "check this scenario file in place of drawn ones; what it names is relative to test/hunt")
  .option("--times <n>", "how often each case runs on each number of threads", whole(1), 1)
  .option("--inline", "no threads: faster, and still races hosts against each other")
  .option("--finds <n>", "stop after so many finds", whole(1), 10)
  .option("--no-shrink", "print finds as they were drawn")
  .addHelpText(
    "after",
    `
A case is a function of --seed, its platform and its number. The placements of Hadoop, each held against the first:
${PLACEMENTS.map((placement) => `  ${namePlacement(placement)}`).join("\n")}
By frames: actors on one thread exchange what threads exchange. Raced: racks on one thread, which compute ahead and hear of
commands in an order that a seed draws.

What a find is:
  crash        the run threw an error, or took longer than a minute
  fingerprint  two placements made different decisions
  summary      the same decisions, but another summary (all of it but cost)
  table        the same summary, but another job, task or sample table
  endless      no task succeeds any more, and the run does not say so
Of Spark and YARN also:
  too much     an executor, a node or a queue holds more than it has, or may have
  twice        a task runs twice at once without a copy being asked for, or succeeds twice
  lost task    a job ends with tasks that have not succeeded
  locality     an attempt ran farther from its data, or nearer, than its level says
  nowhere      an attempt ran where no executor was
  idle         somebody has room beside tasks that wait for nothing else
  stuck        nothing ends any more, and an executor is there that could run each task
  times, sums  times are out of order; tables come to something else than the summary

Exit codes: 0 nothing found, 1 something found, 2 bad options, ${String(INTERRUPTED)} interrupted by Ctrl-C.`,
  )
  .exitOverride();

const interrupt = new AbortController();
process.once("SIGINT", () => interrupt.abort());
const idleThreads = [];
const { stderr } = process;

try {
  program.parse();
} catch (error) {
  process.exit(error.exitCode === 0 ? 0 : 2);
}
const options = program.opts();
const placements = options.inline ? PLACEMENTS.filter(({ threads, raced }) => threads === 0 || raced) : PLACEMENTS;
const keys = new Map(PLATFORM_NAMES.map((name) => [name, schemaKeys(name)]));
const drawnOf = options.platform === "all" ? PLATFORM_NAMES : [options.platform];
const seenKeys = new Map(PLATFORM_NAMES.map((name) => [name, new Set()]));
const found = {};
let finds = 0;
let done = 0;

async function checkOne(tree, title, again) {
  const whole = options.file !== undefined;
  const { platform = "hadoop" } = tree;
  const known = keys.get(platform) ?? new Set();
  for (const key of keysOf(tree, known)) if (known.has(key)) seenKeys.get(platform).add(key);
  const checking = { idleThreads, placements, whole, times: options.times };
  const find = await check(tree, checking);
  if (find === null) return;
  finds++;
  found[find.kind] = (found[find.kind] ?? 0) + 1;
  clearProgress();
  const untilMs = performance.now() + SHRINK_MS;
  const smallest = options.shrink
    ? await shrink(tree, find, { idleThreads, whole, untilMs, signal: interrupt.signal })
    : { tree, find };
  const { kind, what, placements: places } = smallest.find;
  console.log(`\n${title}: ${kind}: ${what}`);
  if (kind !== "endless" && places.length > 0) console.log(`between ${places.map(namePlacement).join(" and ")}`);
  console.log(stringify(smallest.tree, { lineWidth: 0 }).replace(/^/gm, "  ").trimEnd());
  if (kind === "fingerprint" && places.length > 0) await tellDecision(smallest.tree, places, whole);
  console.log(`Again: ${again}`);
}

async function tellDecision(tree, places, whole) {
  const decision = await firstDecision(tree, places, { idleThreads, whole });
  if (decision === null)
    return console.log("It did not differ when it was run once more: it depends on when threads run.");
  console.log(`Decision ${String(decision.at + 1)} differs:`);
  for (const line of decision.before) console.log(`  both  ${line}`);
  console.log(`  one   ${decision.expected ?? "(no more)"}\n  other ${decision.found ?? "(no more)"}`);
}

function clearProgress() {
  if (stderr.isTTY) stderr.write("\r\u001b[K");
}

const startMs = performance.now();
let nextMs = startMs + PROGRESS_MS;

function tellProgress() {
  const nowMs = performance.now();
  if (nowMs < nextMs) return;
  nextMs = nowMs + (stderr.isTTY ? PROGRESS_MS : 15 * PROGRESS_MS);
  const perSecond = (1000 * done) / (nowMs - startMs);
  const leftS = Math.round((options.cases - done) / perSecond);
  const eta = `${String(Math.floor(leftS / 60))}m${String(leftS % 60).padStart(2, "0")}s`;
  const line = `${String(done)} of ${String(options.cases)} cases, ${perSecond.toFixed(1)}/s, ETA ${eta}, ${describeFinds()}`;
  stderr.write(stderr.isTTY ? `\r\u001b[K${line}` : `${line}\n`);
}

function describeFinds() {
  const kinds = Object.entries(found).map(([kind, count]) => `${String(count)} ${kind}`);
  return kinds.length === 0 ? "no finds" : kinds.join(", ");
}

try {
  if (options.file === undefined) {
    for (let number = options.from; done < options.cases && finds < options.finds; number++) {
      if (interrupt.signal.aborted) break;
      const platform = drawnOf[number % drawnOf.length];
      const again = `npm run hunt -- --platform ${platform} --seed ${String(options.seed)} --from ${String(number)} --cases 1`;
      const title = `Case ${String(number)} of seed ${String(options.seed)}, ${platform}`;
      await checkOne(await drawCase(options.seed, number, platform), title, again);
      done++;
      tellProgress();
    }
  } else {
    const tree = plainTree(readYaml(await readFile(options.file, "utf8"), options.file));
    await checkOne(tree, options.file, `npm run hunt -- --file ${options.file} --times 5`);
    done++;
  }
} catch (error) {
  if (!(error instanceof InputError) && error.code !== "ENOENT") throw error;
  console.error(`hunt: ${error.message.replaceAll(HERE, options.file ?? HERE)}`);
  process.exitCode = 2;
}
clearProgress();
await Promise.all(idleThreads.map(async (thread) => thread.destroy()));
if (process.exitCode !== 2) {
  const seconds = (performance.now() - startMs) / 1000;
  const rate = `${seconds.toFixed(0)} s, ${(done / seconds).toFixed(1)} cases/s`;
  console.log(`${String(done)} cases of seed ${String(options.seed)}, ${rate}: ${describeFinds()}`);
  for (const [platform, seen] of seenKeys) {
    if (seen.size === 0) continue;
    console.log(
      `${String(seen.size)} of the ${String(keys.get(platform).size)} keys of the schema of ${platform} stood in them`,
    );
  }
  process.exitCode = interrupt.signal.aborted ? INTERRUPTED : finds > 0 ? 1 : 0;
}
