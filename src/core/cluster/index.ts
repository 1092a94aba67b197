export * from "./block-store.js";
export * from "./faults.js";
export * from "./flows.js";
export * from "./placement.js";
export * from "./read-ends.js";
export * from "./topology.js";
