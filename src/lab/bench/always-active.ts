const USERS = 20;
const SIZES = 20;
const SIZE_STEP = 20;
const ACTIVE = 1000;
const MAP_SECONDS = 19;
/** Slots of the cluster of facebook-day.yaml. */
const MAP_SLOTS = 3100;
/** What a slot is empty between two maps: a map ends anywhere between two heartbeats, 3 s apart. */
const IDLE_SECONDS = 1.5;

/**
 * A scenario in which about 1,000 jobs have maps to launch all the time, for two hours: the cluster of facebook-day.yaml, 20
 * users, jobs of 20 to 400 maps of 19 s. As many come as the cluster can do, evenly spaced, and at the start there are as
 * many, and as far done, as there would be after long.
 */
export function alwaysActiveScenario(): string {
  const meanMaps = (SIZE_STEP * (SIZES + 1)) / 2;
  const jobsPerSecond = MAP_SLOTS / (MAP_SECONDS + IDLE_SECONDS) / meanMaps;
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
  const count = Math.max(1, Math.round(((ACTIVE / USERS) * (SIZES - size)) / all));
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
