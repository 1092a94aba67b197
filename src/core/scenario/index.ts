export type * from "./cluster-spec.js";
export * from "./defaults.js";
export type * from "./rows.js";
export * from "./runtime-spec.js";
export * from "./scenario.js";
export * from "./scheduler-kinds.js";
export type * from "./scheduler-spec.js";
