import {
  MAP,
  RUNNING,
  SLOT_TYPES,
  type JobTable,
  type SlotType,
  type Scheduler,
} from "../../dist/core/platforms/hadoop/index.js";

/** What the capacity scheduler keeps, as a test may look at it. */
interface Inside {
  readonly state: {
    readonly pending: readonly number[];
    readonly order: readonly {
      readonly size: number;
      readonly queues: { readonly items: Int32Array; readonly size: number };
      readonly jobsOf: readonly { readonly items: Int32Array; readonly size: number }[];
    }[];
    readonly usage: {
      readonly occupied: readonly number[][];
      readonly launchedJobs: readonly number[][];
      readonly activeMembers: readonly number[][];
      readonly memberOccupied: readonly number[][];
      readonly readyJobs: readonly number[];
      readonly members: readonly number[];
      of(job: number): number;
    };
    readonly mayLaunch: (boolean | null)[];
    refused: boolean | null;
    ratioOf(queue: number, type: SlotType): number;
    someMayLaunch(type: SlotType): boolean;
    someAreRefused(): boolean;
  };
}

/** The first thing that the scheduler keeps otherwise than the table of jobs says, or null. Between two calls of it. */
export function auditCapacity(scheduler: Scheduler, jobs: JobTable, queues: number): string | null {
  const { state } = scheduler as unknown as Inside;
  const present = Array.from({ length: jobs.handles }, (_, job) => job).filter((job) => jobs.state[job] !== 0);
  const ready = present.filter((job) => jobs.state[job] === RUNNING);
  for (const type of SLOT_TYPES) {
    const waiting = ready.filter((job) => jobs.pending[type][job] > 0 && (type === MAP || jobs.reducesMayStart(job)));
    const pending = waiting.reduce((sum, job) => sum + jobs.pending[type][job], 0);
    if (state.pending[type] !== pending) return `pending ${String(state.pending[type])}, not ${String(pending)}`;
    const order = state.order[type];
    const listed = order.jobsOf.flatMap(({ items, size }) => [...items.subarray(0, size)]);
    if (same(listed, waiting) !== null || order.size !== waiting.length)
      return `waits ${String(same(listed, waiting))}`;
    const inOrder = [...order.queues.items.subarray(0, order.queues.size)];
    const wrong = same(inOrder, [...new Set(waiting.map((job) => jobs.pool[job]))]);
    if (wrong !== null) return `queues ${wrong}`;
    const ratios = inOrder.map((queue) => state.ratioOf(queue, type));
    if (ratios.some((ratio, i) => i > 0 && ratio < ratios[i - 1])) return `queues out of order: ${ratios.join(" ")}`;
    for (let queue = 0; queue < queues; queue++) {
      const own = present.filter((job) => jobs.pool[job] === queue);
      const found = auditQueue(state.usage, jobs, own, waiting, queue, type);
      if (found !== null) return `queue ${String(queue)}, type ${String(type)}: ${found}`;
    }
    const kept = state.mayLaunch[type];
    state.mayLaunch[type] = null;
    if (kept !== null && kept !== state.someMayLaunch(type)) return `may launch: ${String(kept)} is out of date`;
  }
  const kept = state.refused;
  state.refused = null;
  return kept !== null && kept !== state.someAreRefused() ? `refused: ${String(kept)} is out of date` : null;
}

function auditQueue(
  usage: Inside["state"]["usage"],
  jobs: JobTable,
  own: readonly number[],
  waiting: readonly number[],
  queue: number,
  type: SlotType,
): string | null {
  const running = (of: readonly number[]): number => of.reduce((sum, job) => sum + jobs.running[type][job], 0);
  const users = (of: readonly number[]): number => new Set(of.map((job) => jobs.user[job])).size;
  const counts = [
    ["occupied", usage.occupied[type][queue], running(own)],
    ["launched", usage.launchedJobs[type][queue], own.filter((job) => jobs.running[type][job] > 0).length],
    ["active", usage.activeMembers[type][queue], users(own.filter((job) => waiting.includes(job)))],
    ["ready", usage.readyJobs[queue], own.filter((job) => jobs.state[job] === RUNNING).length],
    ["members", usage.members[queue], users(own)],
    ...own.map((job) => {
      const ofUser = own.filter((other) => jobs.user[other] === jobs.user[job]);
      return [`of the user of ${String(job)}`, usage.memberOccupied[type][usage.of(job)], running(ofUser)] as const;
    }),
  ] as const;
  const wrong = counts.find(([, kept, counted]) => kept !== counted);
  return wrong === undefined ? null : `${wrong[0]} ${String(wrong[1])}, not ${String(wrong[2])}`;
}

/** What one list has and the other has not. */
function same(a: readonly number[], b: readonly number[]): string | null {
  const [left, right] = [a, b].map((list) => [...list].sort((x, y) => x - y).join(" "));
  return left === right ? null : `${left}, not ${right}`;
}
