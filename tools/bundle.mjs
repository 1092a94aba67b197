/**
 * Bundles the compiled output: a command loads a few dozen files in place of hundreds.
 *
 *   node tools/bundle.mjs [--clean]      reads dist, writes bundle
 *
 * Programs are the command line, also as a function for tests, what `import "bide"` gives, and the file of every thread
 * and process: each `new URL("./NAME.js", import.meta.url)` of the compiled output names one. A program of the bundle
 * has the path that it has in dist, and `import.meta.url` of a bundled module names that path too. So the code finds
 * its programs and the folder of the package in the same way, bundled or not.
 */
import { build } from "esbuild";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const DIST = join(ROOT, "dist");
const BUNDLE = join(ROOT, "bundle");

/**
 * Libraries with native code or threads, those that few commands need and that are large, and those that users install
 * themselves.
 */
const NOT_BUNDLED = [
  ...["@duckdb/node-api", "@resvg/resvg-wasm", "bullmq", "ioredis", "pdfkit", "piscina", "svg-to-pdfkit"],
  "xmlbuilder2",
];

const PROGRAM = /new URL\("([^"]+\.js)", import\.meta\.url\)/g;

function programs() {
  const modules = readdirSync(DIST, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".js"));
  const started = modules.flatMap((name) => {
    const text = readFileSync(join(DIST, name), "utf8");
    return [...text.matchAll(PROGRAM)].map(([, path]) => join(DIST, dirname(name), path));
  });
  return [...["cli/main.js", "cli/bide.js", "lab/public.js"].map((path) => join(DIST, path)), ...new Set(started)];
}

/** The histograms compress with Node's zlib, and load this only for browsers. */
const withoutPako = {
  name: "without-pako",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^pako$/ }, () => ({ path: "pako", namespace: "none" }));
    onLoad({ filter: /^/, namespace: "none" }, () => ({ contents: "module.exports = null;" }));
  },
};

/** The file that declares each name of an entry file of a room, by name: [path, name there]. */
const entryNames = new Map();

function namesOf(entry) {
  if (!entryNames.has(entry)) {
    const text = readFileSync(entry, "utf8");
    const fileOf = (path) => resolve(dirname(entry), path);
    const all = [...text.matchAll(/export \* from "([^"]+)";/g)].flatMap(([, path]) =>
      declaredIn(fileOf(path)).map((name) => [name, [fileOf(path), name]]),
    );
    const renamed = [...text.matchAll(/export \{([^}]*)\} from "([^"]+)";/g)].flatMap(([, list, path]) =>
      pairsOf(list).map(([name, outside]) => [outside, [fileOf(path), name]]),
    );
    entryNames.set(entry, new Map([...all, ...renamed]));
  }
  return entryNames.get(entry);
}

/** The names that a compiled file exports: those that it declares, and those that it hands on by name. */
function declaredIn(path) {
  const text = readFileSync(path, "utf8");
  const declared = [...text.matchAll(/^export (?:async )?(?:function\*?|class|const|let) ([\w$]+)/gm)];
  const listed = [...text.matchAll(/^export \{([^}]*)\}/gm)].flatMap(([, list]) => pairsOf(list));
  return [...declared.map(([, name]) => name), ...listed.map(([, outside]) => outside)];
}

/** `a, b as c` as pairs of the name there and the name here. */
function pairsOf(list) {
  const names = list.split(",").map((one) => one.trim());
  return names.filter((one) => one !== "").map((one) => [...one.split(" as "), one].slice(0, 2));
}

/**
 * Names that come through the entry file of a room are taken from the files that have them: a command loads what it
 * uses of a room, and not the room.
 */
function pastEntries(text, path) {
  return text.replace(/^(import|export) \{([^}]*)\} from "([^"]+\/index\.js)";/gm, (_, word, list, entry) => {
    const names = namesOf(resolve(dirname(path), entry));
    const lines = pairsOf(list).map(([name, here]) => {
      const [file, there] = names.get(name) ?? [];
      if (file === undefined) throw new Error(`${path}: ${entry} has no ${name}`);
      return `${word} { ${there} as ${here} } from ${JSON.stringify(file)};`;
    });
    // On one line, so that lines keep their numbers.
    return lines.join(" ") + "\n".repeat(list.split("\n").length - 1);
  });
}

/**
 * Gives bundled modules the `import.meta.url` of their own path below the bundle, and names past the entry files of
 * rooms.
 */
