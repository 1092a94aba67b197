import { z } from "zod";
import type { Plain } from "../scenario/yaml-document.js";
import { choice, listOf, mapping, scalar, text } from "../scenario/values.js";

const bound = scalar<Plain>({
  allowed: "a number, a share like 95% or a time like 30s",
  json: { type: ["string", "number"] },
  read: (value) => (typeof value === "number" || typeof value === "string" ? value : undefined),
});

/** `5%` or 0.05; from `least` up to 1. */
export function shareAbove(least: number) {
  return scalar<number>({
    allowed: `a share above ${String(least * 100)}% and up to 100%, written 5% or 0.05`,
    json: { type: ["string", "number"] },
    read: (value) => {
      const found = shareOf(value);
      return found !== undefined && found > least && found <= 1 ? found : undefined;
    },
  });
}

/** Of `5%`, or of a number. */
export function shareOf(value: unknown): number | undefined {
  if (typeof value === "number") return value;
  const percent = typeof value === "string" ? /^(\d{1,3}(?:\.\d{1,6})?)\s*%$/.exec(value) : null;
  return percent === null ? undefined : Number(percent[1]) / 100;
}

const clause = mapping({
  measure: text(1, 100).describe("One of those that are kept."),
  atLeast: bound.optional().describe("Its mean over all replications must be at least this."),
  atMost: bound.optional().describe("At most this."),
  withinOfBest: shareAbove(0)
    .optional()
    .describe("No worse than the best mean among all points by more than this share of it."),
});

/** `goal`: what `bide tune` looks for among the points. */
export const goalSchema = mapping({
  smallest: listOf(text(1, 100), "names of axes")
    .optional()
    .describe("Axes, the most important first: the point with the smallest steps on them that meets all conditions."),
  by: choice(["order", "sum"])
    .optional()
    .describe("How points are compared: axis by axis (the default), or by the sum of their quantities."),
  minimise: text(1, 100).optional().describe("In place of smallest: the point with the least mean of a measure."),
  maximise: text(1, 100).optional().describe("In place of smallest: with the greatest."),
  where: z.array(clause, { error: () => "a list of conditions {measure, atLeast}" }).prefault([]),
  confidence: shareAbove(0.5)
    .prefault(0.95)
    .describe("The search ends when its model gives the answer this probability. Default: 95%."),
});

export type GoalFile = z.output<typeof goalSchema>;
export type ClauseFile = GoalFile["where"][number];
