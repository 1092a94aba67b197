/** A network in the plainest form: what the solver under test and its oracles are asked about. */
export interface PlainArc {
  readonly from: number;
  readonly to: number;
  cost: number;
  low: number;
  up: number;
}

/** Node 0 balances the others; supplies by node, of those that exist. */
export interface PlainNetwork {
  readonly supplies: ReadonlyMap<number, number>;
  readonly arcs: readonly PlainArc[];
}

interface Residual {
  readonly from: number;
  readonly to: number;
  readonly cost: number;
  room: number;
  back: Residual | null;
}

const SOURCE = -1;
const SINK = -2;

/**
 * The least cost of a flow, null: there is none. Successive shortest paths, found by Bellman and Ford: negative arcs
 * and lower bounds are used to the full first, what is missing or left over by that is sent from a source to a sink.
 */
export function naiveMinCost({ supplies, arcs }: PlainNetwork): number | null {
  const left = new Map<number, number>([[0, 0], ...supplies]);
  const residuals: Residual[] = [];
  let cost = 0;
  for (const { from, to, cost: each, low, up } of arcs) {
    if (low > up) return null;
    const start = each < 0 ? up : low;
    cost += start * each;
    left.set(from, (left.get(from) ?? 0) - start);
    left.set(to, (left.get(to) ?? 0) + start);
    addPair(residuals, from, to, each, up - start, start - low);
  }
  const others = [...left].reduce((sum, [node, amount]) => (node === 0 ? sum : sum + amount), 0);
  left.set(0, -others);
  let owed = 0;
  for (const [node, amount] of left) {
    if (amount > 0) addPair(residuals, SOURCE, node, 0, amount, 0);
    if (amount < 0) addPair(residuals, node, SINK, 0, -amount, 0);
    owed += Math.max(0, amount);
  }
  while (owed > 0) {
    const path = cheapestPath(residuals);
    if (path === null) return null;
    const amount = Math.min(...path.map(({ room }) => room));
    for (const step of path) {
      step.room -= amount;
      step.back!.room += amount;
      cost += amount * step.cost;
    }
    owed -= amount;
  }
  return cost;
}

function addPair(residuals: Residual[], from: number, to: number, cost: number, room: number, backRoom: number): void {
  const forth: Residual = { from, to, cost, room, back: null };
  const back: Residual = { from: to, to: from, cost: -cost, room: backRoom, back: forth };
  forth.back = back;
  residuals.push(forth, back);
}

function cheapestPath(residuals: readonly Residual[]): Residual[] | null {
  const costTo = new Map<number, number>([[SOURCE, 0]]);
  const last = new Map<number, Residual>();
  for (let changed = true; changed;) {
    changed = false;
    for (const step of residuals) {
      const before = costTo.get(step.from);
      if (step.room === 0 || before === undefined || before + step.cost >= (costTo.get(step.to) ?? Infinity)) continue;
      costTo.set(step.to, before + step.cost);
      last.set(step.to, step);
      changed = true;
    }
  }
  if (!costTo.has(SINK)) return null;
  const path: Residual[] = [];
  for (let at = SINK; at !== SOURCE; at = path[0]!.from) path.unshift(last.get(at)!);
  return path;
}
