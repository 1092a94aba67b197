import { sumOver, keysOf, labelsOf, namesOf, ascending } from "../../core/kernel/index.js";
import type { GroupSummary, RecordWords } from "../../core/record/index.js";
import { allUnits, capital, heldUnit, localTask, shortOf, unitOf } from "../../core/record/index.js";
import type { Curve, GroupShares, JobAttempts, RunPicture } from "../../io/index.js";
import {
  data,
  type Drawing,
  type Figure,
  type Hover,
  itemTip,
  LEVEL_COLOURS,
  NO_LEVEL_COLOUR,
  SCALE_BELOW,
  tableOf,
  tip,
  axisTip,
} from "./figure.js";
import {
  type CustomApi,
  duration,
  lineOf,
  type Mark,
  mark,
  number,
  percentOf as percent,
  type Named,
  areaOfFirst,
  distributionChart,
  distributionPoints,
  overTimeChart,
  TIME_AXIS,
  timeStep,
} from "../index.js";

const { runs, most: limits } = data;

/* ---------- distributions ---------- */

export function distribution(curves: readonly Curve[]): Drawing {
  const { option, marks } = distributionChart(curves);
  const tooltip = itemTip(({ seriesName, value: [seconds, share] }) => [
    ...[seriesName, `${percent(share)} of the jobs took at most ${duration(seconds)}`],
  ]);
  const rows = curves.flatMap((curve) =>
    distributionPoints(curve).map(([seconds, share]) => [curve.label, seconds, share]),
  );
  return { option: { ...option, tooltip }, marks, table: [["group", "response_s", "share_of_jobs"], ...rows] };
}

export function responseFigure(run: RunPicture): Figure {
  return {
    id: "responses",
    title: "Response time",
    note: `Share of jobs that ended within a time after submission. A curve of many jobs has ${limits["quantiles"]} points, at equal shares.`,
    choices: [{ label: "by", options: ["size", run.summary.words.group.one] }],
    draw: ([by]) => distribution(by === 0 ? run.responses.size : run.responses.group),
  };
}

/** The same group of jobs in several runs. */
export function runsFigure(labels: readonly string[]): Figure {
  const noun = runs.at(0)?.summary.words.group.one ?? "group";
  const groups = [{ kind: "all", label: "all jobs" }];
  for (const kind of ["size", "group"] as const) {
    const names = new Set(runs.flatMap(({ responses }) => labelsOf(responses[kind])));
    for (const label of names) groups.push({ kind, label });
  }
  const curveOf = ({ responses }: RunPicture, { kind, label }: { kind: string; label: string }) =>
    kind === "all" ? responses.all : responses[kind as "size" | "group"].find((curve) => curve.label === label);
  return {
    id: "runs",
    title: "Response time, run by run",
    note: "Share of jobs that ended within a time after submission, for one group of jobs in every run.",
    choices: [
      { label: "jobs", options: groups.map(({ kind, label }) => (kind === "group" ? `${noun} ${label}` : label)) },
    ],
    isWide: true,
    draw: ([group]) =>
      distribution(
        runs.flatMap((run, index) => {
          const curve = curveOf(run, groups[group]);
          return curve === undefined ? [] : [{ ...curve, label: labels[index] }];
        }),
      ),
  };
}

/* ---------- bars ---------- */

export function localityFigure({ summary }: RunPicture): Figure {
  const { words } = summary;
  const { one: singular, many: plural } = localTask(words);
  const bins = summary.bins.filter(({ locality }) => locality.tasks > 0);
  return {
    id: "locality",
    title: "Locality by job size",
    note: localityNote(words),
    draw: () => {
      const share = ({ locality }: (typeof bins)[number], key: string) => locality.shares[key] ?? 0;
      const levels = words.levels
        .map(({ key, title, better }, level) => ({ key, title, at: level, better }))
        // Places that most clusters do not have.
        .filter(({ key, better }, level) => better !== "lower" || level === words.levels.length - 1 || isSome(key));
      const marks = levels.map(({ title, at: level }) => levelMark(title, level));
      const option = {
        tooltip: {
          trigger: "axis",
          axisPointer: { type: "shadow" },
          formatter: (hovered: readonly (Omit<Hover, "value"> & { value: number })[]) => {
            const bin = bins[hovered[0]?.dataIndex ?? 0];
            return tip([
              `Jobs of ${bin.label} ${bin.label === "1" ? singular : plural}: ${number(bin.locality.tasks)} ${plural} in all`,
              ...hovered.map(({ seriesName, value }) => `${seriesName}: ${percent(value)}`),
            ]);
          },
        },
        xAxis: { type: "category", name: `${plural} per job`, data: labelsOf(bins) },
        yAxis: { type: "value", name: `share of ${plural}`, min: 0, max: 1, axisLabel: { formatter: percent } },
        series: levels.map(({ key, title }, index) => ({
          type: "bar",
          name: title,
          stack: "locality",
          color: marks[index].colour,
          data: bins.map((bin) => share(bin, key)),
        })),
      };
      const rows = bins.map((bin) => [bin.label, bin.locality.tasks, ...levels.map(({ key }) => share(bin, key))]);
      return {
        option,
        marks,
        table: [[`${plural}_per_job`, plural, ...levels.map(({ title }) => title)], ...rows],
      };
      function isSome(key: string): boolean {
        return bins.some((bin) => share(bin, key) > 0);
      }
    },
  };
}

