import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const execute = promisify(execFile);

/**
 * A build of another commit in a folder of its own; `remove` leaves nothing behind. It has the packages of its own
 * lockfile: those of this folder where both lockfiles ask for the same, else installed anew.
 * @throws Error with what git or the compiler said; the signal's reason when it is aborted.
 */
export async function checkOut(root, commit, signal) {
  const wanted = ["rev-parse", "--verify", "--end-of-options", `${commit}^{commit}`];
  const full = (await run("git", wanted, root, signal)).trim();
  const place = mkdtempSync(join(tmpdir(), "bide-old-"));
  const path = join(place, "bide");
  const remove = async () => {
    // Fails where it had not come into being.
    await run("git", ["worktree", "remove", "--force", path], root).catch(() => undefined);
    rmSync(place, { recursive: true, force: true });
  };
  try {
    await run("git", ["worktree", "add", "--quiet", "--detach", path, full], root, signal);
    if (packagesOf(root) === packagesOf(path)) symlinkSync(join(root, "node_modules"), join(path, "node_modules"));
    else await run("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], path, signal);
    await run(process.execPath, [join(path, "node_modules", "typescript", "bin", "tsc"), "-b"], path, signal);
    const bundle = join(path, "tools", "bundle.mjs");
    if (existsSync(bundle)) await run(process.execPath, [bundle], path, signal);
  } catch (error) {
    await remove();
    throw error;
  }
  return { path, remove };
}

/** What the lockfile of the folder asks for, as text: the packages without the project itself. */
function packagesOf(root) {
  const { packages = {} } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  const { "": own = {}, ...others } = packages;
  return JSON.stringify([own.dependencies, own.devDependencies, others]);
}

async function run(command, args, cwd, signal) {
  try {
    return (await execute(command, args, { cwd, signal })).stdout;
  } catch (error) {
    signal?.throwIfAborted();
    const said = [error.stdout, error.stderr].join("").trim() || error.message;
    throw new Error(`${command.split("/").at(-1)} ${args.join(" ")}: ${said}`, { cause: error });
  }
}
