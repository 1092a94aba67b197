import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { installedPath, missingOptional, platformOf, privateAddresses } from "../../tools/complete-lockfile.mjs";
import { ROOT } from "./project-files.js";

const packages = {
  "": { name: "project" },
  "node_modules/a": { optionalDependencies: { "a-linux-x64": "1.0.0", "a-darwin-arm64": "1.0.0", b: "2.0.0" } },
  "node_modules/a/node_modules/b": { version: "2.0.0" },
  "node_modules/a-linux-x64": { version: "1.0.0", resolved: "https://registry.npmjs.org/a/-/a-1.0.0.tgz" },
  "node_modules/c": { version: "1.0.0", resolved: "https://mirror.example/c-1.0.0.tgz" },
};

describe("the lockfile serves every platform", () => {
  it("has an entry for every optional dependency and no private address", () => {
    const lock = JSON.parse(readFileSync(`${ROOT}/package-lock.json`, "utf8")) as { packages: typeof packages };
    expect(Object.keys(lock.packages).length).toBeGreaterThan(100);
    expect(missingOptional(lock.packages)).toEqual([]);
    expect(privateAddresses(lock.packages)).toEqual([]);
  });

  it("misses what npm would not find: the package's own folder first, then every folder above", () => {
    expect(installedPath(packages, "node_modules/a", "b")).toBe("node_modules/a/node_modules/b");
    expect(installedPath(packages, "node_modules/a/node_modules/b", "c")).toBe("node_modules/c");
    expect(installedPath(packages, "node_modules/a", "nowhere")).toBeNull();
    expect(missingOptional(packages)).toEqual([{ parent: "node_modules/a", name: "a-darwin-arm64", range: "1.0.0" }]);
  });

  it("finds addresses that only one network can reach", () => {
    expect(privateAddresses(packages).map(([path]: [string, unknown]) => path)).toEqual(["node_modules/c"]);
  });

  it("reads the platform from the name of a native package, and says when it cannot", () => {
    expect(platformOf("@x/y-darwin-arm64", [])).toEqual({ os: ["darwin"], cpu: ["arm64"] });
    expect(platformOf("@x/y-linux-arm64-musl", [])).toEqual({ os: ["linux"], cpu: ["arm64"], libc: ["musl"] });
    expect(platformOf("@x/y-linux-x64", ["@x/y-linux-x64-musl"])).toEqual({
      os: ["linux"],
      cpu: ["x64"],
      libc: ["glibc"],
    });
    expect(platformOf("@x/y-linux-x64", [])).toEqual({ os: ["linux"], cpu: ["x64"] });
    expect(platformOf("@x/y", [])).toBeNull();
  });
});
