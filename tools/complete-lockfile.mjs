/**
 * Completes package-lock.json for platforms other than the one that wrote it.
 *
 * A registry that lacks the native package of some platform makes npm leave that optional entry out of the lockfile,
 * and `npm ci` of npm 11 then refuses the lockfile everywhere. This fills the gaps: every optional dependency that is
 * declared with an exact version gets an entry with its version, os, cpu and libc, and its integrity where the
 * registry knows it. It also drops `resolved` addresses that point to a private mirror, so that npm asks whichever
 * registry it is configured for.
 *
 *   node tools/complete-lockfile.mjs           complete the lockfile (asks the registry for what is missing)
 *   node tools/complete-lockfile.mjs --check   only report, offline; exit 1 when something is missing
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const PUBLIC_REGISTRY = "https://registry.npmjs.org/";
const EXACT_VERSION = /^\d+\.\d+\.\d+(?:[-+][\w.+-]+)?$/;
const OPERATING_SYSTEMS = [
  "android",
  "darwin",
  "freebsd",
  "linux",
  "netbsd",
  "openbsd",
  "openharmony",
  "sunos",
  "win32",
];
const PROCESSORS = ["arm", "arm64", "ia32", "loong64", "ppc64", "riscv64", "s390x", "wasm32", "x64"];

/** Where npm would find `name` when the package at `from` asks for it, or null: node's own upward search. */
export function installedPath(packages, from, name) {
  for (let base = from; ; base = base.slice(0, Math.max(0, base.lastIndexOf("node_modules/") - 1))) {
    const path = `${base === "" ? "" : `${base}/`}node_modules/${name}`;
    if (packages[path] !== undefined) return path;
    if (base === "") return null;
  }
}

/** Optional dependencies that a package of the lockfile declares and that the lockfile does not have. */
export function missingOptional(packages) {
  const missing = [];
  for (const [parent, entry] of Object.entries(packages)) {
    for (const [name, range] of Object.entries(entry.optionalDependencies ?? {})) {
      if (installedPath(packages, parent, name) === null) missing.push({ parent, name, range });
    }
  }
  return missing;
}

/** Entries whose address is not the public registry's. */
export function privateAddresses(packages) {
  return Object.entries(packages).filter(
    ([, { resolved }]) => /^https?:/.test(resolved ?? "") && !resolved.startsWith(PUBLIC_REGISTRY),
  );
}

/**
 * The platform that a native package is named for, e.g. `…-linux-arm64-musl`; null when the name says none.
 * A Linux package without a libc in its name is for glibc when a sibling is for musl, else for both.
 */
export function platformOf(name, siblings) {
  const words = name.split(/[/-]/);
  const os = words.find((word) => OPERATING_SYSTEMS.includes(word));
  const cpu = words.find((word) => PROCESSORS.includes(word));
  if (os === undefined || cpu === undefined) return null;
  const platform = { os: [os], cpu: [cpu] };
  if (os !== "linux") return platform;
  if (words.includes("musl")) return { ...platform, libc: ["musl"] };
  const forGlibc = words.includes("gnu") || siblings.includes(`${name}-musl`);
  return forGlibc ? { ...platform, libc: ["glibc"] } : platform;
}

/** What the registry says of one version, or null when it has none. Throws when the registry cannot be asked. */
function registryEntry(name, version) {
  const fields = ["version", "dist.integrity", "os", "cpu", "libc", "license", "engines"];
  try {
    const text = execFileSync("npm", ["view", `${name}@${version}`, "--json", ...fields], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
      shell: process.platform === "win32",
    });
    return text.trim() === "" ? null : JSON.parse(text);
  } catch (error) {
    if (/"code":\s*"E404"/.test(String(error.stdout))) return null;
    throw new Error(`cannot ask the registry for ${name}@${version}: ${String(error.stdout ?? error)}`, {
      cause: error,
    });
  }
}

/** The lockfile entry of one missing optional package; keys in npm's own order. */
function entryFor({ parent, name, range }, packages) {
  if (!EXACT_VERSION.test(range)) {
    throw new Error(`${parent} wants ${name}@${range}: only an exact version can be completed, run npm install`);
  }
  const owner = packages[parent];
  const known = registryEntry(name, range);
  const named = platformOf(name, Object.keys(owner.optionalDependencies));
  if (known === null && named === null) {
    throw new Error(`${name}@${range} is unknown to this registry and its name does not say for which platform it is`);
  }
  const { os, cpu, libc } = known ?? named;
  const license = known?.license ?? owner.license;
  const entry = {
    version: range,
    integrity: known?.["dist.integrity"],
    cpu,
    dev: owner.dev,
    libc,
    license,
    optional: true,
    os,
  };
  return JSON.parse(JSON.stringify({ ...entry, engines: known?.engines }));
}

function sortedByPath(packages) {
  return Object.fromEntries(Object.entries(packages).sort(([a], [b]) => a.localeCompare(b, "en")));
}

function main(path, checkOnly) {
  const text = readFileSync(path, "utf8");
  const lock = JSON.parse(text);
  const missing = missingOptional(lock.packages);
  const mirrored = privateAddresses(lock.packages);
  const count = Object.keys(lock.packages).length;
  if (count < 2) throw new Error(`${path} names no packages`);
  if (checkOnly) {
    for (const { parent, name, range } of missing) console.log(`missing: ${name}@${range}, optional for ${parent}`);
    for (const [at, { resolved }] of mirrored) console.log(`private address: ${at} from ${resolved}`);
    console.log(`lockfile: ${count} packages, ${missing.length} missing, ${mirrored.length} private addresses`);
    if (missing.length + mirrored.length > 0) console.log("run: node tools/complete-lockfile.mjs");
    return missing.length + mirrored.length === 0 ? 0 : 1;
  }
  for (const gap of missing) {
    const entry = entryFor(gap, lock.packages);
    lock.packages[`node_modules/${gap.name}`] = entry;
    console.log(`added ${gap.name}@${gap.range}${entry.integrity === undefined ? ", integrity unknown here" : ""}`);
  }
  for (const [, entry] of mirrored) delete entry.resolved;
  if (missing.length > 0) lock.packages = sortedByPath(lock.packages);
  const completed = `${JSON.stringify(lock, null, 2)}\n`;
  if (completed !== text) writeFileSync(path, completed);
  console.log(`lockfile: ${count} packages, ${missing.length} added, ${mirrored.length} private addresses dropped`);
  return 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const lockfile = fileURLToPath(new URL("../package-lock.json", import.meta.url));
  process.exitCode = main(lockfile, process.argv.includes("--check"));
}
