export type * from "./cluster-spec.js";
export * from "./defaults.js";
export * from "./limits.js";
export * from "./rows.js";
export * from "./runtime-spec.js";
export * from "./scenario.js";
export * from "./scheduler-kinds.js";
export * from "./scheduler-spec.js";
