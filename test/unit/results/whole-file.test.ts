import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { checkNewFile, writeWholeFile } from "../../../dist/io/index.js";

let place: string;
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), "bide-file-"));
});
afterEach(() => {
  rmSync(place, { recursive: true, force: true });
});

describe("a file that is there whole or not at all", () => {
  it("is written, and replaced by force only", () => {
    const path = join(place, "a.json");
    checkNewFile(path, false);
    expect(readdirSync(place)).toEqual([]);
    writeWholeFile(path, "1", false);
    for (const write of [() => checkNewFile(path, false), () => writeWholeFile(path, "2", false)]) {
      expect(write).toThrow(/a\.json: the file is there already.*--force/);
    }
    writeWholeFile(path, "2", true);
    expect(readFileSync(path, "utf8")).toBe("2");
    expect(readdirSync(place)).toEqual(["a.json"]);
  });

  it("leaves nothing when the process is left while it is written", () => {
    const module = new URL("../../../dist/io/index.js", import.meta.url).href;
    const code = `import { writeWholePieces } from ${JSON.stringify(module)};
      import { readdirSync } from "node:fs";
      await writeWholePieces("a.json", (function* () { yield "1"; console.log(readdirSync(".").length); process.exit(7); })(), false);`;
    const { status, stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", code], { cwd: place });
    expect({ status, seen: String(stdout) }).toEqual({ status: 7, seen: "1\n" });
    expect(readdirSync(place)).toEqual([]);
  });

  it("never replaces what is no plain file, nor takes an empty name", () => {
    const link = join(place, "link.json");
    symlinkSync("/nowhere", link);
    for (const path of [link, "/dev/null"]) {
      expect(() => checkNewFile(path, true)).toThrow(/is no plain file: a link or a device/);
      expect(() => writeWholeFile(path, "1", true)).toThrow(/is no plain file/);
    }
    expect(readlinkSync(link)).toBe("/nowhere");
    expect(() => checkNewFile("", false)).toThrow(/is no name of a file/);
    expect(readdirSync(place)).toEqual(["link.json"]);
  });
});
