// Who may import whom, for what the compiler's project references cannot say. Every rule is a claim about the code;
// its comment says what breaking it would mean. Run by tools/layers.mjs, which fails when no module was seen.

/** A room and everything below it. */
const room = (...names) => `^src/(${names.join("|")})/`;

/** A package as dependency-cruiser sees it: its folder in node_modules, or its name when it is not installed. */
const packages = (...names) => `(^|node_modules/)(${names.join("|")})(/|$)`;

/** A claim that nothing outside some rooms imports a library. */
const onlyIn = (name, homes, libraries, comment) => ({
  name,
  comment,
  severity: "error",
  from: { path: "^src/", pathNot: homes },
  to: { path: packages(...libraries) },
});

const never = (name, from, to, comment) => ({ name, comment, severity: "error", from, to });

/**
 * A room with an entry file, `index.ts`: a room of src, a folder of core, or a platform. What a page of a report runs
 * in a browser is no part of a room.
 */
const ENTERED = "^src/(core/platforms/[^/]+|core/(?!platforms/)[^/]+|(?!core/|report/html/)[^/]+)/";

const THREADS_AND_DRIVERS = "(driver|thread|transport|inline|pacer|placement|pool)";

const rooms = [
  never(
    "core-knows-nobody",
    { path: room("core") },
    { path: "^src/", pathNot: room("core") },
    "Rules of scheduling would depend on how they are run, stored or shown, and could no longer be tested as plain functions.",
  ),
  never(
    "experiments-know-only-core",
    { path: room("experiments") },
    { path: "^src/", pathNot: room("experiments", "core") },
    "What runs say together would depend on how they are done, stored or shown; it follows from their figures alone.",
  ),
  never(
    "messages-know-only-core",
    { path: room("messages") },
    { path: "^src/", pathNot: room("messages", "core") },
    "A frame would mean something only to one transport or file format, and inline and threaded runs could differ.",
  ),
  never(
    "io-knows-messages-experiments-and-core",
    { path: room("io") },
    { path: "^src/", pathNot: room("io", "messages", "experiments", "core") },
    "Reading or writing a file would run simulations or print, and formats could not be tested on their own.",
  ),
  never(
    "actors-know-messages-and-core",
    { path: room("actors") },
    { path: "^src/", pathNot: room("actors", "messages", "core") },
    "An actor would read files or know experiments, and the same actor could not run on any thread.",
  ),
  never(
    "report-only-reads-results",
    { path: room("report") },
    { path: room("lab", "cli") },
    "A picture of results would run simulations: numbers go in, pages come out.",
  ),
  never(
    "lab-does-not-know-the-command-line",
    { path: room("lab") },
    { path: room("cli") },
    "Experiments could not be used as a library: only the command line parses arguments, prints and exits.",
  ),
  never(
    "rooms-are-entered-by-their-entry-file",
    { path: ENTERED },
    {
      path: ENTERED,
      pathNot: ["^src/$1/", `${ENTERED}index[.]ts$`],
      dependencyTypesNot: ["dynamic-import"],
    },
    "No file could be moved within its room without an edit in others. (Large modules are loaded by path when they are needed.)",
  ),
  never(
    "kernel-stands-alone",
    { path: "^src/core/kernel/" },
    { path: "^src/", pathNot: "^src/core/kernel/" },
    "Time, order and random draws would depend on what is simulated; everything rests on them, so they rest on nothing.",
  ),
  never(
    "what-platforms-stand-on-knows-none",
    { path: "^src/core/", pathNot: "^src/core/platforms/" },
    { path: "^src/core/platforms/" },
    "Time, machines, workloads and records would be those of one platform, and the next would have to work around it.",
  ),
  never(
    "platforms-are-siblings",
    { path: "^src/core/platforms/([^/]+)/" },
    { path: "^src/core/platforms/", pathNot: "^src/core/platforms/$1/" },
    "A change to one platform would move the results of another.",
  ),
  never(
    "theory-never-decides",
    { path: "^src/", pathNot: "^src/(core/theory[.]ts$|experiments/reproduce/|lab/|report/|cli/)" },
    { path: "^src/core/theory[.]ts$" },
    "Closed forms may use functions whose last bit differs between machines, and a prediction would judge itself.",
  ),
  never(
    "actors-are-given-their-outbox",
    { path: "^src/actors/(master|rack)", pathNot: THREADS_AND_DRIVERS },
    { path: `^src/actors/[^.]*${THREADS_AND_DRIVERS}` },
    "The master or a rack would know on which thread it runs, and fingerprints could differ between placements.",
  ),
  never(
    "actors-know-no-machine",
    { path: "^src/actors/(master|rack)", pathNot: THREADS_AND_DRIVERS },
    { dependencyTypes: ["core"] },
    "The master or a rack could read a clock or a file, and a run could no longer be repeated.",
  ),
];

