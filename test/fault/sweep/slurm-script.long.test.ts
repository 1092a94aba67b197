import { spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PackedBide } from "../../support/packed.js";
import { ended } from "../cli/command.js";

/**
 * Stands for Slurm's: the script is copied away as Slurm does; each id of an array runs with its variables, and what
 * depends on the array runs after it, if all have ended well.
 */
const SBATCH = `#!/usr/bin/env bash
set -euo pipefail
here="$(dirname "$0")"
echo "$*" >>"$here/calls"
array="" dependency=""
while [[ "$1" == --* ]]; do
  case "$1" in --array=*) array="\${1#*=}" ;; --dependency=*) dependency="\${1#*=}" ;; esac
  shift
done
cp "$1" "$here/spooled"
if [[ -n "$array" ]]; then
  min="\${array%-*}" max="\${array#*-}"
  for id in $(seq "$min" "$max"); do
    env SLURM_ARRAY_TASK_ID="$id" SLURM_ARRAY_TASK_MIN="$min" SLURM_ARRAY_TASK_MAX="$max" SLURM_ARRAY_TASK_STEP=1 \\
      SLURM_ARRAY_TASK_COUNT=$((max - min + 1)) SLURM_CPUS_PER_TASK=1 bash "$here/spooled" >&2
  done
  echo "17;cluster"
else
  [[ "$dependency" == afterok:17 ]]
  bash "$here/spooled" "\${@:2}" >&2
fi
`;

let packed: PackedBide;
let project: string;
beforeAll(() => {
  packed = new PackedBide();
  project = dirname(dirname(packed.root));
  mkdirSync(join(project, "node_modules", ".bin"));
  chmodSync(join(packed.root, "bin/bide.js"), 0o755);
  symlinkSync("../bide/bin/bide.js", join(project, "node_modules/.bin/bide"));
  mkdirSync(join(project, "slurm"));
  writeFileSync(join(project, "slurm/sbatch"), SBATCH, { mode: 0o755 });
});
afterAll(() => {
  packed.remove();
});

async function submit(directory: string, env: Record<string, string>) {
  const script = join(packed.root, "scenarios/sweeps/deploy/slurm-array.sh");
  const sweep = join(packed.root, "scenarios/sweeps/tiny-waits.yaml");
  const path = [join(project, "slurm"), dirname(process.execPath), "/usr/bin", "/bin"].join(delimiter);
  const given = { PATH: path, HOME: project, SWEEP: sweep, OUT: join(project, "out"), PARTS: "2", ...env };
  return ended(spawn("bash", [script], { cwd: directory, env: given, stdio: ["ignore", "pipe", "pipe"] }));
}

describe.skipIf(process.platform === "win32")("the Slurm script of the package", () => {
  it.each([
    ["installed in the folder", {}],
    ["by npx", { BIDE: "npx bide" }],
    ["by a command of two words", { BIDE: "node WITH/bide.js" }],
    ["by a path with a blank in it", { BIDE: "WITH/a bide" }],
  ])("%s: all parts run, and are joined", async (_, env: { BIDE?: string }) => {
    const out = join(project, "out");
    rmSync(out, { recursive: true, force: true });
    rmSync(join(project, "slurm/calls"), { force: true });
    const bin = join(packed.root, "bin");
    if (!existsSync(join(bin, "a bide"))) symlinkSync("bide.js", join(bin, "a bide"));
    const { code, stderr } = await submit(
      project,
      env.BIDE === undefined ? {} : { BIDE: env.BIDE.replace("WITH", bin) },
    );
    expect(code, stderr).toBe(0);
    const calls = readFileSync(join(project, "slurm/calls"), "utf8");
    expect(calls).toMatch(/^--parsable --array=0-1 .*\n--dependency=afterok:17 .* merge\n$/);
    for (const folder of ["parts/0", "parts/1", "all"])
      expect(existsSync(join(out, folder, "runs.parquet")), folder).toBe(true);
    expect(stderr).toContain("tiny-waits: 12 runs of 2 parts in ");
  });

  it("without any bide: exit 2 before anything is submitted, and what to do", async () => {
    const empty = mkdtempSync(join(tmpdir(), "bide-none-"));
    rmSync(join(project, "slurm/calls"), { force: true });
    const { code, stderr } = await submit(empty, {});
    rmSync(empty, { recursive: true });
    expect(code).toBe(2);
    expect(stderr).toMatch(/slurm-array\.sh: found no bide, .*; npm install it here, or set BIDE\n$/);
    expect(existsSync(join(project, "slurm/calls"))).toBe(false);
  });
});
