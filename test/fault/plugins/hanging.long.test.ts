import { afterEach, beforeEach, expect, it } from "vitest";
import { ended, Place, wrote } from "../cli/command.js";

let place: Place;
beforeEach(() => {
  place = new Place();
  place.write(
    "hang.mjs",
    "export default { name: 'hang', summary: 'hangs', create: () => ({ choose() { for (;;); } }) };\n",
  );
  place.write(
    "hang.yaml",
    "cluster: {racks: 1, nodesPerRack: 2}\nworkload: {kind: jobs, jobs: [{maps: 3}]}\nscheduler: {kind: hang}\n",
  );
  place.write("s.yaml", "scenario: hang.yaml\nreplications: 1\naxes: [{path: workload.jobs.0.maps, values: [3]}]\n");
});
afterEach(() => {
  place.remove();
});

// All at once: each waits for ten seconds.
it("run, compare, sweep and check-scheduler say after ten seconds which function of which scheduler does not return", async () => {
  const lines = [
    "run hang.yaml --out out",
    "compare hang.yaml",
    "sweep s.yaml --out swept --threads 1",
    "check-scheduler hang",
  ];
  const told = lines.map(async (line) => {
    const child = place.start(...line.split(" "), "--plugin", "hang.mjs", "--quiet");
    const end = ended(child);
    await wrote(child, "of virtual time: it has not returned for 10 s; kill -9 ");
    child.kill("SIGKILL");
    return { pid: String(child.pid), stderr: (await end).stderr };
  });
  for (const { pid, stderr } of await Promise.all(told)) {
    expect(stderr).toMatch(
      /^note: scheduler hang, choose at \S+ of virtual time: .* kill -9 \d+ ends an endless loop\n$/,
    );
    expect(stderr).toContain(`kill -9 ${pid} `);
  }
}, 60_000);
