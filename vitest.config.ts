import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

/**
 * Rooms of tests that call functions and look at what comes back. Their files share processes: loading modules anew for
 * each costs more than they do.
 */
const FUNCTIONS = ["conformance", "contract", "effects", "property", "theory", "tidy", "unit"];
/** Rooms of tests about processes, threads and what is loaded: each file has a process of its own. */
const PROCESSES = ["determinism", "fault", "scale"];
/** What a file is called whose tests take long: `npm test` leaves it out, `npm run test:long` does not. */
const LONG = "test/**/*.long.test.ts";
/**
 * Searches over random cases: `npm test` tries a part of them, `npm run test:searches` all (test/support/search.ts).
 */
const SEARCHES = ["test/property/**/*.test.ts", "test/fault/nodes/random-faults.test.ts"];

const filesOf = (rooms: readonly string[]): string[] => rooms.map((room) => `test/${room}/**/*.test.ts`);

/**
 * Tests import the compiled output (`dist`), so they test what ships, worker threads included; `pretest` builds it.
 * Forked processes, because a test may start threads of its own and watch them end.
 */
export default defineConfig({
  test: {
    globals: false,
    pool: "forks",
    maxWorkers: Math.max(2, availableParallelism() - 1),
    testTimeout: 120_000,
    hookTimeout: 120_000,
    teardownTimeout: 10_000,
    passWithNoTests: false,
    // The compiled output is loaded by Node itself: transformed by Vite, each simulation would take longer.
    server: { deps: { external: [/\/(bundle|dist)\//] } },
    setupFiles: [
      "test/support/seed-of-cases.ts",
      // Only for tools/test-costs.mjs.
      ...(process.env["BIDE_TEST_COSTS"] === undefined ? [] : ["test/support/cost-of-file.ts"]),
    ],
    projects: [
      { extends: true, test: { name: "functions", include: filesOf(FUNCTIONS), exclude: [LONG], isolate: false } },
      { extends: true, test: { name: "processes", include: filesOf(PROCESSES), exclude: [LONG] } },
      { extends: true, test: { name: "long", include: [LONG] } },
      { extends: true, test: { name: "searches", include: SEARCHES, env: { BIDE_LONG: "1" }, isolate: false } },
    ],
  },
});
