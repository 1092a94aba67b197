import { deepStrictEqual } from "node:assert";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import {
  type RunTask,
  checkKey,
  encodeExactly,
  fileOf,
  naming,
  openOutcome,
  openParcel,
  packOutcome,
  packTask,
  Seal,
  sealParcel,
  unpackTask,
  refusal,
  planSweep,
  RunKeys,
} from "../../../dist/lab/index.js";
import { loadSweep, loadScenario } from "../../../dist/io/index.js";
import { doneRun } from "../../support/small-sweeps.js";

const KEY = "a".repeat(32);
const CODE = "c".repeat(32);
const SWEEP = "feedfeedfeedfeed";
const OPEN = new Seal(null);
const SECRET = new Seal("correct horse battery");

function taskOf(file: string): RunTask {
  const { scenario } = loadScenario(file);
  const plan = { measures: ["locality.shares.node"], warmUp: { kind: "cut", untilUs: 5 } as const, series: false };
  return { key: KEY, scenario, directory: "/somewhere", plugins: ["/there/p.mjs"], ...plan, hasTwins: false };
}

describe("a run that travels", () => {
  it("arrives as it was, but for paths", () => {
    const task = taskOf("scenarios/tiny.yaml");
    const back = unpackTask(packTask(task), null, ["/here/p.mjs"]);
    deepStrictEqual(back, { ...task, directory: "/", plugins: ["/here/p.mjs"] });
  });

  it("arrives as a sweep plans it, without what is about this machine", () => {
    const planned = planSweep(loadSweep("scenarios/sweeps/tiny-waits.yaml"), []).taskOf(0, 0);
    const task = { ...planned, workloadDigest: "d".repeat(64) };
    const { workloadDigest: _, ...travels } = planned;
    expect(planned.hasTwins).toBe(true);
    deepStrictEqual(unpackTask(packTask(task), null, []), { ...travels, directory: "/" });
  });

  it("reads the file that came with it, and no other", () => {
    const task = taskOf("scenarios/swim.yaml");
    const { workload } = task.scenario;
    if (!("file" in workload)) throw new Error("the scenario reads a file");
    expect(fileOf(task)).toBe(`/somewhere/${workload.file}`);
    const back = unpackTask(packTask(task), "/here/trace", []);
    deepStrictEqual(back.scenario.workload, { ...workload, file: "/here/trace" });
    expect(() => unpackTask(packTask(task), null, [])).toThrow("did not come with it");
    expect(fileOf(taskOf("scenarios/tiny.yaml"))).toBeNull();
  });

  it("of 10,000 nodes is small", () => {
    expect(packTask(taskOf("scenarios/scale-10k.yaml")).length).toBeLessThan(100_000);
  });

  it("names files as they are called where the sweep is", () => {
    const failed = { outcome: "failed", error: "/tmp/x:3: found a", cost: { wallSeconds: 1 } } as const;
    expect(naming(failed, "/tmp/x", "/home/trace")).toMatchObject({ error: "/home/trace:3: found a" });
  });

  it("is the run that its key names, and no other", () => {
    const task = { ...taskOf("scenarios/tiny.yaml"), plugins: [], directory: "/" };
    const { measures, warmUp, series, scenario } = task;
    const keys = new RunKeys({ plan: { measures, warmUp, series }, directory: "/", plugins: [] });
    const [key] = keys.keysOf(scenario, [scenario.run.seed]);
    const arrived = unpackTask(packTask({ ...task, key }), null, []);
    expect(() => checkKey(key, arrived)).not.toThrow();
    const other = { ...arrived, scenario: { ...scenario, run: { ...scenario.run, seed: "2" } } };
    for (const [name, run] of [
      [key, other],
      [key, { ...arrived, measures: [] }],
      [KEY, arrived],
      [key, { ...arrived, key: KEY }],
    ] as const) {
      expect(() => checkKey(name, run)).toThrow("another run than its key names");
    }
  });

  it("is unpacked to 128 MiB at most, whatever it was packed from", () => {
    const bomb = gzipSync(Buffer.alloc(200 * 2 ** 20)).toString("base64");
    expect(bomb.length).toBeLessThan(2 ** 20);
    expect(() => unpackTask(bomb, null, [])).toThrow("more than 128 MiB");
  });

  it.each(["", "AAAA", gzipSync("null").toString("base64"), gzipSync('{"$":"maybe"}').toString("base64")])(
    "is not what unpacks to nothing of the kind: %j",
    (packed) => {
      expect(() => unpackTask(packed, null, [])).toThrow(/no packed run|no run/);
    },
  );
});

