/**
 * What a decision of Quincy costs: CPU time and operations of its flow solver, on a cluster of 620 nodes in racks of
 * 20.
 *
 *   npm run bench:quincy
 *
 * Each figure is over rounds in one process, after rounds that only warm up the compiler. From scratch: network built
 * and solved. Incrementally: a few tasks end and others arrive, all waits grow, and the kept solution is mended.
 */
import { build, change, NODES, price, TASKS } from "./quincy-network.mjs";

const WARM_UPS = 30;
const ROUNDS = 101;

function fromScratch(slots, round) {
  const before = process.cpuUsage();
  const state = build(slots);
  price(state, 20_000 + round);
  state.graph.flow.solve();
  return { ms: cpuMs(before), state };
}

function cpuMs(before) {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function quantile(values, share) {
  return values.toSorted((a, b) => a - b)[Math.floor(share * (values.length - 1))];
}

function report(name, ms, counts, solves) {
  const per = (count) => Math.round(count / solves);
  console.log(
    `${name}: median ${quantile(ms, 0.5).toFixed(2)} ms, 95th percentile ${quantile(ms, 0.95).toFixed(2)} ms, ` +
      `most ${quantile(ms, 1).toFixed(2)} ms; per solve ${per(counts.pivots)} pivots (${per(counts.idlePivots)} idle), ` +
      `${per(counts.repairs)} repairs, ${per(counts.arcsPriced)} arcs and ${per(counts.nodesPriced)} nodes priced`,
  );
}

for (const slots of [1, 5]) {
  const title = `${NODES} nodes, ${slots} slot${slots > 1 ? "s" : ""} each, ${TASKS} tasks`;
  const times = [];
  let last;
  for (let round = 0; round < WARM_UPS + ROUNDS; round++) {
    last = fromScratch(slots, round);
    if (round >= WARM_UPS) times.push(last.ms);
  }
  report(`${title}, from scratch`, times, last.state.graph.flow.counts, 1);
  const mended = [];
  const { state } = last;
  const { counts } = state.graph.flow;
  let start = {};
  for (let round = 0; round < WARM_UPS + ROUNDS; round++) {
    if (round === WARM_UPS) start = { ...counts };
    const before = process.cpuUsage();
    change(state, round);
    price(state, 20_000 + round * 100 + 100);
    state.graph.flow.solve();
    if (round >= WARM_UPS) mended.push(cpuMs(before));
  }
  const since = Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, count - start[name]]));
  report(`${title}, incrementally`, mended, since, ROUNDS);
}
