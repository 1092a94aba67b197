export * from "./build.js";
export * from "./copied.js";
export * from "./facebook.js";
export * from "./job.js";
