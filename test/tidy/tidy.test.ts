import { existsSync, readFileSync, statSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  brokenLinks,
  classMembers,
  decisionsRecorded,
  decisionsReferredTo,
  identifiersWith,
  pathsNamed,
  linesMatching,
  membersNamed,
  sectionNumbers,
  semanticsCited,
} from "./findings.js";
import { filesIn, ROOT } from "./project-files.js";

const TEXT = [".ts", ".js", ".mjs", ".cjs", ".md", ".yaml", ".json"];
const source = filesIn("src", [".ts"]);
const tests = filesIn("test", [".ts"]);
const prose = filesIn("", [".md"]);
const shipped = [...source, ...prose, ...["bin", "docs", "scenarios", "tools"].flatMap((room) => filesIn(room, TEXT))];

/** Only what runs on Node's own worker threads, or does runs of a queue (`bide worker`), may speak of workers. */
const MAY_SAY_WORKER =
  /^src\/(lab\/|actors\/.*(thread|transport|driver|pool)|cli\/(commands\/)?(worker|command-line)[.])/;

/**
 * Only what has runs of an experiment done may speak of executors, for the run executor is no node, and the readers and
 * the benchmark of Spark, whose word it is.
 */
const MAY_SAY_EXECUTOR =
  /^src\/(lab\/(sweep\/|tune\/|bench\/decision-spark[.]|index[.])|cli\/(sweep|tune)[.-]|io\/(spark\/|histories\/import-jobs[.]|scenario\/spark\/|index[.])|experiments\/calibration\/)/;

/** Only the readers and the benchmark of YARN, whose word it is. */
const MAY_SAY_CONTAINER = /^src\/(io\/(scenario\/yarn\/|yarn\/)|lab\/bench\/decision-yarn[.])/;

describe("the code is still the code we meant", () => {
  it("is looked at: source, tests and prose were found", () => {
    expect(source.length).toBeGreaterThan(50);
    expect(tests.length).toBeGreaterThan(10);
    expect(prose.length).toBeGreaterThan(0);
  });

  it("has no file that is named for nothing in particular", () => {
    const vague = /(^|[/.-])(utils?|common|managers?|helpers?|misc)([/.-]|$)/;
    expect([...source, ...tests].filter(({ path }) => vague.test(path)).map(({ path }) => path)).toEqual([]);
  });

  it("leaves nothing for later", () => {
    expect(shipped.flatMap((file) => linesMatching(file, /\b(TODO|FIXME|XXX|HACK)\b/))).toEqual([]);
  });

  it("names no place of the machine it was written on", () => {
    const places = /(^|[^\w.])\/(work|tmp|root)\/|\.\.\/shared\//;
    expect(shipped.flatMap((file) => linesMatching(file, places))).toEqual([]);
  });

  it("calls a node a node: no worker, container or executor, but for platforms that have them", () => {
    const ours = source.filter(({ path }) => !/^src\/core\/platforms\/(?!hadoop\/)/.test(path));
    const among = (word: string, allowed: RegExp): string[] =>
      ours.filter(({ path }) => !allowed.test(path)).flatMap((file) => identifiersWith(file, [word]));
    expect(among("worker", MAY_SAY_WORKER)).toEqual([]);
    expect(among("executor", MAY_SAY_EXECUTOR)).toEqual([]);
    expect(among("container", MAY_SAY_CONTAINER)).toEqual([]);
    expect(ours.flatMap((file) => identifiersWith(file, ["slave"]))).toEqual([]);
  });

  it("enters a room by its entry file: so a file moves within its room without an edit here", () => {
    const compiled = /["'`(][./]*dist\/([\w/.-]+\.js)["'`)]/;
    /** The package's face, a room of one file, and what is started as a program, which has a path. */
    const named = /^(lab\/public|core\/theory|cli\/main|[\w/-]*\/index|[\w/-]*-(thread|env|task))\.js$/;
    const code = filesIn("test", [".ts", ".mjs"]).filter(({ path }) => !path.startsWith("test/tidy/"));
    const found = code.flatMap((file) => linesMatching(file, compiled));
    expect(found.length).toBeGreaterThan(500);
    expect(found.filter((line) => !named.test(compiled.exec(line)![1]!))).toEqual([]);
  });

  it("calls a pool a pool: no queue among the schedulers, but for Yahoo!'s", () => {
    const schedulers = source.filter(({ path }) =>
      /^src\/core\/platforms\/hadoop\/scheduler\/(?!capacity\/)/.test(path),
    );
    // A task that must run again is requeued; that is said of no pool.
    const found = schedulers.flatMap((file) => identifiersWith(file, ["queue"]));
    expect(found.filter((name) => !/requeued/i.test(name))).toEqual([]);
  });

  it("has no broken link in its documents", () => {
    expect(prose.flatMap((file) => brokenLinks(file, (path) => existsSync(`${ROOT}/${path}`)))).toEqual([]);
  });

  it("names only files that are there, where it says where things are", () => {
    const maps = prose.filter(({ path }) =>
      /^(ARCHITECTURE|DECISIONS)[.]md$|^src\/.*README[.]md$|^docs\/schedulers\//.test(path),
    );
    const named = maps.flatMap(({ path, text }) => pathsNamed(text).map((file) => ({ path, file })));
    expect(named.length).toBeGreaterThan(50);
    // NAME stands for a platform that is to come.
    expect(named.filter(({ file }) => !file.includes("NAME") && !existsSync(`${ROOT}/${file}`))).toEqual([]);
  });

  it("names only members of classes that are there, where pages of schedulers say where a rule stands", () => {
    const members = new Set(source.flatMap(classMembers));
    const pages = prose.filter(({ path }) => path.startsWith("docs/schedulers/"));
    const named = pages.flatMap(({ path, text }) => membersNamed(text).map((member) => ({ path, member })));
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter(({ member }) => !members.has(member))).toEqual([]);
  });

  it("refers only to decisions that are recorded, each once", () => {
    const recorded = existsSync(`${ROOT}/DECISIONS.md`) ? readFileSync(`${ROOT}/DECISIONS.md`, "utf8") : "";
    const numbers = decisionsRecorded(recorded);
    const outsideTidy = tests.filter(({ path }) => !path.startsWith("test/tidy/"));
    const dangling = [...shipped, ...outsideTidy].flatMap(({ path, text }) =>
      decisionsReferredTo(text).flatMap((number) => (numbers.includes(number) ? [] : [`${path}: ${number}`])),
    );
    expect(dangling).toEqual([]);
    expect(numbers).toEqual([...new Set(numbers)]);
  });

  it("cites sections of docs/semantics.md that exist", () => {
    const semantics = prose.find(({ path }) => path === "docs/semantics.md")!;
    const numbers = sectionNumbers(semantics.text);
    const citing = [...source, ...filesIn("test", TEXT).filter(({ path }) => !path.startsWith("test/tidy/")), ...prose];
    const cited = citing.flatMap(({ path, text }) => semanticsCited(text).map((number) => ({ path, number })));
    expect(cited.length).toBeGreaterThan(50);
    expect(cited.filter(({ number }) => !numbers.includes(number))).toEqual([]);
  });

  it.skipIf(process.platform === "win32")("has a command that can be run", () => {
    const { bin } = JSON.parse(readFileSync(`${ROOT}/package.json`, "utf8")) as { bin: Record<string, string> };
    const notRunnable = Object.values(bin).filter((path) => (statSync(`${ROOT}/${path}`).mode & 0o111) !== 0o111);
    expect(notRunnable).toEqual([]);
  });
});