const compiledOutput = {
  name: "compiled-output",
  setup({ onLoad }) {
    onLoad({ filter: /\.js$/ }, ({ path }) => {
      if (!path.startsWith(DIST + sep)) return null;
      const place = JSON.stringify(relative(DIST, path).replaceAll(sep, "/"));
      const url = `(/.*\\/bundle\\//.exec(import.meta.url)[0] + ${place})`;
      const text = pastEntries(readFileSync(path, "utf8"), path);
      return { contents: text.replaceAll("import.meta.url", url), loader: "js" };
    });
  },
};

/**
 * Libraries of the older kind ask for Node's own modules with `require`, which modules do not have, some of them where
 * esbuild does not see it (`eval`). On the first line, so that lines keep their numbers.
 */
const REQUIRE =
  'import { createRequire as requireOf } from "node:module"; const require = requireOf(import.meta.url); ';

/** The library refuses to be older than the compiled output. The command line runs that instead (bin/code.js). */
const NOT_STALE = `import { bundleIsFresh } from "../../bin/code.js";
if (!bundleIsFresh()) throw new Error("bundle is older than dist: npm run build makes it anew");
`;

function textOf({ path, text }) {
  if (path === join(BUNDLE, "lab/public.js")) return text + NOT_STALE;
  return path.endsWith(".js") && /__(commonJS|require)\b/.test(text) ? REQUIRE + text : text;
}

/** The licences of the libraries that are bundled. */
function licences(inputs) {
  const folders = new Set();
  for (const input of Object.keys(inputs)) {
    const [folder] = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input) ?? [];
    if (folder !== undefined) folders.add(folder);
  }
  const texts = [...folders].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(ROOT, folder, "package.json"), "utf8"));
    const file = readdirSync(join(ROOT, folder)).find((one) => /^licen[cs]e/i.test(one));
    const text = file === undefined ? "" : `\n${readFileSync(join(ROOT, folder, file), "utf8").trim()}\n`;
    return `${name} ${version}: ${license}\n${text}`;
  });
  return `These libraries are part of the bundle.\n\n${texts.join(`\n${"-".repeat(80)}\n\n`)}`;
}

/** Never half a file, and an unchanged one stays as it is: commands may be running. */
function write(path, text) {
  try {
    if (readFileSync(path, "utf8") === text) return;
  } catch {
    mkdirSync(dirname(path), { recursive: true });
  }
  // It goes by the names of files, of which there are new ones now.
  rmSync(join(ROOT, ".compile-cache"), { recursive: true, force: true });
  const part = `${path}.${process.pid}`;
  writeFileSync(part, text);
  renameSync(part, path);
}

/**
 * Files of earlier bundles stay for a day, for a command that runs may load parts of its bundle later. With --clean
 * they go at once.
 */
const KEPT_MS = 24 * 3600 * 1000;
const cleans = process.argv.includes("--clean");

const startedAt = new Date();
const { outputFiles, metafile } = await build({
  absWorkingDir: ROOT,
  entryPoints: programs(),
  outbase: DIST,
  outdir: BUNDLE,
  chunkNames: "parts/[name]-[hash]",
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20.19",
  external: NOT_BUNDLED,
  plugins: [compiledOutput, withoutPako],
  sourcemap: true,
  sourcesContent: false,
  metafile: true,
  write: false,
});
/** What a report holds beside its data: one script and its styles, as text for any browser. */
const page = await build({
  absWorkingDir: ROOT,
  entryPoints: ["dist/report/html/page.js", "src/report/html/page.css"],
  entryNames: "[name]",
  outdir: join(BUNDLE, "report"),
  bundle: true,
  minify: true,
  format: "iife",
  platform: "browser",
  target: "es2022",
  charset: "utf8",
  plugins: [compiledOutput],
  legalComments: "none",
  metafile: true,
  write: false,
});
const files = new Map(outputFiles.map((file) => [file.path, textOf(file)]));
for (const { path, text } of page.outputFiles) files.set(path, text);
files.set(join(BUNDLE, "LICENSES.txt"), licences({ ...metafile.inputs, ...page.metafile.inputs }));
const { codeVersion, VERSION_FILE } = await import("../dist/io/bide-version.js");
const versionFile = join(BUNDLE, VERSION_FILE);
files.set(versionFile, codeVersion());
for (const [path, text] of files) write(path, text);
for (const entry of readdirSync(BUNDLE, { recursive: true, withFileTypes: true })) {
  const path = join(entry.parentPath, entry.name);
  if (!entry.isFile() || files.has(path)) continue;
  if (cleans || startedAt - statSync(path).mtimeMs > KEPT_MS) rmSync(path, { force: true });
}
// bin/code.js compares this time with those of the compiled output.
utimesSync(versionFile, startedAt, startedAt);
