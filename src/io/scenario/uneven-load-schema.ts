import { choice, count, durationOr, either, mapping, quantity, size } from "./values.js";
import { LIMITS } from "./limits.js";

const settings = mapping({
  share: quantity(0, 1)
    .prefault(0.5)
    .describe("Share of the generated jobs that read a hot file in place of their own."),
  files: count(1, LIMITS.hotFiles).prefault(10).describe("Hot files at a time."),
  skew: quantity(0, 10).prefault(1).describe("Zipf exponent of their popularity; 0: all alike."),
  redraw: durationOr("never", 1_000_000, LIMITS.waitUs).prefault("never").describe("After this time others are hot."),
});

/** `storage.hotSpots` */
export const hotSpotsSchema = either(
  [choice(["off"]), settings],
  () => "off, or a mapping {share: 0.5, files: 10, skew: 1, redraw: never}",
);

const dataSetSettings = mapping({
  size: size(2 ** 10, LIMITS.maxRoomBytes).describe("Of all its blocks together; the last may be cut short."),
  hotShare: quantity(0, 1).prefault(0.1).describe("Share of its blocks that are hot."),
  readHot: quantity(0, 1).prefault(0.5).describe("Share of the jobs that read where it is hot."),
  redraw: durationOr("never", 1_000_000, LIMITS.waitUs).prefault("5m").describe("After this time others are hot."),
});

/** `storage.dataSet` */
export const dataSetSchema = either(
  [choice(["off"]), dataSetSettings],
  () => "off, or a mapping {size: 100GB, hotShare: 0.1, readHot: 0.5, redraw: 5m}",
);

/** `longTasks` of a generated workload, or of an entry of a job list. */
export const longTasksSchema = mapping({
  share: quantity(0, 1).describe("Share of the jobs, or of all tasks, that are long."),
  factor: quantity(1, LIMITS.longFactor).describe("Multiplies the times of their maps and reduces, up to 30 days."),
  of: choice(["jobs", "tasks"])
    .prefault("jobs")
    .describe("jobs: a share of the jobs, with all their tasks; tasks: each task for itself."),
});
