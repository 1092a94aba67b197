import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BIDE, SWEEP, writeSweep } from "./bide-process.js";

/** The sweep that all tests do, done here without any queue: what they must come to. */
export default function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), "bide-undisturbed-"));
  writeSweep(folder);
  execFileSync(process.execPath, [BIDE, "sweep", SWEEP, "--out", "local", "--quiet"], { cwd: folder, stdio: "ignore" });
  process.env.BIDE_UNDISTURBED = join(folder, "local");
  return () => {
    rmSync(folder, { recursive: true, force: true });
  };
}
