import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** What `npm pack` makes of this package, unpacked as an install would, beside the packages that it depends on. */
export class PackedBide {
  readonly #scratch = mkdtempSync(join(tmpdir(), "bide-packed-"));
  /** Folder of the package. */
  readonly root = join(this.#scratch, "node_modules", "bide");
  /** Paths that the packed file holds. */
  readonly files: readonly string[];

  constructor() {
    // What prepares the package is its build, and tests run on that.
    const args = ["pack", "--json", "--ignore-scripts", "--pack-destination", this.#scratch];
    const text = execFileSync("npm", args, { cwd: ROOT, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
    const [packed] = Object.values(JSON.parse(text) as Record<string, { filename: string; files: { path: string }[] }>);
    this.files = packed.files.map(({ path }) => path);
    mkdirSync(this.root, { recursive: true });
    execFileSync("tar", ["-xzf", join(this.#scratch, packed.filename), "--strip-components=1", "-C", this.root]);
    symlinkSync(join(ROOT, "node_modules"), join(this.root, "node_modules"));
  }

  remove(): void {
    rmSync(this.#scratch, { recursive: true, force: true });
  }
}
