import { describe, expect, it } from "vitest";
import type { SchedulerPlugin } from "../../../dist/core/platforms/hadoop/index.js";
import type { Summary } from "../../../dist/core/record/index.js";
import { parseScenario } from "../../../dist/io/index.js";
import { type Placement, runScenario } from "../../../dist/lab/index.js";
import { pluginOf } from "../../support/plugin-runs.js";

/** Seconds of a day. */
const DAY = 86_400;

async function summaryOf(
  text: string,
  placement: Placement = 0,
  plugins: readonly SchedulerPlugin[] = [],
  slices = 1,
): Promise<Summary> {
  const { scenario, directory } = parseScenario(text, "test.yaml", { plugins });
  return (await runScenario(scenario, directory, { placement, slices, plugins })).summary;
}

/** Kills whatever it has launched, at the first opportunity. */
const KILLER = pluginOf(() => ({
  choose: ({ jobs }) => (jobs.length === 0 ? null : { job: jobs[0], farthest: "any" }),
  updateEveryUs: 5_000_000,
  kills: (running) => [...running],
}));
const IDLER = pluginOf(() => ({ choose: () => null }));

const FULL_DISKS = `
cluster: { racks: 1, nodesPerRack: 2, mapSlots: 2, reduceSlots: 1, diskSpace: 8GB }
runtime: { model: detailed, slowStart: 1 }
workload: { kind: jobs, jobs: [{ name: big, count: 4, every: 1s, maps: 12, mapTime: 10s, reduces: 2, mapOutput: 6GB }] }
scheduler: fair
`;

const LONG_REDUCES = `
cluster: { racks: 2, nodesPerRack: 1, mapSlots: 1, reduceSlots: 1 }
workload: { kind: jobs, jobs: [{ name: long, maps: 2, mapTime: 10s, reduces: 1, reduceTime: 2h }] }
faults: { rates: { crash: { every: 10m, for: 1m } } }
`;

const ENDLESS = {
  "full disks": { text: FULL_DISKS, plugins: [], says: /disk full/u },
  "crashes that no reduce outlives": { text: LONG_REDUCES, plugins: [], says: /lost with/u },
  "a plugin that kills what it launches": {
    text: `
cluster: { racks: 2, nodesPerRack: 2, mapSlots: 1, reduceSlots: 1 }
scheduler: mine
workload: { kind: jobs, jobs: [{ name: a, maps: 6, mapTime: 60s }, { name: b, maps: 6, mapTime: 60s }] }
`,
    plugins: [KILLER],
    says: /attempts were killed/u,
  },
  "a plugin that launches nothing": {
    text: `
cluster: { racks: 2, nodesPerRack: 2 }
scheduler: mine
workload: { kind: jobs, jobs: [{ name: a, maps: 6 }] }
`,
    plugins: [IDLER],
    says: /where the scheduler leaves a slot free/u,
  },
} as const;

describe.each(Object.entries(ENDLESS))("%s", (_, { text, plugins, says }) => {
  it("ends as stuck, at one instant and with one reason wherever it runs", async () => {
    const inline = await summaryOf(text, 0, plugins);
    expect(inline.stopped).toBe("stuck");
    expect(inline.jobs.unfinished).toBe(inline.stuck?.waiting);
    expect(inline.virtualSeconds).toBeGreaterThanOrEqual(DAY);
    expect(JSON.stringify(inline.stuck)).toMatch(says);
    for (const [placement, slices] of [
      ["rack", 1],
      [2, 2],
      [0, 3],
    ] as const) {
      if (plugins.length > 0 && placement !== 0) continue;
      const other = await summaryOf(text, placement, plugins, slices);
      expect([other.stuck, other.virtualSeconds, other.fingerprint]).toEqual([
        inline.stuck,
        inline.virtualSeconds,
        inline.fingerprint,
      ]);
    }
  });
});

describe("what only takes long is not stuck", () => {
  const small = "cluster: { racks: 1, nodesPerRack: 1, mapSlots: 1, reduceSlots: 1, heartbeat: 60s }\n";

  it.each([
    ["an attempt of 20 days", "workload: { kind: jobs, jobs: [{ maps: 1, mapTime: 20d }] }"],
    [
      "reduces that hold slots for 20 days, for the maps take that long",
      "workload: { kind: jobs, jobs: [{ maps: 1, mapTime: 20d, reduces: 1 }] }\nruntime: { slowStart: 0 }",
    ],
    [
      "a job submitted after 30 days",
      "workload: { kind: jobs, jobs: [{ maps: 1, mapTime: 10s }, { maps: 1, at: 30d }] }",
    ],
    [
      "a crash of 9 days",
      "workload: { kind: jobs, jobs: [{ maps: 2, mapTime: 1m }] }\nfaults: { events: [{ kind: crash, rack: 0, node: 0, at: 30s, for: 9d }] }",
    ],
    [
      "a wait for locality of 3 days",
      "workload: { kind: jobs, jobs: [{ maps: 1, mapTime: 1m }] }\nscheduler: { kind: hfs, wait: { node: 3d } }\nstorage: { replication: 1 }",
    ],
  ])("%s", async (_, rest) => {
    expect(await summaryOf(small + rest)).toMatchObject({ stopped: "all-jobs-ended", jobs: { unfinished: 0 } });
  });
});

it("run.stuckAfter says after how long, or never", async () => {
  const soon = await summaryOf(`${FULL_DISKS}run: { stuckAfter: 1h }`);
  expect(soon.stuck?.afterSeconds).toBe(3600);
  expect(soon.virtualSeconds).toBe((soon.stuck?.sinceSeconds ?? 0) + 3600);
  const never = await summaryOf(`${FULL_DISKS}run: { stuckAfter: never, until: 10d }`);
  expect([never.stopped, never.virtualSeconds]).toEqual(["until", 10 * DAY]);
});

describe("a switch that is lost for good", () => {
  // Blocks have one replica: half of them are in the other rack.
  const lost = `
cluster: { racks: 2, nodesPerRack: 2, mapSlots: 2, reduceSlots: 1 }
runtime: { model: detailed }
storage: { replication: 1, placement: uniform }
workload: { kind: jobs, jobs: [{ name: a, maps: 40, mapTime: 30s, count: 3, every: 30s, reduces: 2 }] }
`;
  const faults = (end: string): string => `faults: { events: [{ kind: switch, rack: 1, at: 90s${end} }] }`;

  it("breaks off the reads through it: jobs whose blocks are gone fail, and the run ends", async () => {
    const inline = await summaryOf(lost + faults(""));
    expect(inline.stopped).toBe("all-jobs-ended");
    expect(inline.failures!.sourcesLost).toBeGreaterThan(0);
    expect(inline.jobs.failed).toBeGreaterThan(0);
    expect(inline.virtualSeconds).toBeLessThan(1800);
    for (const placement of [2, "rack"] as const) {
      const { fingerprint, virtualSeconds } = await summaryOf(lost + faults(""), placement);
      expect([fingerprint, virtualSeconds]).toEqual([inline.fingerprint, inline.virtualSeconds]);
    }
  });
});