/** @param level of a task; null: it has none. */
function levelMark(name: string, level: number | null): Mark {
  const colour = level === null ? NO_LEVEL_COLOUR : LEVEL_COLOURS[level % LEVEL_COLOURS.length];
  return { name, colour, dash: "solid" };
}

/** The note on locality for a cluster in which data lies in racks, and for others. */
function localityNote(words: RecordWords): string {
  const { many: plural } = localTask(words);
  const near = keysOf(words.levels.slice(0, 2));
  return near.join() === "node,rack"
    ? `Share of ${plural} that read their input from the node, from the rack, and from further away.`
    : `Share of ${plural} by how near to their data they ran.`;
}

export function waitFigure({ waits }: RunPicture): Figure {
  return {
    id: "waits",
    title: "Wait for the first task",
    note: "Jobs by the time from submission to the launch of their first task. Each interval is about twice the one before.",
    draw: () => {
      const labels = waits.upTo.map(
        (end, index) => `${index === 0 ? "0" : duration(waits.upTo[index - 1])}–${duration(end)}`,
      );
      const jobsMark = mark("jobs", 0, 1);
      const option = {
        tooltip: itemTip(({ dataIndex }) => [labels[dataIndex], `${number(waits.jobs[dataIndex])} jobs`]),
        xAxis: { type: "category", name: "wait", data: labels },
        yAxis: { type: "value", name: "jobs" },
        series: [{ type: "bar", name: "jobs", color: jobsMark.colour, barCategoryGap: "8%", data: waits.jobs }],
      };
      return { option, marks: [], table: [["up_to_s", "jobs"], ...waits.upTo.map((end, i) => [end, waits.jobs[i]])] };
    },
  };
}

/* ---------- over time ---------- */

function overTime(
  times: readonly number[],
  named: readonly Named[],
  axis: string,
  format: (value: number) => string,
  more?: (index: number) => object,
): Drawing {
  const { option, marks } = overTimeChart(times, named, axis, format, more);
  const table = [["time_s", ...namesOf(named)], ...times.map((t, i) => [t, ...named.map((n) => n.values[i] ?? "")])];
  return { option: { ...option, tooltip: axisTip(format) }, marks, table };
}

/** The number of dashed lines that the eye can distinguish; with more pools the tooltip has their shares. */
const MOST_LINES = 6;

/** The holdings of groups upon each other, and where each would end if all held their fair shares. */
function stacked(
  times: readonly number[],
  members: readonly { label: string; slots: GroupShares }[],
  units: string,
): Drawing {
  const named = members.map(({ label, slots }) => ({ name: label, values: slots.held }));
  const drawing = overTime(times, named, `${units} held`, number, () => ({
    stack: "held",
    areaStyle: { opacity: 0.75 },
    lineStyle: { width: 0 },
  }));
  const shares = (members.length > MOST_LINES ? [] : members).map(({ label, slots }, index) =>
    lineOf(
      mark(label, index, members.length),
      times.map((time, place) => [time, slots.fairShare[place]]),
      { step: "end", stack: "shares", isInk: true, lineStyle: { width: 1.2, type: "dashed" }, z: 4 },
    ),
  );
  const option = {
    ...drawing.option,
    series: [...(drawing.option["series"] as object[]), ...shares],
    tooltip: {
      trigger: "axis",
      formatter: ([{ dataIndex }]: readonly Hover[]) =>
        tip([
          duration(times[dataIndex]),
          ...members.map(
            ({ label, slots }) =>
              `${label}: ${number(slots.held[dataIndex])}, fair share ${number(slots.fairShare[dataIndex])}`,
          ),
        ]),
    },
  };
  const table = [
    ["time_s", ...members.flatMap(({ label }) => [label, `${label} fair share`])],
    ...times.map((time, place) => [
      time,
      ...members.flatMap(({ slots }) => [slots.held[place], slots.fairShare[place]]),
    ]),
  ];
  return { ...drawing, option, table };
}

