/**
 * Is Bide faster or slower than it was, and does it still count the same?
 *
 *   npm run bench:compare -- [--against COMMIT|FOLDER] [--runs N] [--only TEXT] [--span TIME] [--frames N] [NAME...]
 *
 * Against a commit (default HEAD): it is built in a folder of its own, and old and new are measured in turn, N
 * measurement sessions each (default 5), every session a process. A figure differs beyond the spread when all of one
 * side lie beyond all of the other. Against a folder of figures (bench/baselines): one session of N runs, whose ratios
 * are those of two different hours. Needs a build of what is here. Exit code 1 when operation counts or fingerprints
 * differ, 2 on bad arguments.
 */
import { execFile } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";
import { readBench } from "../dist/io/index.js";
import { BENCHES } from "../dist/lab/index.js";
import { fixed, textTable } from "../dist/report/index.js";
import { chosenBenches } from "./bench-names.mjs";
import { compareReports } from "./comparison.mjs";
import { checkOut } from "./old-checkout.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

const USAGE = `npm run bench:compare -- [--against COMMIT|FOLDER] [--runs N] [--only TEXT] [--span TIME] [--frames N] [NAME...]

Measures old and new in turn, and compares medians, operation counts and fingerprints.

  npm run bench:compare -- --against HEAD~3 day
  npm run bench:compare -- --runs 9 --only inline day
  npm run bench:compare -- --against bench/baselines`;
const help = { type: "boolean" };

const execute = promisify(execFile);

class Refused extends Error {}

function askedFor() {
  const text = (fallback) => ({ type: "string", default: fallback });
  const options = { against: text("HEAD"), runs: text("5"), only: text(), span: text(), frames: text(), help };
  try {
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    if (values.help) {
      console.log(USAGE);
      process.exit(0);
    }
    if (!/^([1-9]|[1-9]\d|100)$/.test(values.runs)) {
      throw new Refused(`--runs: expected a whole number from 1 to 100, found ${JSON.stringify(values.runs)}`);
    }
    return { ...values, runs: Number(values.runs), names: chosenBenches(positionals) };
  } catch (error) {
    throw new Refused(error.message);
  }
}

/** The options of a benchmark that it takes. */
function optionsOf(name, asked) {
  const { takes } = BENCHES.find((one) => one.name === name);
  return takes.flatMap((option) => (asked[option] === undefined ? [] : [`--${option}`, asked[option]]));
}

const stopped = new AbortController();

/** One session of a checkout; none is left behind when this process is told to end. */
async function session(root, name, options, runs) {
  const args = [join(root, "bin", "bide.js"), "bench", name, "--runs", String(runs), "--json", "--quiet", ...options];
  try {
    const { stdout } = await execute(process.execPath, args, { cwd: root, maxBuffer: 1 << 26, signal: stopped.signal });
    return JSON.parse(stdout);
  } catch (error) {
    if (stopped.signal.aborted) throw stopped.signal.reason;
    throw new Refused(`${root}: bide bench ${name} failed: ${String(error.stderr ?? error.message).trim()}`);
  }
}

async function* comparedWithCommit(asked) {
  console.error(`building ${asked.against} beside this`);
  const old = await checkOut(ROOT, asked.against, stopped.signal);
  try {
    for (const name of asked.names) {
      const options = optionsOf(name, asked);
      const [olds, news] = [[], []];
      for (let run = 0; run < asked.runs; run++) {
        console.error(`${name}: session ${run + 1} of ${asked.runs}, old and new`);
        olds.push(await session(old.path, name, options, 1));
        news.push(await session(ROOT, name, options, 1));
      }
      const how = `${asked.runs} sessions each, in turn; medians; * all of one side lie beyond all of the other`;
      yield { name, olds, news, how };
    }
  } finally {
    await old.remove();
  }
}

async function* comparedWithFolder(asked) {
  for (const name of asked.names) {
    const file = join(asked.against, `${name}.json`);
    if (!existsSync(file)) {
      console.error(`${name}: ${file} does not exist, left out`);
      continue;
    }
    const old = readBench(file);
    console.error(`${name}: one session of ${asked.runs} runs`);
    const now = await session(ROOT, name, optionsOf(name, asked), asked.runs);
    const isElsewhere = ["cpu", "cores", "node"].some((key) => old.machine[key] !== now.machine[key]);
    const where = isElsewhere ? "on another machine or Node" : "at another time";
    yield { name, olds: [old], news: [now], how: `old figures measured ${where}: only counts can be judged` };
  }
}

function print({ name, olds, news, how }) {
  const { differences, rows } = compareReports(olds, news);
  console.log(`\n${name}: ${olds[0].machine.bide} -> ${news[0].machine.bide}\n${how}\n`);
  const cells = rows.map(({ name: which, title, decimals, old, now, ratio, isBeyond }) => {
    return [`${which}: ${title}`, fixed(old, decimals), fixed(now, decimals), fixed(ratio, 3), isBeyond ? "*" : ""];
  });
  for (const line of textTable([["", "old", "new", "new/old", ""], ...cells])) console.log(line);
  for (const difference of differences) console.log(`DIFFERS  ${difference}`);
  return differences.length;
}

for (const signal of ["SIGINT", "SIGTERM"]) {
  process.once(signal, () => stopped.abort(new Error(`stopped by ${signal}; nothing is left behind`)));
}
try {
  const asked = askedFor();
  const isFolder = statSync(resolve(asked.against), { throwIfNoEntry: false })?.isDirectory() === true;
  let differences = 0;
  for await (const compared of isFolder ? comparedWithFolder(asked) : comparedWithCommit(asked)) {
    differences += print(compared);
  }
  console.log(differences === 0 ? "\nAll counts and fingerprints are equal." : `\n${differences} differ.`);
  process.exitCode = differences === 0 ? 0 : 1;
} catch (error) {
  console.error(error.message);
  process.exitCode = stopped.signal.aborted ? 130 : 2;
}
