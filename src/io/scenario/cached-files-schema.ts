import { choice, count, either, mapping, quantity, size } from "./values.js";
import { LIMITS } from "./limits.js";

const settings = mapping({
  share: quantity(0, 1).prefault(0.5).describe("Share of the generated jobs that need such a file."),
  files: count(1, LIMITS.hotFiles).prefault(10).describe("How many there are, all alike popular."),
  size: size(1, LIMITS.taskBytes).prefault("100MB").describe("Of each."),
});

/** `storage.cachedFiles` */
export const cachedFilesSchema = either(
  [choice(["off"]), settings],
  () => "off, or a mapping {share: 0.5, files: 10, size: 100MB}",
);
