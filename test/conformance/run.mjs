#!/usr/bin/env node
/**
 * Runs files of conformance cases (FORMAT.md) against the Hadoop Fair Scheduler, Spark's task scheduler and YARN's
 * schedulers. The last line is `N passed, N failed`, one result for each case and rule set.
 */
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { printable } from "../../dist/io/index.js";
import { readSuite, SuiteError } from "./read-suite.mjs";
import { runSuite } from "./run-suite.mjs";

const USAGE = `Usage: npm run conformance -- [--verbose] FILE...

Runs conformance cases of the Hadoop Fair Scheduler, of Spark's task scheduling and
of YARN's Fair and Capacity Schedulers, under every rule set that they name and lists each expectation that failed. The form of a file is described in
test/conformance/FORMAT.md.

  --verbose   list what passed, too
  --help      show this

Exit codes: 0 all passed, 1 some failed, 2 bad arguments or a bad file (nothing is run).
`;

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = main(process.argv.slice(2));

/**
 * @param {string[]} args
 * @param {Record<"stdout" | "stderr", { write(text: string): unknown }>} streams
 * @returns {number} the exit code.
 */
export function main(args, { stdout, stderr } = process) {
  let options;
  try {
    options = parseArgs({
      args,
      allowPositionals: true,
      options: { verbose: { type: "boolean" }, help: { type: "boolean" } },
    });
  } catch (error) {
    return refuse(error.message, stderr);
  }
  const { values, positionals: files } = options;
  if (values.help) {
    stdout.write(USAGE);
    return 0;
  }
  if (files.length === 0) return refuse("found no file, allowed is at least one", stderr);
  const suites = readAll(files, stderr);
  return suites === null ? 2 : report(suites, values.verbose ?? false, stdout);
}

function refuse(message, stderr) {
  stderr.write(`conformance: ${message}\n\n${USAGE}`);
  return 2;
}

/** Null: some file is bad, and all that is wrong with any has been said. */
function readAll(files, stderr) {
  const suites = [];
  for (const file of files) {
    try {
      suites.push({ file, scenarios: readSuite(file) });
    } catch (error) {
      if (!(error instanceof SuiteError)) throw error;
      stderr.write(`${error.message}\n`);
    }
  }
  return suites.length === files.length ? suites : null;
}

function report(suites, verbose, stdout) {
  const leftOut = new Map();
  let passed = 0;
  let failed = 0;
  for (const { file, scenarios } of suites) {
    const run = runSuite(scenarios);
    for (const { id, variant, failures } of run.results) {
      const title = `${suites.length > 1 ? `${printable(file)}: ` : ""}${printable(id)} [${variant}]`;
      if (failures.length === 0) passed++;
      else failed++;
      if (verbose && failures.length === 0) stdout.write(`ok   ${title}\n`);
      for (const failure of failures) stdout.write(`FAIL ${title} ${inWords(failure)}\n`);
    }
    for (const { id, step, why } of run.corrected) stdout.write(`corrected: ${id}, derived in step ${step}: ${why}\n`);
    for (const variant of run.leftOut) leftOut.set(variant, (leftOut.get(variant) ?? 0) + 1);
  }
  if (leftOut.size > 0) stdout.write(`left out: ${[...leftOut].map(([v, n]) => `${n} of ${v}`).join(", ")}\n`);
  stdout.write(`${passed} passed, ${failed} failed\n`);
  return failed > 0 ? 1 : 0;
}

function inWords({ step, op, path, expected, got }) {
  const at = path === "" ? "" : ` ${path}:`;
  return printable(`step ${step} (${op}):${at} expected ${expected}, got ${got}`);
}
