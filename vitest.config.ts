import { defineConfig } from "vitest/config";

/**
 * Tests import the compiled output (`dist`), so they test what ships, worker threads included; `pretest` builds it.
 * Forked processes, because a test may start threads of its own and watch them end.
 */
export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globals: false,
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    teardownTimeout: 10_000,
    passWithNoTests: false,
  },
});
