/** Own events of the master at one instant happen in this order, before any heartbeat of that instant. */
export const SAMPLE = 0;
export const RELOAD = 1;
export const EXPIRY = 2;
export const UPDATE = 3;
export const SPECULATE = 4;
export const REPLICATE = 5;
export const JOB_READY = 6;
export const JOB_END = 7;
export const SUBMIT = 8;
export const LOOK_IF_STUCK = 9;
