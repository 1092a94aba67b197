import { InvalidArgumentError, Option } from "commander";
import type { WaitSpec } from "../../core/scenario/scenario.js";
import { parseDuration } from "../../io/scenario/units.js";
import { LIMITS } from "../../io/scenario/limits.js";
import { quote } from "../../io/scenario/show.js";
import { DECISION_KINDS, type DecisionCase, type DecisionKind } from "../../lab/bench/decision-case.js";
import { whole } from "../option-values.js";

/** Options of `bide bench decisions` beside those of other benchmarks. */
export interface DecisionCommandOptions {
  readonly grid?: boolean;
  readonly nodes?: number;
  readonly slots?: Pick<DecisionCase, "mapSlots" | "reduceSlots">;
  readonly jobs?: number;
  readonly pools?: number;
  readonly maps?: number;
  readonly reduces?: number;
  readonly kind?: DecisionKind;
  readonly wait?: WaitSpec;
  readonly tasksPerHeartbeat?: number;
  readonly updateInterval?: number;
  readonly assignments?: number;
  readonly warmups?: number;
  readonly seed?: string;
  readonly hgrm?: string;
  readonly force?: boolean;
}

const MOST_NODES = 200_000;
const MOST_JOBS = 100_000;
const MOST_WARMUPS = 1_000;

export function decisionOptions(): Option[] {
  const point = [
    count("--nodes <n>", "nodes of the cluster", 1, MOST_NODES),
    new Option("--slots <maps+reduces>", "slots of every node, for example 2+2").argParser(slots),
    count("--jobs <n>", "jobs, all submitted at the start", 1, MOST_JOBS),
    count("--pools <n>", "pools, for hfs", 1, MOST_JOBS),
    count("--maps <n>", "maps of every job", 0, LIMITS.tasksPerPhase),
    count("--reduces <n>", "reduces of every job", 0, LIMITS.tasksPerPhase),
    new Option("--kind <kind>", "scheduler").choices(DECISION_KINDS),
    new Option("--wait <wait>", "none, one time for node and rack, or two times: 5s+2s").argParser(wait),
    new Option("--tasks-per-heartbeat <n>", "most tasks handed out in one heartbeat, or all").argParser(
      tasksPerHeartbeat,
    ),
    new Option("--update-interval <time>", "simulated time between updates of demands; 0s: always current").argParser(
      time,
    ),
    count("--assignments <n>", "stop after n tasks", 1, LIMITS.totalTasks),
  ];
  const grid = new Option("--grid", "measure many cases around the usual one").conflicts(
    point.map((option) => option.attributeName()),
  );
  return [
    grid,
    ...point,
    count("--warmups <n>", "runs of each case before the measured ones", 0, MOST_WARMUPS),
    new Option("--seed <seed>", "seed of the block placement"),
    new Option("--hgrm <dir>", "write latency histograms to a folder"),
  ];
}

function count(flags: string, what: string, least: number, most: number): Option {
  const allowed = `allowed a whole number from ${String(least)} to ${String(most)}`;
  return new Option(flags, what).argParser((text: string) => whole(text, least, most, allowed));
}

function slots(text: string): Pick<DecisionCase, "mapSlots" | "reduceSlots"> {
  const allowed = `allowed maps+reduces, each up to ${String(LIMITS.slotsPerNode)}, such as 2+2`;
  const parts = text.split("+");
  const [mapSlots, reduceSlots] = parts.map((part) => whole(part, 0, LIMITS.slotsPerNode, allowed));
  if (parts.length !== 2) throw new InvalidArgumentError(`Found ${quote(text)}, ${allowed}.`);
  return { mapSlots, reduceSlots };
}

function tasksPerHeartbeat(text: string): number {
  const most = 2 * LIMITS.slotsPerNode;
  return text === "all" ? Infinity : whole(text, 1, most, `allowed all or a whole number from 1 to ${String(most)}`);
}

function time(text: string): number {
  const us = parseDuration(text);
  if (us === undefined || us > LIMITS.waitUs)
    throw new InvalidArgumentError(`Found ${quote(text)}, allowed a time: 2.5s.`);
  return us;
}

function wait(text: string): WaitSpec {
  if (text === "none") return { kind: "none" };
  const parts = text.split("+");
  const [nodeUs, rackUs = nodeUs] = parts.map((part) => parseDuration(part) ?? Infinity);
  if (parts.length > 2 || !(Math.max(nodeUs, rackUs) <= LIMITS.waitUs)) {
    throw new InvalidArgumentError(`Found ${quote(text)}, allowed none, a time such as 5s, or two such as 5s+2s.`);
  }
  return { kind: "time", nodeUs, rackUs };
}