export function groupsFigure({ timeline, summary: { words } }: RunPicture): Figure {
  const { groups, inner, at: times } = timeline;
  const { one: singular, many: plural } = words.group;
  const units = heldUnit(words).many;
  const allGroups = groups.map((_, index) => index);
  // Pools of the same pool beside each other.
  const byName = [...allGroups].sort((a, b) => (groups[a].label < groups[b].label ? -1 : 1));
  const stacks = [
    { label: "all, stacked", members: inner.length > 0 ? byName : allGroups },
    ...inner.map(({ label, members }) => ({ label: `${plural} of ${label}, stacked`, members })),
  ];
  const single = [...inner, ...groups];
  return {
    id: "pools",
    title: `${capital(units)} of ${plural}`,
    note: `${capital(units)} held, upon each other, mean over ${duration(timeline.intervalSeconds)}. Dashed lines, with ${MOST_LINES} ${plural} or fewer: where they would end if each held its fair share. The ${limits["groups"]} ${plural} that hold most ${units} are drawn by themselves. Choose a ${singular} to see its fair share and its demand.`,
    choices: [
      { label: singular, options: labelsOf([...stacks, ...single]) },
      { label: `${units} of`, options: words.resources.map((resource) => shortOf(words, resource).many) },
    ],
    isWide: true,
    isTime: true,
    draw: ([choice, place]) => {
      const shown = unitOf(words.resources[place]).many;
      const slots = ({ resources }: { resources: readonly GroupShares[] }): GroupShares => resources[place];
      if (choice < stacks.length) {
        const members = stacks[choice].members.map((index) => ({
          label: groups[index].label,
          slots: slots(groups[index]),
        }));
        return stacked(times, members, shown);
      }
      const { held: heldSlots, fairShare, demand } = slots(single[choice - stacks.length]);
      const named = [
        { name: "held", values: heldSlots },
        { name: "fair share", values: fairShare },
        { name: "demand", values: demand },
      ];
      return overTime(times, named, shown, number, areaOfFirst);
    },
  };
}

export function fairnessFigure({ timeline, summary: { words } }: RunPicture): Figure {
  const { many: plural } = words.group;
  const { one: unit, many: units } = heldUnit(words);
  return {
    id: "fairness",
    title: "Fairness",
    note: `Of ${words.resources[0].many}, mean over ${duration(timeline.intervalSeconds)}: Jain's index of ${units} held over fair share (1: all ${plural} hold the same part of it), and the share of ${plural} with demand that hold less than their fair share minus one ${unit}.`,
    isTime: true,
    draw: () =>
      overTime(
        timeline.at,
        [
          { name: "Jain's index", values: timeline.jain },
          { name: `${plural} below their fair share`, values: timeline.belowFairShare },
        ],
        `index, share of ${plural}`,
        (value) => (Number.isNaN(value) ? "–" : number(value)),
      ),
  };
}

/** The cell of a value that there may not be. */
function known(write: (value: number) => string, value: number | null | undefined): string {
  return typeof value === "number" ? write(value) : "–";
}

/** The figures of each pool or queue. */
export function groupRows({ summary: { groups, words } }: RunPicture): string[][] {
  return rowsOf(
    words,
    words.group.one,
    groups,
    [`${words.resources[0].many} held`, "fair share", "below it", "below promise", "kills caused"],
    ({ share: groupShare, killsCaused }) => [
      ...[known(number, groupShare?.held), known(number, groupShare?.fair)],
      ...[known(percent, groupShare?.belowFairShare), known(percent, groupShare?.belowPromise)],
      known(number, killsCaused),
    ],
  );
}

/** The figures of each user; a head alone where users are simply the groups. */
export function userRows({ summary: { users = [], words } }: RunPicture): string[][] {
  return rowsOf(words, "user", users, [], () => []);
}

