import { Option } from "commander";

/** Never checked here: what commander says of a bad value repeats it, and it may hold a password. */
export function queueOption(): Option {
  return new Option("--queue <url>", "Redis server for the runs: redis://[user:password@]host[:port][/database]").env(
    "BIDE_QUEUE",
  );
}
