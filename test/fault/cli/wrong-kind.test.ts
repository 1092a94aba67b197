import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Place } from "./command.js";

let place: Place;
const file = (name: string, contents: string | Uint8Array): void => {
  writeFileSync(join(place.path, name), contents);
};

/** Of each kind one, made by the command that makes it where there is one; and what a message calls it. */
const KINDS: Readonly<Record<string, string>> = {
  "good.yaml": "a scenario",
  "compared.yaml": "a scenario",
  "sweep.yaml": "a sweep",
  "goal.yaml": "a sweep with a goal",
  "regress.yaml": "a regression file",
  "regress.baseline.json": "the baseline of a regression file",
  swept: "the folder of a sweep",
  "swept/journal.jsonl": "the journal of a sweep",
  "swept/plan.json": "the plan of a sweep",
  "swept/runs.parquet": "a Parquet table",
  ran: "the results of one run",
  "ran/summary.json": "the summary of a run",
  "ran/resolved-scenario.json": "a resolved scenario, kept beside results",
  compared: "the folder of a comparison",
  "comparison.json": "a comparison that bide compare wrote",
  "fig.json": "a scorecard of bide reproduce",
  "dry.json": "the plan that bide sweep --dry-run prints",
  "published.yaml": "published values",
  "pools.xml": "an allocation file of Hadoop's Fair Scheduler",
  "queues.xml": "a configuration file of Hadoop",
  "page.xml": "XML with the root element <html>",
  empty: "an empty directory",
  folder: "a directory that Bide did not write",
  "noise.bin": "a binary file",
  "app-20240101-0000": "an event log of Spark",
  "app-20240101-0001.gz": "an event log of Spark, packed with gzip",
  "app-20240101-0002.zstd": "a file packed with zstd, named as Spark names its event logs",
  eventlog_v2_app: "a rolling event log of Spark",
  logs: "a directory with an event log of Spark (b-log)",
  "cut.gz": "a gzip archive",
  "job_1.jhist": "a job history of Hadoop (.jhist)",
  "rumen.json": "a job trace of Rumen",
  "topology.json": "a cluster topology of Rumen",
  "sls.json": "a list of jobs for YARN's load simulator (SLS)",
  "sls-nodes.json": "a list of nodes for YARN's load simulator (SLS)",
  "sls-syn.json": "a synthetic load for YARN's load simulator (SLS)",
  "huge.tsv": "a SWIM trace",
  "picture.png": "a PNG picture",
  "mine.mjs": "a JavaScript or TypeScript file",
  "trace.tsv": "a SWIM trace",
  "tasks.csv": "a table of tasks",
};

/** Which of them each command takes. */
const TAKES: Readonly<Record<string, readonly string[]>> = {
  run: ["good.yaml", "compared.yaml"],
  compare: ["good.yaml", "compared.yaml"],
  validate: ["good.yaml", "compared.yaml", "sweep.yaml", "goal.yaml", "regress.yaml"],
  sweep: ["sweep.yaml", "goal.yaml"],
  tune: ["goal.yaml", "sweep.yaml"],
  regress: ["regress.yaml"],
  results: ["swept", "ran", "compared"],
  trace: ["ran"],
  report: ["swept", "ran", "compared", "fig.json"],
  merge: ["swept"],
  "explain-config": ["pools.xml", "queues.xml", "page.xml"],
};

/** One for files and one for folders asks what each kind is called; the others what they make of it. */
const ALL_KINDS = ["run", "results"];
const SOME_KINDS = [
  "good.yaml",
  "sweep.yaml",
  "ran",
  "comparison.json",
  "pools.xml",
  "noise.bin",
  "trace.tsv",
  "empty",
];

