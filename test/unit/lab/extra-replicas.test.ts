import { describe, expect, it } from "vitest";
import { loadScenario } from "../../../dist/io/index.js";
import { runScenario } from "../../../dist/lab/index.js";

async function runOf(...set: string[]) {
  const { scenario, directory } = loadScenario("scenarios/dsbra.yaml", { seed: "3", set: ["run.sample=1s", ...set] });
  return runScenario(scenario, directory, { placement: 0 });
}

describe("samples of a run", () => {
  it("tell how many replicas there are beyond the fixed ones; their mean and most are the summary's", async () => {
    const { record, summary } = await runOf();
    const extra = record.samples.extraReplicas!;
    expect(extra).toHaveLength(record.samples.rows);
    const most = Math.max(...extra);
    const mean = extra.reduce((sum, replicas) => sum + replicas, 0) / extra.length;
    const { meanExtra, maxExtra, replicasAdded, replicasRemoved } = summary.storage!;
    expect(Math.min(...extra)).toBe(0);
    expect(most).toBeLessThanOrEqual(replicasAdded);
    expect(mean / most).toBeCloseTo(meanExtra / maxExtra, 2);
    // What is deleted last may still lie on its node.
    expect(extra.at(-1)).toBeGreaterThanOrEqual(replicasAdded - replicasRemoved);
  });

  it("tell nothing of replicas where replication is fixed", async () => {
    const { record, summary } = await runOf("storage.dynamicReplication=off");
    expect(summary.storage).toBeUndefined();
    expect(record.samples.extraReplicas).toBeUndefined();
  });
});
