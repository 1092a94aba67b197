import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { availableParallelism, cpus, totalmem } from "node:os";
import { join } from "node:path";
import type { BenchMachine } from "../../core/metrics/bench-report.js";
import { bideVersion, PACKAGE_ROOT } from "../bide-version.js";

/** What is measured on, and what. */
export function benchMachine(): BenchMachine {
  return {
    // Some virtual machines name no processor.
    cpu: cpus()[0]?.model.trim() ?? process.arch,
    cores: availableParallelism(),
    memoryGiB: Number((totalmem() / 2 ** 30).toFixed(1)),
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    bide: [bideVersion(), commit(PACKAGE_ROOT)].filter((part) => part !== null).join(" "),
  };
}

/** The commit of a checkout, and whether what is measured differs from it; null where there is no checkout. */
function commit(root: string): string | null {
  if (!existsSync(join(root, ".git"))) return null;
  try {
    const head = git(root, "rev-parse", "--short=10", "HEAD");
    const changed = git(root, "status", "--porcelain", "--", "src", "bin", "scenarios", "package-lock.json");
    return changed === "" ? head : `${head} with changes`;
  } catch {
    return null;
  }
}

function git(root: string, ...words: string[]): string {
  return execFileSync("git", words, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
}