beforeAll(async () => {
  place = new Place();
  const axes = "scenario: good.yaml\naxes:\n  - {name: W1, path: scheduler.wait.node, values: [0s, 2s]}\n";
  file("compared.yaml", "workload: {kind: benchmark}\ncompare: {systems: [{name: a, set: {scheduler: fair}}]}\n");
  file("sweep.yaml", axes);
  file("goal.yaml", `${axes}goal: {smallest: [W1], where: [{measure: responseMean, atMost: 1h}]}\n`);
  file("regress.yaml", "runs: [{name: good, scenario: good.yaml, speed: false}]\n");
  file("fig.json", '{"format": "bide-scorecard", "version": 2, "rows": []}\n');
  file("dry.json", '{"format": "bide-sweep-plan", "version": 1, "plan": {}}\n');
  file("published.yaml", "why: w\nrows: []\n");
  file("pools.xml", "<?xml version='1.0'?><allocations><pool name='a'/></allocations>");
  file("queues.xml", "<configuration/>");
  file("page.xml", "<html></html>");
  file(
    "noise.bin",
    Uint8Array.from({ length: 300 }, (_, i) => (i * 7) % 256),
  );
  file("picture.png", Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10));
  file("mine.mjs", "export default {};\n");
  file("trace.tsv", "job0\t0\t0\t1\t1\t1\n");
  file("tasks.csv", "job,type,seconds,submit\na,map,3,0\n");
  // Longer than a scenario may be, the event log in one line.
  file("huge.tsv", "job0\t0\t0\t1\t1\t1\n".repeat(80_000));
  const event = '{"Event":"SparkListenerLogStart","Spark Version":"3.5.1"}\n';
  const environment = `{"Event":"SparkListenerEnvironmentUpdate","Spark Properties":{"a":"${"x".repeat(2 ** 21)}"}}\n`;
  file("app-20240101-0000", environment + event);
  file("app-20240101-0001.gz", gzipSync(event.repeat(9000)));
  file("app-20240101-0002.zstd", Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0, 0x58));
  file("cut.gz", gzipSync(environment).subarray(0, 12));
  file("job_1.jhist", 'Avro-Json\n{"type":"record","name":"Event"}\n');
  file("rumen.json", '{\n  "priority" : "NORMAL",\n  "jobID" : "job_1_1"\n}\n{\n  "jobID" : "job_1_2"\n}\n');
  file("topology.json", '{"name" : "<root>", "children" : []}\n');
  file("sls.json", '{"am.type":"mapreduce","job.start.ms":0,"job.tasks":[]}\n{"am.type":"mapreduce"}\n');
  file("sls-nodes.json", '{"rack":"rack1","nodes":[{"node":"node1"}]}\n{"rack":"rack2","nodes":[{"node":"node2"}]}\n');
  file("sls-syn.json", '{"num_nodes":20,"num_jobs":10,"workloads":[{"workload_name":"tiny"}]}\n');
  for (const name of ["empty", "folder", "logs", "eventlog_v2_app"]) mkdirSync(join(place.path, name));
  file("folder/notes.txt", "mine\n");
  file("logs/a.txt", "mine\n");
  file("logs/b-log", event);
  file("eventlog_v2_app/events_1_app", event);
  const made = await Promise.all([
    place.bide("run", "good.yaml", "--out", "ran", "--quiet", "--no-tables"),
    place.bide("sweep", "sweep.yaml", "--out", "swept", "--quiet", "--threads", "1"),
    place.bide("compare", "good.yaml", "--schedulers", "fair", "--out", "comparison.json", "--quiet"),
    place.bide("compare", "good.yaml", "--schedulers", "fair", "--out", "compared", "--quiet"),
    place.bide("regress", "regress.yaml", "--update", "--quiet"),
  ]);
  expect(made.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0]);
}, 60_000);
afterAll(() => {
  place.remove();
});