describe("a job in Redis", () => {
  const parcel = { code: CODE, plugins: ["b".repeat(64)], file: null, task: "AAAA" };

  it("comes back as it was put there", () => {
    for (const seal of [OPEN, SECRET]) {
      expect(openParcel(seal, SWEEP, KEY, sealParcel(seal, SWEEP, KEY, parcel))).toEqual(parcel);
    }
  });

  it.each([
    ["a digest that is a path", { ...parcel, file: { digest: "../../../../etc/passwd", shown: "x" } }],
    ["a digest in capitals", { ...parcel, file: { digest: "A".repeat(64), shown: "x" } }],
    ["a plugin that is a path", { ...parcel, plugins: ["/etc/passwd"] }],
    ["more than belongs there", { ...parcel, directory: "/" }],
    ["less than belongs there", { code: CODE, plugins: [], file: null }],
    ["another type", { ...parcel, task: 7 }],
    ["no object", null],
  ])("is refused with %s", (_, hostile) => {
    expect(() => openParcel(OPEN, SWEEP, KEY, { sealed: JSON.stringify(hostile) })).toThrow(/^no run/);
  });

  it.each([null, undefined, 3, "", {}, { sealed: 5 }, { sealed: "{" }, { sealed: "x".repeat(9 * 2 ** 20) }])(
    "is refused where it is nothing of the kind",
    (data) => {
      expect(() => openParcel(OPEN, SWEEP, KEY, data)).toThrow(/no run|a run of \d+ bytes/);
    },
  );

  it("is believed only with the queue secret, of this sweep and of this run", () => {
    const sealed = sealParcel(SECRET, SWEEP, KEY, parcel);
    const plain = sealParcel(OPEN, SWEEP, KEY, parcel);
    expect(() => openParcel(SECRET, SWEEP, KEY, plain)).toThrow("not signed with the queue secret");
    expect(() => openParcel(OPEN, SWEEP, KEY, sealed)).toThrow("this process has none");
    expect(() => openParcel(new Seal("another secret"), SWEEP, KEY, sealed)).toThrow("another queue secret");
    expect(() => openParcel(SECRET, SWEEP, "b".repeat(32), sealed)).toThrow("another queue secret, or changed");
    expect(() => openParcel(SECRET, "0".repeat(16), KEY, sealed)).toThrow("another queue secret, or changed");
    const changed = { sealed: sealed.sealed.replace("AAAA", "AAAB") };
    expect(() => openParcel(SECRET, SWEEP, KEY, changed)).toThrow("changed since");
    expect(JSON.stringify(sealed)).not.toContain("correct horse");
  });
});

