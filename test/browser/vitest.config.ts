import { defineConfig } from "vitest/config";

/** npm run test:browser: reports in a real browser, Debian's Chromium. */
export default defineConfig({
  test: {
    include: ["test/browser/**/*.test.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A chart is drawn some time after what changes it, on a machine that may be busy.
    expect: { poll: { timeout: 10_000 } },
    passWithNoTests: false,
  },
});
