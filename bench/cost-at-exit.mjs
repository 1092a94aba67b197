/** Loaded before a program (`node --import`): writes what its process has used to the file that COST_FILE names. */
import { writeFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

if (isMainThread) {
  process.once("exit", () => {
    const { user, system } = process.cpuUsage();
    const cost = {
      wallSeconds: performance.now() / 1000,
      cpuSeconds: (user + system) / 1e6,
      peakMemoryMiB: process.resourceUsage().maxRSS / 1024,
    };
    writeFileSync(process.env.COST_FILE, JSON.stringify(cost));
  });
}