describe("a file or folder of the wrong kind is called what it is, in one sentence", () => {
  it.each(Object.keys(TAKES))(
    "by bide %s",
    async (command) => {
      const rest = command === "merge" ? ["--out", "merged"] : [];
      const kinds = ALL_KINDS.includes(command) ? Object.keys(KINDS) : SOME_KINDS;
      const names = kinds.filter((name) => !TAKES[command]!.includes(name));
      const asked = async (half: readonly string[]): Promise<void> => {
        for (const name of half) {
          const { code, stdout, stderr } = await place.bide(command, name, ...rest);
          expect({ name, code, stdout }).toEqual({ name, code: 2, stdout: "" });
          expect(stderr.startsWith(`${name}: found ${KINDS[name]!}, allowed `), stderr).toBe(true);
          expect(stderr.trimEnd().split("\n"), stderr).toHaveLength(1);
        }
      };
      await Promise.all([asked(names.filter((_, i) => i % 2 === 0)), asked(names.filter((_, i) => i % 2 === 1))]);
      expect(place.left()).not.toContain("merged");
    },
    120_000,
  );

  it("with the command that takes it", async () => {
    const said = async (...args: string[]): Promise<string> => (await place.bide(...args)).stderr;
    expect(await said("sweep", "good.yaml")).toBe(
      "good.yaml: found a scenario, allowed a sweep; npx bide run good.yaml or npx bide compare good.yaml runs it\n",
    );
    expect(await said("run", "sweep.yaml")).toBe(
      "sweep.yaml: found a sweep, allowed a scenario; npx bide sweep sweep.yaml runs it\n",
    );
    expect(await said("run", "app-20240101-0000")).toBe(
      `app-20240101-0000: found an event log of Spark, allowed a scenario; npx bide import spark app-20240101-0000 --out DIR makes a scenario of it\n`,
    );
    expect(await said("explain", "job_1.jhist", "--job", "1")).toBe(
      `job_1.jhist: found a job history of Hadoop (.jhist), allowed the folder of a run; npx bide import hadoop job_1.jhist --out DIR makes a scenario of it\n`,
    );
    expect(await said("reproduce", "--published", "sweep.yaml")).toBe(
      "sweep.yaml: found a sweep, allowed published values; npx bide sweep sweep.yaml runs it\n",
    );
    expect(await said("results", "none")).toBe(
      "none: found nothing of that name, allowed the folder of a sweep, a run or a comparison\n",
    );
  });

  it("where a sweep names it as its scenario", async () => {
    const [imported, makes] = ["npx bide import spark", "--out DIR makes a scenario of it"];
    for (const [name, what] of [
      ["app-20240101-0000", `an event log of Spark, allowed a scenario; ${imported} app-20240101-0000 ${makes}`],
      [
        "app-20240101-0001.gz",
        `an event log of Spark, packed with gzip, allowed a scenario; once it is unpacked ${imported} app-20240101-0001.gz ${makes}`,
      ],
      [
        "job_1.jhist",
        `a job history of Hadoop (.jhist), allowed a scenario; npx bide import hadoop job_1.jhist ${makes}`,
      ],
      ["sweep.yaml", "a sweep, allowed a scenario; npx bide sweep sweep.yaml runs it"],
    ]) {
      const goal = "goal: {minimise: responseMean}";
      place.write(
        "of-other.yaml",
        `scenario: ${name!}\naxes: [{path: storage.replication, values: [1, 2]}]\n${goal}\n`,
      );
      for (const command of ["sweep", "tune"]) {
        const { code, stderr } = await place.bide(command, "of-other.yaml");
        expect([command, code, stderr]).toEqual([command, 2, `${name!}: found ${what!}\n`]);
      }
    }
    // A scenario that is one, and broken, is told of line by line.
    place.write("broken-scenario.yaml", "cluster: {racks: 0}\nworkload: {kind: facebook}\n");
    place.write("of-broken.yaml", "scenario: broken-scenario.yaml\naxes: [{path: storage.replication, values: [1]}]\n");
    const { stderr } = await place.bide("sweep", "of-broken.yaml");
    expect(stderr).toMatch(/^broken-scenario\.yaml:1:18: found 0 for cluster\.racks/);
  });

  it("beside what is wrong with other files, and never in place of it", async () => {
    place.write("bad.yaml", "workload: {kind: nothing}\n");
    const { stderr } = await place.bide("validate", "bad.yaml", "pools.xml");
    expect(stderr).toMatch(/^pools\.xml: found .*, allowed a scenario, a sweep or a regression file; /m);
    expect(stderr).toMatch(/^bad\.yaml:1:18: found "nothing" for workload\.kind/m);
    const piped = await place.shell("echo 'workload: {kind: nothing}' | $BIDE run /dev/stdin");
    expect(piped.stderr).toMatch(/:1:18: found "nothing" for workload\.kind/);
  });
});

describe("an option of another command", () => {
  it("is named with that command", async () => {
    const { code, stderr } = await place.bide("compare", "good.yaml", "--descending");
    expect(code).toBe(2);
    expect(stderr).toContain(
      "--descending is an option of bide results: Print, query, export or plot the results of a sweep or run\n",
    );
    expect((await place.bide("run", "good.yaml", "--nonsense")).stderr).not.toContain("is an option of");
  });
});

describe("a name of a file", () => {
  it.each([
    [["results", "swept", "--plot", "W1,responseMean", "--out", "x.gif"], "--out x.gif", "gif", "svg, .png, .pdf"],
    [["results", "swept", "--out", "x.csv"], "--out x.csv", "csv", "txt"],
    [["results", "swept", "--parquet", "x.csv"], "--parquet x.csv", "csv", "parquet"],
    [["compare", "good.yaml", "--out", "x.svg"], "--out x.svg", "svg", "json"],
    [["regress", "regress.yaml", "--junit", "x.json"], "--junit x.json", "json", "xml"],
  ])("that promises another format is refused: %j", async (args, where, found, allowed) => {
    const { code, stdout, stderr } = await place.bide(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toBe(`${where}: found the ending .${found}, allowed .${allowed}, which is what is written\n`);
    expect(place.left()).not.toContain(args.at(-1));
  });

  it("that promises nothing, or what is written, is taken", async () => {
    for (const name of ["plot", "plot.svg", "plot.SVG"]) {
      const drawn = await place.bide("results", "swept", "--plot", "W1,responseMean", "--out", name, "--quiet");
      expect({ name, ...drawn }).toMatchObject({ code: 0, stderr: "" });
    }
  });
});
