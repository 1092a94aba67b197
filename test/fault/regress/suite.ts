import { readFileSync } from "node:fs";
import { Place } from "../cli/command.js";

/** Twenty nodes and the jobs of a quarter of an hour, in about a tenth of a second. */
const SCENARIO = `name: small
cluster: {racks: 4, nodesPerRack: 5, mapSlots: 2, reduceSlots: 1}
workload: {kind: facebook, jobs: 60, span: 15m, users: 5}
scheduler: {kind: hfs, wait: {node: 10s, rack: 0s}}
run: {until: 15m, sample: 10s}
`;

const SUITE = `name: suite
speed: false
runs:
  - {name: exact, scenario: small.yaml}
  - {name: statistic, scenario: small.yaml, replications: 3, statistics: [nodeLocalAll, responseMean]}
`;

/** First in, first out; `burn` is worked off at each slot and decides nothing. */
export function plugin(burn: number): string {
  return `let state = 1;
export default {
  name: "lab",
  summary: "first in, first out",
  mayStarve: true,
  create: () => ({
    order(jobs) {
      for (let i = 0; i < ${burn}; i++) state = (Math.imul(state, 0x2c1b3c6d) ^ (state >>> 15)) | 1;
      return state === 0 ? [] : jobs;
    },
  }),
};
`;
}

export interface JsonComparison {
  readonly kind: string;
  readonly what: string;
  readonly verdict: string;
  readonly baseline: string | number | null;
  readonly now: string | number | null;
  readonly detail: string;
}

/** A folder with a scenario and a regression file. */
export class SuitePlace extends Place {
  constructor() {
    super();
    this.write("small.yaml", SCENARIO);
    this.write("suite.yaml", SUITE);
  }

  read(name: string): string {
    return readFileSync(`${this.path}/${name}`, "utf8");
  }

  /**
   * Exit code of `bide regress --json --quiet`, all comparisons by run and figure (`exact fingerprint`), and notes by
   * run.
   */
  async compare(...args: string[]): Promise<{
    code: number | null;
    found: Map<string, JsonComparison>;
    notes: Map<string, readonly string[]>;
    stderr: string;
  }> {
    const { code, stdout, stderr } = await this.bide("regress", ...args, "--json", "--quiet");
    const { runs } = JSON.parse(stdout) as { runs: { name: string; comparisons: JsonComparison[]; notes: string[] }[] };
    const found = runs.flatMap((run) => run.comparisons.map((one) => [`${run.name} ${one.what}`, one] as const));
    return { code, found: new Map(found), notes: new Map(runs.map((run) => [run.name, run.notes])), stderr };
  }
}
