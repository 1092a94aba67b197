// The bounds of settings are data beside their rows in core.

export { LIMITS } from "../../core/scenario/index.js";