const libraries = [
  onlyIn(
    "seedrandom-lives-in-the-kernel",
    "^src/core/kernel/",
    ["seedrandom"],
    "Draws would be taken outside the named streams, and adding an actor would shift the draws of another.",
  ),
  onlyIn(
    "msgpackr-lives-in-messages",
    room("messages"),
    ["msgpackr", "msgpackr-extract"],
    "There would be a second wire format, with its own options, that no version check covers.",
  ),
  onlyIn(
    "piscina-lives-in-actors-and-lab",
    room("actors", "lab"),
    ["piscina"],
    "Threads would be started where nothing ends them when a run is stopped or a rack dies.",
  ),
  onlyIn(
    "the-queue-lives-in-lab",
    room("lab"),
    ["bullmq", "ioredis"],
    "Every command would need a client for Redis installed, and passwords of queues would come where things are printed.",
  ),
  onlyIn(
    "worker-threads-live-in-actors-and-lab",
    room("actors", "lab"),
    ["(node:)?worker_threads"],
    "Code would know on which thread it runs, which only transports and experiments may.",
  ),
  onlyIn(
    "formats-live-in-io",
    room("io"),
    ["zstddec", "hdr-histogram-js", "@duckdb", "saxes", "xmlbuilder2", "yaml"],
    "A file format would leak into the model, and every command would pay for loading it.",
  ),
  never(
    "zod-is-loaded-by-io",
    { path: "^src/", pathNot: room("io") },
    { path: packages("zod"), dependencyTypesNot: ["type-only"] },
    "Every command and every thread would pay for loading it; others know its types, and are given the library.",
  ),
  onlyIn(
    "filtrex-lives-in-sweep-files",
    "^src/io/sweep/",
    ["filtrex"],
    "Text of a user would become code somewhere that does not restrict what it may say first.",
  ),
  onlyIn(
    "files-of-pictures-are-made-in-one-place",
    "^src/report/figure[.]ts$",
    ["@resvg/resvg-wasm", "pdfkit", "svg-to-pdfkit"],
    "Pictures would be written in several ways, and every command would pay for loading what writes them.",
  ),
  onlyIn(
    "echarts-lives-in-the-engine",
    "^src/report/engine[.]ts$",
    ["echarts"],
    "Every command would pay for loading what draws: only who draws loads the engine.",
  ),
  never(
    "nobody-loads-the-page",
    { path: "^src/", pathNot: "^src/report/html/" },
    { path: "^src/report/html/" },
    "Code for browsers would be loaded by a command: the page is bundled by itself, as text.",
  ),
  onlyIn(
    "the-terminal-lives-in-cli-and-report",
    room("cli", "report"),
    ["commander", "string-width", "cli-progress", "picocolors"],
    "Something below the command line would print, and `--json` could no longer promise exactly one document.",
  ),
  never(
    "core-imports-no-package",
    { path: room("core", "experiments"), pathNot: "^src/core/kernel/streams[.]ts$" },
    { dependencyTypesNot: ["local", "core", "type-only"] },
    "The model would change with somebody else's release; only the named streams stand on a package, seedrandom.",
  ),
  never(
    "core-experiments-and-messages-know-no-node",
    { path: room("core", "experiments", "messages") },
    { dependencyTypes: ["core"] },
    "A clock, a file or a socket would come within reach of what decides results.",
  ),
];

const hygiene = [
  never(
    "no-cycles",
    { path: "^src/" },
    { circular: true },
    "Neither file could be read, tested or moved without the other.",
  ),
  {
    ...never(
      "rooms-of-core-do-not-go-in-circles",
      { path: "^src/core/" },
      { circular: true, path: "^src/core/" },
      "Two rooms of the model would be one: neither could be understood, or moved, without the other.",
    ),
    scope: "folder",
  },
  never(
    "no-orphans",
    { path: "^src/", orphan: true, pathNot: ["[.]d[.]ts$", "^src/lab/public[.]ts$", "^src/report/html/page[.]ts$"] },
    {},
    "Nobody uses this file and it uses nobody: it is left over. (public.ts is the package's face.)",
  ),
  never(
    "nothing-is-missing",
    { path: "^src/" },
    { couldNotResolve: true },
    "The import works on one machine only, or not at all.",
  ),
  never(
    "no-development-tool-ships",
    // Optional peers: it says what to install where they are missing.
    // What draws, and the page of a report, are shipped as bundles.
    { path: "^src/", pathNot: "^src/(lab/sweep/queue/connection[.]ts$|report/(engine[.]ts$|html/))" },
    { dependencyTypes: ["npm-dev", "npm-no-pkg", "npm-unknown"], dependencyTypesNot: ["type-only"] },
    "An installed bide would lack the package: dependencies of src belong into `dependencies`.",
  ),
  never(
    "src-never-imports-tests",
    { path: "^src/" },
    { path: "^(test|bench|tools|scenarios)/" },
    "What ships would need what does not ship.",
  ),
];

module.exports = {
  forbidden: [...rooms, ...libraries, ...hygiene],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.base.json" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "types", "node", "default"] },
    combinedDependencies: false,
  },
};
