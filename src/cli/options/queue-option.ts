import { Option } from "commander";

/** Never checked here: what commander says of a bad value repeats it, and it may hold a password. */
export function queueOption(): Option {
  return new Option("--queue <url>", "Redis server for the runs: redis://[user:password@]host[:port][/database]").env(
    "BIDE_QUEUE",
  );
}

/** The file, never the secret itself: whoever lists processes would see it. */
export function queueSecretOption(): Option {
  return new Option(
    "--queue-secret <file>",
    "file with a secret that sweep and workers share; only what is signed with it is believed (or BIDE_QUEUE_SECRET)",
  );
}
