import { InvalidArgumentError } from "commander";
import { US_PER_HOUR } from "../core/kernel/index.js";
import { SCHEDULER_KINDS } from "../core/scenario/index.js";
import type { SchedulerPlugin } from "../core/platforms/hadoop/index.js";
import { LIMITS, allowedNames, quote, parseDuration, parseSize } from "../io/index.js";
import type { Placement, RunScenario } from "../lab/index.js";

const MAX_RUNS = 100;

const MAX_POINTS = 1_000_000;

const MAX_FRAMES = 10_000_000;

export const MAX_SHARDS = 1_000_000;

const MAX_DRAIN_US = 24 * US_PER_HOUR;

const LEAST_MEMORY = 2 ** 24;

const MOST_MEMORY = 2 ** 40;

const MAX_SPAN_US = 30 * 24 * US_PER_HOUR;

/** `--threads`. */
export function placement(text: string): Placement {
  if (text === "auto" || text === "rack") return text;
  const allowed = `allowed auto, rack, 1 or 0 (inline), or a number of threads up to ${String(LIMITS.rackThreads)}`;
  return whole(text, 0, LIMITS.rackThreads, allowed);
}

/** `--threads` where each thread does whole runs. */
export function threadCount(text: string): number {
  return whole(text, 1, LIMITS.rackThreads, `allowed a number of threads from 1 to ${String(LIMITS.rackThreads)}`);
}

export function slices(text: string): number {
  return whole(text, 1, LIMITS.slices, `allowed a whole number from 1 to ${String(LIMITS.slices)}`);
}

export function seedCount(text: string): number {
  return whole(text, 1, LIMITS.seeds, `allowed a whole number from 1 to ${String(LIMITS.seeds)}`);
}

/** `--replications`. */
export function replicationCount(text: string): number {
  const highest = LIMITS.replications;
  return whole(text, 1, highest, `allowed a whole number from 1 to ${String(highest)}`);
}

/** `--runs`. */
export function runCount(text: string): number {
  return whole(text, 1, MAX_RUNS, `allowed a whole number from 1 to ${String(MAX_RUNS)}`);
}

/** `--top`. */
export function pointCount(text: string): number {
  return whole(text, 1, MAX_POINTS, `allowed a whole number from 1 to ${String(MAX_POINTS)}`);
}

/** `--frames`. */
export function frameCount(text: string): number {
  return whole(text, 1, MAX_FRAMES, `allowed a whole number from 1 to ${String(MAX_FRAMES)}`);
}

/** `--span`: microseconds. */
export function span(text: string): number {
  const us = parseDuration(text);
  if (us === undefined || us === 0 || us > MAX_SPAN_US) {
    throw new InvalidArgumentError(`Found ${quote(text)}, allowed a time from 1us to 30d, such as 10m.`);
  }
  return us;
}

/** `--from`, `--to`: microseconds of virtual time. */
export function instant(text: string): number {
  const us = parseDuration(text);
  if (us === undefined)
    throw new InvalidArgumentError(`Found ${quote(text)}, allowed a virtual time, such as 90s or 2h.`);
  return us;
}

/** `--sql-memory`: bytes. */
export function memorySize(text: string): number {
  const bytes = parseSize(text);
  if (bytes === undefined || bytes < LEAST_MEMORY || bytes > MOST_MEMORY) {
    throw new InvalidArgumentError(`Found ${quote(text)}, allowed a size from 16MB to 1TB, such as 2GB.`);
  }
  return bytes;
}

/** `--zstd-window`: bytes. */
export function zstdWindow(text: string): number {
  const bytes = parseSize(text);
  const { usual, most: largest } = LIMITS.zstdWindowBytes;
  if (bytes === undefined || bytes < usual || bytes > largest || !Number.isInteger(Math.log2(bytes))) {
    throw new InvalidArgumentError(`Found ${quote(text)}, allowed 128MB, 256MB, 512MB or 1GB.`);
  }
  return bytes;
}

/** `--shards`. */
export function shardCount(text: string): number {
  return whole(text, 1, MAX_SHARDS, `allowed a whole number from 1 to ${String(MAX_SHARDS)}`);
}

/** `--drain`: microseconds. */
export function drainTime(text: string): number {
  const us = parseDuration(text);
  if (us === undefined || us > MAX_DRAIN_US) {
    throw new InvalidArgumentError(`Found ${quote(text)}, allowed a time up to 24h, such as 10m.`);
  }
  return us;
}

/** `--schedulers fifo,fair`, `--systems`: names, each once, in the order given. */
export function names(text: string): string[] {
  return [...new Set(text.split(",").map((name) => name.trim()))];
}

/** For options that may be repeated. */
export function collect(text: string, before: readonly string[]): string[] {
  return [...before, text];
}

export function whole(text: string, least: number, highest: number, allowed: string): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
  if (!(value >= least && value <= highest)) throw new InvalidArgumentError(`Found ${quote(text)}, ${allowed}.`);
  return value;
}

/** As a POSIX shell takes it. */
export function shellWord(text: string): string {
  return /^[\w./=:@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Built-in kinds, then plugins. */
function schedulerNames(plugins: readonly SchedulerPlugin[]): string[] {
  return [...SCHEDULER_KINDS, ...plugins].map(({ name }) => name);
}

/** The fault in the names; null if each is that of a built-in kind or of a plugin. */
export function unknownScheduler(names: readonly string[], plugins: readonly SchedulerPlugin[]): string | null {
  const known = schedulerNames(plugins);
  const unknown = names.find((name) => !known.includes(name));
  return unknown === undefined ? null : `Found ${quote(unknown)}, allowed ${allowedNames(known, unknown)}`;
}

/** Formats of printed tables. */
export const TABLE_FORMATS = ["text", "md", "latex", "csv", "json"] as const;

/** `800x400`: pixels of what the axes of a figure enclose. */
export function figureSize(text: string): { readonly width: number; readonly height: number } {
  const [, width, height] = /^(\d{1,5})x(\d{1,5})$/.exec(text) ?? [];
  const size = { width: Number(width), height: Number(height) };
  if (!Object.values(size).every((pixels) => pixels >= LEAST_PIXELS && pixels <= MOST_PIXELS)) {
    const allowed = `WIDTHxHEIGHT in pixels, each ${String(LEAST_PIXELS)} to ${String(MOST_PIXELS)}: 800x400`;
    throw new InvalidArgumentError(`Found ${quote(text)}, allowed ${allowed}.`);
  }
  return size;
}

const LEAST_PIXELS = 50;

const MOST_PIXELS = 5000;

export type TableFormat = (typeof TABLE_FORMATS)[number];

/** Loads what runs scenarios; only the commands that run one call it. */
export type Engine = () => Promise<RunScenario>;

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
