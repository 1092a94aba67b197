import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Place } from "../cli/command.js";

/** Logs of real applications, where they lie beside the clone. */
const SAMPLES = fileURLToPath(new URL("../../../../shared/traces/spark", import.meta.url));

/** Jobs, stages, tasks and executors that are written. */
const COUNTS: readonly (readonly [string, readonly [number, number, number, number]])[] = [
  ["app-20161116163331-0000", [1, 1, 16, 4]],
  ["application_1553914137147_0018", [3, 3, 6, 3]],
  ["eventlog_4nodes_8cores_dynamic_alloc.zstd", [20, 20, 235, 15]],
  ["local-1422981780767", [3, 4, 32, 1]],
  ["local-1642039451826", [6, 6, 35, 1]],
  ["nds_q72_dataproc_2_2.zstd", [49, 49, 13_504, 8]],
  ["tasks_executors_fail_compressed_eventlog.zstd", [80, 135, 8550, 8]],
];

describe.skipIf(!existsSync(SAMPLES))("event logs of real applications", () => {
  let place: Place;
  let out: string;
  beforeAll(() => {
    place = new Place();
    out = mkdtempSync(join(tmpdir(), "bide-samples-"));
  });
  afterAll(() => {
    place.remove();
    rmSync(out, { recursive: true });
  });

  it.each(COUNTS)("%s is imported whole", async (name, [jobs, stages, tasks, executors]) => {
    const folder = join(out, name);
    const { code, stderr } = await place.bide("import", "spark", join(SAMPLES, name), "--out", folder, "--quiet");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const end = JSON.parse(readFileSync(join(folder, "import.json"), "utf8")) as {
      applications: { written: object }[];
    };
    expect(end.applications[0]!.written).toMatchObject({ jobs, stages, tasks, executors });
  });
});
