import { readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { array, assert, constantFrom, property } from "fast-check";
import { expect, it } from "vitest";
import { InputError, assemble, AssemblyMemo, overridesOf, readYaml } from "../../../dist/io/index.js";

const FOLDER = fileURLToPath(new URL("../../../scenarios/", import.meta.url));
const FILES = readdirSync(FOLDER).filter((file) => file.endsWith(".yaml"));
const XML = "hadoop/fair-scheduler.xml";

/** Good, bad, and in every section; some undo what others need. */
const SETTINGS = [
  "cluster.mapSlots=3",
  "cluster.mapSlots=65",
  "cluster={racks: 2, nodesPerRack: 3}",
  "clustre.racks=2",
  "storage.replication=2",
  "storage.replication=99",
  "scheduler=fair",
  "scheduler=faire",
  "scheduler.wait.node=7s",
  "scheduler.wait=none",
  `scheduler={kind: hfs, allocations: ${XML}}`,
  "scheduler={kind: hfs, allocations: no-such.xml}",
  "workload={kind: facebook, jobs: 10, span: 1h}",
  "workload.jobs=0",
  "runtime.jobSetup=1s",
  "run.until=1h",
  "run=soon",
  "faults.nodes=[]",
  "compare=3",
];

it("whatever was assembled before, a scenario or what is wrong with it is as without the memo", () => {
  const sets = array(array(constantFrom(...SETTINGS), { maxLength: 3 }), { minLength: 2, maxLength: 5 });
  assert(
    property(constantFrom(...FILES), sets, (name, points) => {
      const file = FOLDER + name;
      const yaml = readYaml(readFileSync(file, "utf8"), file);
      const memo = new AssemblyMemo(yaml);
      for (const set of points) {
        const draft = { yaml, file, systemChanges: [], overrides: overridesOf({ set }), plugins: [] };
        const outcome = (own: object): unknown => {
          try {
            return assemble({ ...draft, ...own });
          } catch (error) {
            if (!(error instanceof InputError)) throw error;
            return error.message;
          }
        };
        expect(outcome({ memo })).toEqual(outcome({}));
      }
    }),
    { seed: 11, numRuns: 60 },
  );
});
