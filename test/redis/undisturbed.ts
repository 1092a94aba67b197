import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BIDE, PACES, SWEEP, writeSweep } from "./bide-process.js";

/** The sweeps that the tests do, done here without any queue: what they must come to. */
export default function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), "bide-undisturbed-"));
  const planned = mkdtempSync(join(tmpdir(), "bide-planned-"));
  for (const pace of PACES) {
    writeSweep(planned, pace);
    const out = join(folder, pace);
    execFileSync(process.execPath, [BIDE, "sweep", SWEEP, "--out", out, "--quiet"], { cwd: planned, stdio: "ignore" });
  }
  process.env.BIDE_UNDISTURBED = folder;
  return () => {
    for (const one of [folder, planned]) rmSync(one, { recursive: true, force: true });
  };
}