function rowsOf(
  words: RecordWords,
  kind: string,
  groups: readonly GroupSummary[],
  shareHeads: readonly string[],
  shares: (group: GroupSummary) => string[],
): string[][] {
  const time = (value: number | null) => known(duration, value);
  const [{ key, local }] = words.levels;
  const hasKills = words.has.includes("preemption");
  const hasDeadlines = words.has.includes("deadlines");
  const ofKills = hasKills ? shareHeads : shareHeads.filter((head) => head !== "kills caused");
  return [
    [
      ...[kind, "jobs ended, of", "response, median", "response, p95", "first task, median"],
      ...[`${localTask(words).many} ${local}`, ...ofKills],
      ...[...(hasKills ? ["kills suffered"] : []), ...(hasDeadlines ? ["deadlines missed"] : [])],
    ],
    ...groups.map((group) => [
      ...[group.name, `${number(group.jobs.ended)}, ${number(group.jobs.submitted)}`],
      ...[time(group.responseSeconds.p50), time(group.responseSeconds.p95), time(group.timeToFirstTaskSeconds.p50)],
      ...[percent(group.locality.shares[key]), ...shares(group).slice(0, ofKills.length)],
      ...(hasKills ? [number(group.kills?.attempts ?? 0)] : []),
      ...(hasDeadlines ? [number(group.deadlines?.missed ?? 0)] : []),
    ]),
  ];
}

export function useFigure({ timeline, summary }: RunPicture): Figure {
  const { words, cluster } = summary;
  const units = allUnits(words);
  const sharesOf = (values: readonly number[], total: number) => values.map((value) => value / Math.max(total, 1));
  /** Attempts that run, where each holds one of it; of other resources what groups hold. */
  const used = (place: number): readonly number[] => {
    const type = words.taskTypes.findIndex(({ key }) => key === words.resources[place].ofType);
    if (type >= 0) return timeline.running[type];
    return timeline.at.map((_, i) => sumOver(timeline.groups, ({ resources }) => resources[place].held[i]));
  };
  return {
    id: "utilisation",
    title: "Utilisation",
    note: `Share of ${units} that run a task; and, of all ${units}, those that ${words.group.many} with demand lack to their fair share. Means over ${duration(timeline.intervalSeconds)}.`,
    isTime: true,
    draw: () =>
      overTime(
        timeline.at,
        [
          ...words.resources.map(({ key, many: plural }, place) => ({
            name: plural,
            values: sharesOf(used(place), cluster.resources[key]),
          })),
          ...words.resources.map(({ key, many: plural }, place) => ({
            name: `${plural} lacking to fair shares`,
            values: sharesOf(timeline.missing[place], cluster.resources[key]),
          })),
        ],
        `share of ${units}`,
        percent,
      ),
  };
}

export function backlogFigure({ timeline, summary: { words } }: RunPicture): Figure {
  return {
    id: "backlog",
    title: "Backlog",
    note: `Tasks that wait for ${allUnits(words)}, and jobs that have not ended. Means over ${duration(timeline.intervalSeconds)}.`,
    isTime: true,
    draw: () =>
      overTime(
        timeline.at,
        [
          ...words.taskTypes.map(({ many: plural }, type) => ({
            name: `pending ${plural}`,
            values: timeline.pending[type],
          })),
          { name: "active jobs", values: timeline.activeJobs },
        ],
        "tasks, jobs",
        number,
      ),
  };
}

/** Nothing of a run whose replication is fixed. */
export function replicasFigure({ timeline: { at: times, extraReplicas, intervalSeconds } }: RunPicture): Figure | null {
  if (extraReplicas === null) return null;
  return {
    id: "replicas",
    title: "Replicas beyond the fixed number",
    note: `Of all blocks. A replica counts until it is deleted. Means over ${duration(intervalSeconds)}.`,
    isTime: true,
    draw: () => overTime(times, [{ name: "more replicas", values: extraReplicas }], "replicas", number),
  };
}

/* ---------- attempts ---------- */

