import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * A build of another commit in a folder of its own, with the packages of this one; `remove` leaves nothing behind.
 * @throws Error with what git or the compiler said.
 */
export function checkOut(root, commit) {
  const full = run("git", ["rev-parse", "--verify", "--quiet", "--end-of-options", `${commit}^{commit}`], root);
  const place = mkdtempSync(join(tmpdir(), "bide-old-"));
  const path = join(place, "bide");
  const remove = () => {
    try {
      run("git", ["worktree", "remove", "--force", path], root);
    } catch {
      // It had not come into being, or is gone.
    }
    rmSync(place, { recursive: true, force: true });
  };
  try {
    run("git", ["worktree", "add", "--quiet", "--detach", path, full.trim()], root);
    symlinkSync(join(root, "node_modules"), join(path, "node_modules"));
    run(process.execPath, [join(root, "node_modules", "typescript", "bin", "tsc"), "-b"], path);
  } catch (error) {
    remove();
    throw error;
  }
  return { path, name: full.slice(0, 10), remove };
}

function run(command, args, cwd) {
  try {
    return execFileSync(command, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  } catch (error) {
    const said = [error.stdout, error.stderr].join("").trim() || error.message;
    throw new Error(`${command.split("/").at(-1)} ${args.join(" ")}: ${said}`, { cause: error });
  }
}
