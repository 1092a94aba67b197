const USERS = 20;
const SIZES = 20;
const SIZE_STEP = 20;
/** Fewer than 1,000: until the first of them end, more come. */
const AT_START = 800;
const MAP_SECONDS = 19;
/** Slots of the cluster of facebook-day.yaml. */
const MAP_SLOTS = 3100;
/** From launch to launch in a slot: up to the heartbeat after the end, and longer where the block is elsewhere. As measured. */
const SLOT_SECONDS = 22.1;

/**
 * A scenario in which about 1,000 jobs have maps to launch all the time, for two hours: the cluster of facebook-day.yaml, 20
 * users, jobs of 20 to 400 maps of 19 s. As many come as the cluster can do, evenly spaced; those at the start
 * are as far done as they would be after long.
 */
export function alwaysActiveScenario(): string {
  const meanMaps = (SIZE_STEP * (SIZES + 1)) / 2;
  const jobsPerSecond = MAP_SLOTS / SLOT_SECONDS / meanMaps;
  const jobs = users().flatMap((user) =>
    sizes().flatMap((size) => [atStart(user, size), later(user, size, jobsPerSecond)]),
  );
  return `name: always-active
cluster: {racks: 31, nodesPerRack: 20, mapSlots: 5, reduceSlots: 5, heartbeat: 3s}
workload:
  kind: jobs
  jobs:
${jobs.join("\n")}
scheduler: {kind: hfs, wait: {node: 10s, rack: 5s}}
run: {until: 2h, sample: 10s}
`;
}

function users(): number[] {
  return [...Array(USERS).keys()];
}

function sizes(): number[] {
  return [...Array(SIZES).keys()];
}

/** Where jobs of all sizes share alike, what is left of them falls linearly from none to the largest size. */
function atStart(user: number, size: number): string {
  const all = (SIZES * (SIZES + 1)) / 2;
  const count = Math.max(1, Math.round(((AT_START / USERS) * (SIZES - size)) / all));
  return entryOf(user, size, `s${String(size)}`, 0, count, 1);
}

/** Users in turn, each with all sizes in turn; 13 is prime to 20, so that large and small ones alternate. */
function later(user: number, size: number, jobsPerSecond: number): string {
  const turn = ((size * 13) % SIZES) * USERS + user;
  const gapMs = Math.round((1000 * USERS * SIZES) / jobsPerSecond);
  const atMs = Math.round((1000 * (turn + 1)) / jobsPerSecond);
  return entryOf(user, size, `l${String(size)}`, atMs, Math.ceil(7_200_000 / gapMs), gapMs);
}

function entryOf(user: number, size: number, name: string, atMs: number, count: number, everyMs: number): string {
  const words = [
    `name: u${String(user)}${name}, user: u${String(user)}, maps: ${String(SIZE_STEP * (size + 1))}`,
    `mapTime: ${String(MAP_SECONDS)}s, at: ${String(atMs)}ms, count: ${String(count)}, every: ${String(everyMs)}ms`,
  ];
  return `    - {${words.join(", ")}}`;
}
