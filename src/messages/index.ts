export * from "./command-words.js";
export * from "./frame.js";
export * from "./packed-value.js";
export * from "./report-words.js";
