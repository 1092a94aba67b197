import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** A folder of modules that are nobody's yet: each load of a file needs a name of its own, for modules are kept. */
export class PluginFolder {
  readonly path = mkdtempSync(join(tmpdir(), "bide-plugins-"));

  /** Writes a file and returns its path. */
  write(name: string, text: string): string {
    const path = join(this.path, name);
    writeFileSync(path, text);
    return path;
  }

  url(name: string): string {
    return pathToFileURL(join(this.path, name)).href;
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