describe("what comes back", () => {
  const run = doneRun(KEY);
  if (run.outcome !== "done") throw new Error("the run was done");
  const wanted = { key: KEY, code: CODE, measures: Object.keys(run.values), series: false };
  const opened = (text: unknown, rest: Partial<typeof wanted> = {}): ReturnType<typeof openOutcome> =>
    openOutcome(OPEN, SWEEP, text, { ...wanted, ...rest });

  const whole = { code: CODE, key: KEY, run };
  const notDone = { outcome: "not done", problem: "no file" } as const;

  it("is an outcome, its key and the code that made it", () => {
    for (const one of [run, { outcome: "failed", error: "x", cost: { wallSeconds: 0.1 } } as const, notDone]) {
      expect(opened(packOutcome(OPEN, SWEEP, { code: CODE, key: KEY, run: one }))).toEqual(one);
    }
    const series = { at_us: [0, 10], running_maps: [3, 4] };
    const text = packOutcome(OPEN, SWEEP, { code: CODE, key: KEY, run: { ...run, series } });
    expect(opened(text, { series: true })).toEqual({ ...run, series });
    expect(() => opened(text)).toThrow("with or without samples");
  });

  it("has an error of at most 1 MiB, whatever a plugin said", () => {
    const failed = { outcome: "failed", error: "x".repeat(2 ** 21), cost: { wallSeconds: 1 } } as const;
    const back = opened(packOutcome(OPEN, SWEEP, { code: CODE, key: KEY, run: failed }));
    expect(back).toEqual({ ...failed, error: "x".repeat(2 ** 20) });
  });

  it("has null for values that JSON cannot say, as a journal has", () => {
    const [name] = Object.keys(run.values);
    const odd = { ...run, values: { ...run.values, [name]: NaN } };
    const back = opened(packOutcome(OPEN, SWEEP, { code: CODE, key: KEY, run: odd }));
    expect(back).toEqual({ ...run, values: { ...run.values, [name]: null } });
  });

  it("is of the run and the code that were asked for", () => {
    const of = (code: string, key: string): string => packOutcome(OPEN, SWEEP, { code, key, run });
    expect(() => opened(of("d".repeat(32), KEY))).toThrow("of other code");
    expect(() => opened(of(CODE, "b".repeat(32)))).toThrow("of another run");
    expect(() => opened(of(CODE, KEY), { measures: [] })).toThrow("other measures");
    expect(() => opened(of(CODE, KEY), { measures: ["x"] })).toThrow("other measures");
    const stepped = encodeExactly({ ...whole, run: { ...run, steps: { "../x": 3 } } });
    expect(() => opened(stepped)).toThrow("steps of other measures");
  });

  it.each([
    ["NaN where a number belongs", encodeExactly({ ...whole, run: { ...run, virtualSeconds: NaN } })],
    ["NaN as a value", encodeExactly({ ...whole, run: { ...run, values: { a: NaN } } })],
    ["infinity as a value", encodeExactly({ ...whole, run: { ...run, values: { a: Infinity } } })],
    ["counts below nothing", encodeExactly({ ...whole, run: { ...run, counts: { ...run.counts, kills: -1 } } })],
    ["no counts", encodeExactly({ ...whole, run: { ...run, counts: {} } })],
    ["more than belongs there", encodeExactly({ ...whole, run: { ...run, extra: 1 } })],
    ["a fingerprint that is none", encodeExactly({ ...whole, run: { ...run, fingerprint: "\u001b[31mred" } })],
    ["a note without an end", encodeExactly({ ...whole, run: { ...run, notes: ["x".repeat(2 ** 21)] } })],
    ["more notes than any run has", encodeExactly({ ...whole, run: { ...run, notes: Array(2000).fill("x") } })],
    ["columns of different lengths", encodeExactly({ ...whole, run: { ...run, series: { a: [1], b: [] } } })],
    ["no problem where the run was not done", encodeExactly({ ...whole, run: { outcome: "not done" } })],
    ["another outcome", encodeExactly({ ...whole, run: { outcome: "maybe" } })],
    ["no key", encodeExactly({ code: CODE, run })],
    ["nothing", "{}"],
    ["null", "null"],
    ["no JSON", "{"],
    ["no text", 3],
    ["no result", undefined],
  ])("is refused with %s", (_, text) => {
    expect(() => opened(text)).toThrow(/^no result/);
  });
});

describe("a process may do runs of a sweep", () => {
  const sweep = { name: "s", code: "a".repeat(32), plugins: ["p".repeat(64)], since: 0 };

  it("with its code and plugins", () => {
    expect(refusal(sweep, { code: sweep.code, plugins: ["q", ...sweep.plugins] })).toBeNull();
  });

  it("not with other code, whatever its plugins", () => {
    const why = refusal(sweep, { code: "b".repeat(32), plugins: sweep.plugins });
    expect(why).toBe(
      "found code aaaaaaaaaaaa..., allowed bbbbbbbbbbbb..., which this process runs: install the same Bide on both sides",
    );
  });

  it("not without a plugin", () => {
    expect(refusal(sweep, { code: sweep.code, plugins: [] })).toContain("--plugin FILE with the same contents");
  });
});
