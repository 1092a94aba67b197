import { defineConfig } from "vitest/config";

/**
 * npm run test:redis: sweeps through real Redis servers, which are killed and restarted. Each file has servers of its
 * own, and mostly waits: all at a time.
 */
export default defineConfig({
  test: {
    include: ["test/redis/**/*.test.ts"],
    globalSetup: ["test/redis/undisturbed.ts"],
    pool: "forks",
    maxWorkers: 4,
    testTimeout: 180_000,
    hookTimeout: 180_000,
    passWithNoTests: false,
  },
});