export function heatFigure(run: RunPicture): Figure | null {
  if (run.attempts === null) return null;
  const { heat } = run.attempts;
  const { nodesPerRow, names, intervalSeconds, rows } = heat;
  const nodes = run.summary.cluster.nodes;
  const sizeOf = (row: number) => Math.min(nodesPerRow, nodes - row * nodesPerRow);
  return {
    id: "heat",
    isTall: true,
    title: `${capital(rowsOfNodes(run.summary.words, "busy "))} by node`,
    note: `Running attempts per node, mean over ${duration(intervalSeconds)}${nodesPerRow === 1 ? "" : ` and over ${nodesPerRow} nodes beside each other in racks`}.`,
    isWide: true,
    draw: () => {
      const cells = rows.flatMap((row, y) => row.map((busy, x) => [x, y, Number((busy / sizeOf(y)).toFixed(2))]));
      const step = timeStep((rows[0]?.length ?? 0) * intervalSeconds);
      const top = cells.reduce((highest, [, , busy]) => Math.max(highest, busy), 1);
      const option = {
        tooltip: itemTip(({ value: [x, y, busy] }) => [
          ...[names[y], `from ${duration(x * intervalSeconds)}`, `${number(busy)} attempts per node`],
        ]),
        xAxis: {
          type: "category",
          name: "time",
          data: rows[0]?.map((_, x) => duration(x * intervalSeconds)) ?? [],
          axisLabel: { interval: (x: number) => (x * intervalSeconds) % step === 0 },
          axisTick: { show: false },
        },
        yAxis: {
          type: "category",
          name: "nodes",
          data: names,
          axisLabel: { width: 118, overflow: "truncate", formatter: (name: string) => name.split(" to ")[0] },
          inverse: true,
          nameLocation: "start",
        },
        visualMap: {
          min: 0,
          max: top,
          ...SCALE_BELOW,
          text: [number(top), "0"],
        },
        grid: { left: 132, right: 16, top: 30, bottom: 84 },
        series: [{ type: "heatmap", data: cells, progressive: 0 }],
      };
      const table = cells.map(([x, y, busy]) => [x * intervalSeconds, names[y], busy]);
      return { option, marks: [], table: [["time_s", "nodes", "busy_per_node"], ...table] };
    },
  };
}

/** Rows for bars that overlap in time: each goes into the first row that is free. */
function rowsFor(attempts: readonly (readonly number[])[]): number[] {
  const freeAt: number[] = [];
  return attempts.map(([launch, finish]) => {
    const free = freeAt.findIndex((time) => time <= launch);
    const row = free < 0 ? freeAt.length : free;
    freeAt[row] = finish;
    return row;
  });
}

/** An attempt, and the job that it is of. */
interface Bar {
  readonly job: string;
  readonly attempt: readonly number[];
}

/** Attempts beside each other, node by node; where the rows of each node begin. */
function rowsByNode(attempts: readonly (readonly number[])[]): { rows: number[]; first: Map<number, number> } {
  const nodes = [...new Set(attempts.map(([, , node]) => node))].sort(ascending);
  const rows = attempts.map(() => 0);
  const first = new Map<number, number>();
  let next = 0;
  for (const node of nodes) {
    const attemptsOfNode = attempts.flatMap((attempt, index) => (attempt[2] === node ? [index] : []));
    const placed = rowsFor(attemptsOfNode.map((index) => attempts[index]));
    attemptsOfNode.forEach((index, position) => {
      rows[index] = next + placed[position];
    });
    first.set(node, next);
    next += 1 + placed.reduce((highest, row) => Math.max(highest, row), 0);
  }
  return { rows, first };
}

