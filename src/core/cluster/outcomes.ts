/** How an attempt ends, as its heartbeat reports it. */
export const SUCCEEDED = 0;
export const WAS_KILLED = 1;
export const HAS_FAILED = 2;
/** The node that it read from has gone: nobody's fault. */
export const SOURCE_LOST = 3;
/** Its work is done; it asks leave to commit. */
export const WANTS_COMMIT = 4;
