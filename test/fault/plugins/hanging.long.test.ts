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

it.each(["run hang.yaml --out out", "compare hang.yaml", "sweep s.yaml --out out --threads 1", "check-scheduler hang"])(
  "bide %s says after ten seconds which function of which scheduler does not return",
  { timeout: 60_000 },
  async (line) => {
    const child = place.start(...line.split(" "), "--plugin", "hang.mjs", "--quiet");
    const end = ended(child);
    await wrote(child, "of virtual time: it has not returned for 10 s; kill -9 ");
    child.kill("SIGKILL");
    const { stderr } = await end;
    expect(stderr).toMatch(
      /^note: scheduler hang, choose at \S+ of virtual time: .* kill -9 \d+ ends an endless loop\n$/,
    );
    expect(stderr).toContain(`kill -9 ${String(child.pid)} `);
  },
);