export function ganttFigure({ attempts, summary }: RunPicture): Figure | null {
  if (attempts === null || attempts.jobs.length + attempts.racks.racks.length === 0) return null;
  const { jobs, total, words } = attempts;
  const { group: groupNoun } = summary.words;
  const { racks, from: windowFrom, until: windowUntil, isWhole, of: rackCount } = attempts.racks;
  const groups = [...new Set(jobs.map(({ group }) => group))];
  const embedded = sumOver(jobs, (job) => job.attempts.length);
  const nameOf = new Map(jobs.map(({ job, label }) => [job, label]));
  const ofJobs = (members: readonly JobAttempts[]): Bar[] =>
    members.flatMap((job) => job.attempts.map((attempt) => ({ job: job.label, attempt })));
  const kinds = [
    {
      label: "a job",
      members: [...jobs]
        .sort((a, b) => b.attempts.length - a.attempts.length)
        .map((job) => ({ label: `${job.label} (${number(job.attempts.length)})`, bars: () => ofJobs([job]) })),
    },
    {
      label: `a ${groupNoun.one}`,
      members: groups.map((group) => ({ label: group, bars: () => ofJobs(jobs.filter((job) => job.group === group)) })),
    },
    {
      label: "a rack",
      members: racks.map((rack) => ({
        label: rack.label,
        bars: () => rack.attempts.map((attempt) => ({ job: nameOf.get(attempt[6]) ?? `job ${attempt[6]}`, attempt })),
      })),
    },
  ].filter(({ members }) => members.length > 0);
  const notes = [
    "A bar is an attempt, from launch to finish, in a row that was free then; in a rack, by node. Pale: it was killed, failed or lost.",
    ...(embedded === total
      ? []
      : [
          `Of jobs and ${groupNoun.many} the page holds ${number(embedded)} of ${number(total)} attempts: whole jobs, the slowest of each size first.`,
        ]),
    ...(isWhole || racks.length === 0
      ? []
      : [
          `Of racks it holds ${number(racks.length)} of ${number(rackCount)}, those of most attempts, and of these the ${duration(windowUntil - windowFrom)} from ${duration(windowFrom)} on, when most ${heldUnit(summary.words).many} were busy.`,
        ]),
  ];
  return {
    id: "gantt",
    isTall: true,
    title: "Attempts",
    note: notes.join(" "),
    choices: [
      { label: "of", options: labelsOf(kinds) },
      ...kinds.map(({ label, members }, kind) => ({
        label: label.slice(2),
        options: members.map((member) => member.label),
        matters: (chosen: readonly number[]) => chosen[0] === kind,
      })),
    ],
    isWide: true,
    isTime: true,
    draw: (chosen) => {
      const { label, members } = kinds[chosen[0]];
      const isRack = label === "a rack";
      const bars = members[chosen[1 + chosen[0]]].bars().sort((a, b) => a.attempt[0] - b.attempt[0]);
      const drawnAttempts = bars.map(({ attempt }) => attempt);
      const { rows, first } = isRack
        ? rowsByNode(drawnAttempts)
        : { rows: rowsFor(drawnAttempts), first: new Map<number, number>() };
      const marks = words.level.map((name, level) => levelMark(name, level === words.level.length - 1 ? null : level));
      const used = marks.filter((_, level) => bars.some(({ attempt }) => attempt[4] === level));
      const series = used.map(({ name, colour }) => ({
        type: "custom",
        name,
        color: colour,
        encode: { x: [0, 1], y: 2 },
        data: bars.flatMap(({ attempt }, index) =>
          words.level[attempt[4]] === name ? [[attempt[0], attempt[1], rows[index], index]] : [],
        ),
        renderItem: (_: unknown, api: CustomApi) => {
          const [x, y] = api.coord([api.value(0), api.value(2)]);
          const [end] = api.coord([api.value(1), api.value(2)]);
          const height = Math.max(1, api.size([0, 1])[1] * 0.8);
          const outcome = bars[api.value(3)].attempt[5];
          return {
            type: "rect",
            shape: { x, y: y - height / 2, width: Math.max(1, end - x), height },
            style: { fill: colour, opacity: outcome === 0 ? 1 : 0.45 },
          };
        },
        clip: true,
      }));
      const [from, until] =
        isRack && !isWhole
          ? [windowFrom, windowUntil]
          : drawnAttempts.reduce(
              ([first, last], [launch, finish]) => [Math.min(first, launch), Math.max(last, finish)],
              [Infinity, 0],
            );
      const step = timeStep(until - from);
      const nodeOf = (node: number) => attempts.nodes[String(node)];
      const rowCount = rows.reduce((highest, row) => Math.max(highest, row), 0) + 1;
      const option = {
        tooltip: itemTip(({ value }) => {
          const { job, attempt } = bars[value[3]];
          const [launch, finish, node, kind, level, outcome] = attempt;
          return [
            `${job}, ${words.type[kind]}, ${words.level[level]}`,
            `${nodeOf(node)}, ${words.outcome[outcome]}`,
            `${duration(launch)} to ${duration(finish)}: ${duration(finish - launch)}`,
          ];
        }),
        xAxis: {
          ...TIME_AXIS,
          min: Math.floor(from / step) * step,
          max: Math.ceil(until),
          ...(isRack ? { axisLine: { onZero: false } } : {}),
        },
        yAxis: isRack
          ? nodeAxis(first, nodeOf, rowCount, rowsOfNodes(summary.words))
          : { type: "value", name: "running at once", minInterval: 1 },
        ...(isRack ? { grid: { left: 132, right: 24, top: 34, bottom: 48 } } : {}),
        series,
      };
      const table = bars.map(({ job, attempt: [launch, finish, node, kind, level, outcome] }) => [
        ...[job, words.type[kind], launch, finish, nodeOf(node)],
        ...[words.level[level], words.outcome[outcome]],
      ]);
      return {
        option,
        marks: used,
        ...(isRack ? { height: Math.min(1400, Math.max(460, 100 + 5 * rowCount)) } : {}),
        table: [["job", "type", "launch_s", "finish_s", "node", "level", "outcome"], ...table],
      };
    },
  };
}

