import { allocationsOf, clusterOf, jobOf, poolOf, schedulerOf, smallRun } from "./small-scenarios.mjs";

const SECOND = 1_000_000;

/** The rule sets by which the run is tried. */
export const PREEMPTING_RULES = ["paper", "0.21", "1.2", "branch-1"];

/**
 * A cluster of 24 map slots and 12 reduce slots on 4 racks that a flood of long tasks fills, so that pools with
 * promises and pools beside it, nested and not, get slots by kills only. Job limits keep jobs out; two reloads change
 * who is promised what, and the second lifts limits.
 */
export function preemptingRun({ rules = "paper", seed = "1" } = {}) {
  return smallRun({
    cluster: clusterOf({ racks: 4, nodesPerRack: 3 }),
    scheduler: schedulerOf("hfs", {
      rules,
      countsThisHeartbeat: rules === "1.2" || rules === "branch-1",
      preemption: { mode: "kill", intervalUs: 5 * SECOND },
      sizeBasedWeight: true,
      allocations: allocations({ rules, promised: 3, maxJobs: 2 }),
      reloads: [
        { atUs: 100 * SECOND + 1, allocations: allocations({ rules, promised: 8, maxJobs: 2 }) },
        { atUs: 160 * SECOND, allocations: allocations({ rules, promised: 0, maxJobs: Infinity }) },
      ],
    }),
    jobs: floodedJobs(),
    seed,
  });
}

/** Where placement rules are followed: jobs that name no declared pool go to one of their user. */
const PLACEMENT = [
  { rule: "specified", create: false },
  { rule: "user", create: true },
];

/** `promised`: maps promised to the pool of ad-hoc queries; `maxJobs`: of it and of a user. */
function allocations({ rules, promised, maxJobs }) {
  return allocationsOf({
    pools: [
      poolOf("research", { weight: 2, fairShareTimeoutUs: 15 * SECOND }),
      poolOf("research.flood", { parent: "research", mode: "fifo" }),
      poolOf("research.ad-hoc", { parent: "research", minMaps: promised, maxJobs, minShareTimeoutUs: 6 * SECOND }),
      poolOf("prod", { minMaps: 6, minReduces: 3, minShareTimeoutUs: 3 * SECOND }),
      poolOf("web", { weight: 3, maxMaps: 9 }),
    ],
    users: [{ name: "cy", maxJobs }],
    fairShareTimeoutUs: 20 * SECOND,
    placement: rules === "branch-1" ? PLACEMENT : null,
  });
}

function floodedJobs() {
  const long = { mapUs: 90 * SECOND, reduces: 9, copyUs: 30 * SECOND, reduceUs: 90 * SECOND };
  const short = { mapUs: 9 * SECOND, copyUs: 6 * SECOND, reduceUs: 9 * SECOND };
  return [
    jobOf({ ...long, name: "flood", pool: "research.flood", maps: 60, count: 2, everyUs: SECOND }),
    jobOf({
      ...short,
      name: "prod",
      pool: "prod",
      atUs: 20 * SECOND,
      maps: 14,
      reduces: 4,
      count: 5,
      everyUs: 40 * SECOND,
    }),
    jobOf({
      ...short,
      name: "query",
      pool: "research.ad-hoc",
      atUs: 31 * SECOND,
      maps: 5,
      count: 8,
      everyUs: 11 * SECOND,
    }),
    jobOf({
      ...short,
      name: "page",
      pool: "web",
      user: "cy",
      atUs: 47 * SECOND,
      maps: 12,
      reduces: 2,
      count: 4,
      everyUs: 20 * SECOND,
    }),
    jobOf({ ...short, name: "stray", pool: "undeclared", atUs: 55 * SECOND, maps: 7, file: "shared", count: 2 }),
    jobOf({ ...short, name: "lost", pool: "undeclared", user: "dee", atUs: 57 * SECOND, maps: 7, file: "shared" }),
  ];
}
