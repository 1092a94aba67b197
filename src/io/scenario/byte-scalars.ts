import { numberWithin, scalar, type Rule } from "./scalars.js";
import {
  BANDWIDTH_PATTERN,
  RATE_PATTERN,
  SIZE_PATTERN,
  formatSize,
  parseBandwidth,
  parseRate,
  parseSize,
} from "./units.js";

/** A way to write an amount of bytes. */
interface ByteForm {
  /** What it is called, with its article. */
  readonly what: string;
  /** What follows the units of its bounds. */
  readonly per: string;
  readonly parse: (text: string) => number | undefined;
  readonly pattern: string;
  /** Written after a bare number to make it one. */
  readonly unit: string;
  readonly examples: string;
}

const SIZE: ByteForm = {
  what: "a size",
  per: "",
  parse: parseSize,
  pattern: SIZE_PATTERN,
  unit: "MB",
  examples: "sizes are written 64KB, 128MB, 1.5GB",
};
const RATE: ByteForm = { ...SIZE, per: " per second", parse: parseRate, pattern: RATE_PATTERN };
const BANDWIDTH: ByteForm = {
  what: "a bandwidth",
  per: " per second",
  parse: parseBandwidth,
  pattern: BANDWIDTH_PATTERN,
  unit: "MB/s",
  examples: "bandwidths are written 240MB/s (2^20 bytes) or 1Gbps (10^9 bits)",
};

/** A size in bytes. `0` needs no unit. */
export function size(minBytes: number, maxBytes: number) {
  return scalar(byteRule(SIZE, minBytes, maxBytes));
}

/** A size in bytes, or a word that stands for Infinity. */
export function sizeOr(word: string, minBytes: number, maxBytes: number) {
  return scalar(orWord(word, byteRule(SIZE, minBytes, maxBytes)));
}

/** Bytes per second: a size, `/s` is optional. */
export function rate(minBytes: number, maxBytes: number) {
  return scalar(byteRule(RATE, minBytes, maxBytes));
}

/** Bytes per second of a disk or link, written in bytes or bits. */
export function bandwidth(minBytes: number, maxBytes: number) {
  return scalar(byteRule(BANDWIDTH, minBytes, maxBytes));
}

/** The same, or a word that stands for Infinity. */
export function bandwidthOr(word: string, minBytes: number, maxBytes: number) {
  return scalar(orWord(word, byteRule(BANDWIDTH, minBytes, maxBytes)));
}

function byteRule(form: ByteForm, minBytes: number, maxBytes: number): Rule<number> {
  const { what, per, parse, pattern } = form;
  const text = { type: "string", pattern };
  return {
    allowed: `${what} from ${formatSize(minBytes)} to ${formatSize(maxBytes)}${per}`,
    json: minBytes === 0 ? { anyOf: [text, { const: 0 }] } : text,
    read: (value) => {
      const bytes = typeof value === "string" ? parse(value) : value === 0 ? 0 : undefined;
      return numberWithin(bytes, minBytes, maxBytes);
    },
    hint: (value) => {
      if (typeof value === "number" && value > 0) return `; write a unit: ${String(value)}${form.unit}`;
      return typeof value === "string" && parse(value) === undefined ? `; ${form.examples}` : "";
    },
  };
}

function orWord(word: string, rule: Rule<number>): Rule<number> {
  return {
    ...rule,
    allowed: `${rule.allowed}, or ${word}`,
    json: { anyOf: [rule.json, { const: word }] },
    read: (value) => (value === word ? Infinity : rule.read(value)),
  };
}