/** The counted unit on nodes: slots that are held, or attempts where one may hold any amount. */
function rowsOfNodes({ resources: [first] }: RecordWords, before = ""): string {
  return first.ofType === undefined ? "running attempts" : `${before}${unitOf(first).many}`;
}

/** The first row of each node has its name. */
function nodeAxis(
  first: ReadonlyMap<number, number>,
  nodeOf: (node: number) => string,
  rows: number,
  units: string,
): object {
  const nodeAt = new Map([...first].map(([node, row]) => [row, node]));
  const begins = [...nodeAt.keys()];
  return {
    type: "value",
    name: `${units} by node`,
    inverse: true,
    nameLocation: "start",
    min: -0.5,
    max: rows - 0.5,
    axisTick: { customValues: begins, show: true },
    splitLine: { show: false },
    axisLabel: {
      customValues: begins,
      width: 118,
      overflow: "truncate",
      formatter: (row: number) => {
        const node = nodeAt.get(row);
        return node === undefined ? "" : nodeOf(node);
      },
    },
  };
}

export function headline(labels: readonly string[]): HTMLElement {
  const time = (value: number | null) => known(duration, value);
  // Platforms that differ have their own words: those of the first run stand for all.
  const [{ summary: first }] = runs;
  const { words } = first;
  const { many: plural } = localTask(words);
  const near = words.levels.filter(({ better }) => better !== "lower");
  const shareAt = ({ summary: { locality } }: RunPicture, levels: typeof near) =>
    percent(sumOver(levels, ({ key }) => locality.shares[key] ?? 0));
  const nears = near.map(({ local }) => local.replace(/-local$/, "-"));
  const rows: readonly (readonly [string, (run: RunPicture) => string])[] = [
    ["scheduler", ({ summary }) => summary.scheduler],
    ["seed", ({ summary }) => summary.seed],
    ["virtual time", ({ summary }) => duration(summary.virtualSeconds)],
    ...(runs.some(({ summary }) => summary.makespan !== undefined)
      ? [["makespan", ({ summary }: RunPicture) => time(summary.makespan?.seconds ?? null)] as const]
      : []),
    ["stopped", ({ summary }) => summary.stopped],
    [
      ["nodes", ...words.resources.map((resource) => resource.many)].join(", "),
      ({ summary: { cluster: c } }) =>
        [c.nodes, ...words.resources.map(({ key }) => c.resources[key] ?? 0)].map(number).join(", "),
    ],
    ["jobs ended, of", ({ summary: { jobs } }) => `${number(jobs.ended)}, ${number(jobs.submitted)}`],
    ["response time, mean", ({ summary }) => time(summary.responseSeconds.mean)],
    ["response time, median", ({ summary }) => time(summary.responseSeconds.p50)],
    ["response time, p95", ({ summary }) => time(summary.responseSeconds.p95)],
    ["wait for the first task, median", ({ summary }) => time(summary.timeToFirstTaskSeconds.p50)],
    [`${plural} ${near[0]?.local ?? ""}`, (run) => shareAt(run, near.slice(0, 1))],
    [`${plural} ${nears.slice(0, -1).join(", ")} or ${near.at(-1)?.local ?? ""}`, (run) => shareAt(run, near)],
    ["below fair share", ({ summary }) => known(percent, summary.fairness.belowFairShare)],
    ...(words.has.includes("preemption")
      ? [["kills by preemption", ({ summary }: RunPicture) => number(summary.preemption?.kills ?? 0)] as const]
      : []),
    ["fingerprint", ({ summary }) => summary.fingerprint.slice(0, 12)],
  ];
  return tableOf("headline figures", [
    ["", ...labels],
    ...rows.map(([name, valueOf]) => [name, ...runs.map((run) => valueOf(run))]),
  ]);
}
