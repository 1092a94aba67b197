import { InvalidArgumentError } from "commander";
import { US_PER_HOUR, namesOf } from "../core/kernel/index.js";
import { LIMITS, SCHEDULER_KINDS } from "../core/scenario/index.js";
import type { SchedulerPlugin } from "../core/platforms/hadoop/index.js";
import { allowedNames, quote, parseDuration, parseSize, mismatch } from "../io/index.js";
import type { Placement, RunScenario } from "../lab/index.js";

export const MAX_SHARDS = 1_000_000;

/**
 * Parses the values of an option. @param read returns undefined for a text that is no value. @param allowed
 * the allowed values, in the words of a message.
 */
export function valueParser<T>(read: (text: string) => T | undefined, allowed: string): (text: string) => T {
  return (text) => {
    const value = read(text);
    if (value === undefined) throw new InvalidArgumentError(`Expected ${allowed}, found ${quote(text)}.`);
    return value;
  };
}

/** The same of numbers from `least` to `highest`. */
export function numberParser(
  read: (text: string) => number | undefined,
  least: number,
  highest: number,
  allowed: string,
): (text: string) => number {
  const isWithin = (value: number | undefined) => value !== undefined && value >= least && value <= highest;
  return valueParser((text) => [read(text)].find(isWithin), allowed);
}

export function whole(
  least: number,
  highest: number,
  allowed = `a whole number from ${least} to ${highest}`,
): (text: string) => number {
  return numberParser((text) => (/^\d{1,9}$/.test(text) ? Number(text) : undefined), least, highest, allowed);
}

const threads = whole(
  0,
  LIMITS.rackThreads,
  `auto, rack, 1 or 0 (inline), or a number of threads up to ${LIMITS.rackThreads}`,
);

/** `--threads`. */
export function placement(text: string): Placement {
  return text === "auto" || text === "rack" ? text : threads(text);
}

/** `--threads` where each thread does whole runs. */
export const threadCount = whole(1, LIMITS.rackThreads, `a number of threads from 1 to ${LIMITS.rackThreads}`);

export const slices = whole(1, LIMITS.slices);

export const seedCount = whole(1, LIMITS.seeds);

/** `--replications`. */
export const replicationCount = whole(1, LIMITS.replications);

/** `--runs`. */
export const runCount = whole(1, 100);

/** `--top`. */
export const pointCount = whole(1, 1_000_000);

/** `--frames`. */
export const frameCount = whole(1, 10_000_000);

/** `--shards`. */
export const shardCount = whole(1, MAX_SHARDS);

/** `--span`: microseconds. */
export const span = numberParser(
  parseDuration,
  Number.MIN_VALUE,
  30 * 24 * US_PER_HOUR,
  "a time from 1us to 30d, such as 10m",
);

/** `--from`, `--to`: microseconds of virtual time. */
export const instant = numberParser(parseDuration, 0, Infinity, "a virtual time, such as 90s or 2h");

/** `--drain`: microseconds. */
export const drainTime = numberParser(parseDuration, 0, 24 * US_PER_HOUR, "a time up to 24h, such as 10m");

/** `--sql-memory`: bytes. */
export const memorySize = numberParser(parseSize, 2 ** 24, 2 ** 40, "a size from 16MB to 1TB, such as 2GB");

/** `--zstd-window`: bytes. */
export const zstdWindow = valueParser((text) => {
  const { usual, most } = LIMITS.zstdWindowBytes;
  const bytes = parseSize(text) ?? NaN;
  return bytes >= usual && bytes <= most && Number.isInteger(Math.log2(bytes)) ? bytes : undefined;
}, "128MB, 256MB, 512MB or 1GB");

/** `--schedulers fifo,fair`, `--systems`: names, each once, in the order given. */
export function names(text: string): string[] {
  return [...new Set(text.split(",").map((name) => name.trim()))];
}

/** For options that may be repeated. */
export function collect(text: string, before: readonly string[]): string[] {
  return [...before, text];
}

/** As a POSIX shell takes it. */
export function shellWord(text: string): string {
  return /^[\w./=:@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Built-in kinds, then plugins. */
function schedulerNames(plugins: readonly SchedulerPlugin[]): string[] {
  return namesOf([...SCHEDULER_KINDS, ...plugins]);
}

/** The fault in the names; null if each is that of a built-in kind or of a plugin. */
export function unknownScheduler(names: readonly string[], plugins: readonly SchedulerPlugin[]): string | null {
  const known = schedulerNames(plugins);
  const unknown = names.find((name) => !known.includes(name));
  return unknown === undefined ? null : mismatch(quote(unknown), allowedNames(known, unknown));
}

/** Formats of printed tables. */
export const TABLE_FORMATS = ["text", "md", "latex", "csv", "json"] as const;

const LEAST_PIXELS = 50;

const MOST_PIXELS = 5000;

/** `800x400`: pixels of what the axes of a figure enclose. */
export const figureSize = valueParser((text) => {
  const [, width, height] = /^(\d{1,5})x(\d{1,5})$/.exec(text) ?? [];
  const size = { width: Number(width), height: Number(height) };
  const isSize = Object.values(size).every((pixels) => pixels >= LEAST_PIXELS && pixels <= MOST_PIXELS);
  return isSize ? size : undefined;
}, `WIDTHxHEIGHT in pixels, each ${LEAST_PIXELS} to ${MOST_PIXELS}: 800x400`);

export type TableFormat = (typeof TABLE_FORMATS)[number];

/** Loads what runs scenarios; only the commands that run one call it. */
export type Engine = () => Promise<RunScenario>;

/** Options of commands that run one scenario. */
export interface ScenarioOptions {
  readonly set: readonly string[];
  readonly plugin: readonly string[];
  readonly seed?: string;
  readonly lenient?: boolean;
  readonly threads: Placement;
  readonly out?: string;
  readonly force?: boolean;
  readonly report?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
  /** All of them, not only a few. */
  readonly notes?: boolean;
  readonly allowRefused?: boolean;
}

/** Options for a sweep that is in the folder already. */
export interface ResumeOptions {
  readonly resume?: boolean;
  readonly force?: boolean;
}

/** The way in which the folder of the sweep is opened. */
export function opening({ resume, force }: ResumeOptions): { resume: boolean; force: boolean } {
  return { resume: resume === true, force: force === true };
}

/** The hint on how to continue a sweep that was stopped. */
export function howToGoOn({ resume, force }: ResumeOptions): string {
  if (resume === true) return "the same command goes on";
  return `the same command with --resume${force === true ? " in place of --force" : ""} goes on`;
}
