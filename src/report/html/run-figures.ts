import { sumOver, keysOf, labelsOf, ascending } from "../../core/kernel/index.js";
import type { RecordWords } from "../../core/record/index.js";
import { allUnits, capital, heldUnit, localTask, shortOf, unitOf } from "../../core/record/index.js";
import type { Curve, GroupShares, JobAttempts, RunPicture } from "../../io/index.js";
import { darkScheme, data, type Figure, LEVEL_COLOURS, NO_LEVEL_COLOUR, SCALE_BELOW } from "./figure.js";
import {
  type Chart,
  type CustomApi,
  type Datum,
  duration,
  heldLines,
  lanesOf,
  ITEM_TIP,
  type Line,
  type Mark,
  mark,
  number,
  percentOf as percent,
  distributionChart,
  overTimeChart,
  TIME_AXIS,
} from "../index.js";

const { runs, most: limits } = data;

/* ---------- distributions ---------- */

function responseFigure({ responses, summary }: RunPicture): Figure {
  return {
    id: "responses",
    title: "Response time",
    note: `Share of jobs that ended within a time after submission. A curve of many jobs has ${limits["quantiles"]} points, at equal shares.`,
    choices: [{ label: "by", options: ["size", summary.words.group.one] }],
    draw: ([by]) => distributionChart(by === 0 ? responses.size : responses.group),
  };
}

/** The same group of jobs in several runs. */
export function runsFigure(labels: readonly string[]): Figure {
  const noun = runs.at(0)?.summary.words.group.one ?? "group";
  const curvesOf = ({ responses: { all: ofAllJobs, size, group } }: RunPicture): (readonly [string, Curve])[] => [
    [ofAllJobs.label, ofAllJobs],
    ...size.map((curve) => [curve.label, curve] as const),
    ...group.map((curve) => [`${noun} ${curve.label}`, curve] as const),
  ];
  const options = [...new Set(runs.flatMap((run) => curvesOf(run).map(([label]) => label)))];
  return {
    id: "runs",
    title: "Response time, run by run",
    note: "Share of jobs that ended within a time after submission, for one group of jobs in every run.",
    choices: [{ label: "jobs", options }],
    isWide: true,
    draw: ([group]) =>
      distributionChart(
        runs.flatMap((run, index) => {
          const curve = new Map(curvesOf(run)).get(options[group]);
          return curve === undefined ? [] : [{ ...curve, label: labels[index] }];
        }),
      ),
  };
}

/* ---------- bars ---------- */

function localityFigure({ summary: { words, bins: allBins } }: RunPicture): Figure {
  const { one: singular, many: plural } = localTask(words);
  const bins = allBins.filter(({ locality }) => locality.tasks > 0);
  const share = ({ locality }: (typeof bins)[number], key: string) => locality.shares[key] ?? 0;
  const levels = words.levels
    .map(({ key, title, better }, level) => ({ key, better, ...levelMark(title, level) }))
    // Places that most clusters do not have.
    .filter(
      ({ key, better }, level) =>
        better !== "lower" || level === words.levels.length - 1 || bins.some((bin) => share(bin, key) > 0),
    );
  const titles = bins.map(
    ({ label, locality }) =>
      `Jobs of ${label} ${label === "1" ? singular : plural}: ${number(locality.tasks)} ${plural} in all`,
  );
  return {
    id: "locality",
    title: "Locality by job size",
    note:
      keysOf(words.levels.slice(0, 2)).join() === "node,rack"
        ? `Share of ${plural} that read their input from the node, from the rack, and from further away.`
        : `Share of ${plural} by how near to their data they ran.`,
    draw: () => ({
      option: {
        tooltip: { trigger: "axis", axisPointer: { type: "shadow" }, valueFormatter: percent },
        xAxis: {
          type: "category",
          name: `${plural} per job`,
          data: labelsOf(bins),
          axisPointer: {
            label: {
              formatter: ({ seriesData: [{ dataIndex }] }: { seriesData: { dataIndex: number }[] }) =>
                titles[dataIndex],
            },
          },
        },
        yAxis: { type: "value", name: `share of ${plural}`, min: 0, max: 1, axisLabel: { formatter: percent } },
        series: levels.map(({ key, name, colour }) => ({
          type: "bar",
          name,
          stack: "locality",
          color: colour,
          data: bins.map((bin) => share(bin, key)),
        })),
      },
      marks: levels,
      table: [
        [`${plural}_per_job`, plural, ...levels.map(({ name }) => name)],
        ...bins.map((bin) => [bin.label, bin.locality.tasks, ...levels.map(({ key }) => share(bin, key))]),
      ],
    }),
  };
}

/** @param level of a task; null: it has none. */
function levelMark(name: string, level: number | null): Mark {
  const colour = level === null ? NO_LEVEL_COLOUR : LEVEL_COLOURS[level % LEVEL_COLOURS.length];
  return { name, colour, dash: "solid" };
}

function waitFigure({ waits: { upTo, jobs } }: RunPicture): Figure {
  const { colour: color } = mark("jobs", 0, 1);
  return {
    id: "waits",
    title: "Wait for the first task",
    note: "Jobs by the time from submission to the launch of their first task. Each interval is about twice the one before.",
    draw: () => ({
      option: {
        tooltip: { trigger: "item" },
        xAxis: {
          type: "category",
          name: "wait",
          data: upTo.map((end, index) => `${index === 0 ? "0" : duration(upTo[index - 1])}–${duration(end)}`),
        },
        yAxis: { type: "value", name: "jobs" },
        series: [{ type: "bar", name: "jobs", color, barCategoryGap: "8%", data: jobs }],
      },
      marks: [],
      table: [["up_to_s", "jobs"], ...upTo.map((end, index) => [end, jobs[index]])],
    }),
  };
}

/* ---------- over time ---------- */

/** The number of dashed lines that the eye can distinguish; with more pools the tooltip has their shares. */
const MOST_LINES = 6;

/** The holdings of groups upon each other, and where each would end if all held their fair shares. */
function stackedLines(members: readonly { readonly label: string; readonly slots: GroupShares }[]): Line[] {
  const marks = members.map(({ label }, index) => mark(label, index, members.length));
  const width = members.length > MOST_LINES ? 0 : 1.2;
  const shareLook = {
    stack: "shares",
    z: 4,
    itemStyle: { opacity: 0 },
    lineStyle: { width, type: "dashed", color: darkScheme.matches ? "#ffffff" : "#1b1f24" },
  };
  return [
    ...members.map(({ label, slots }, index) => ({
      name: label,
      values: slots.held,
      mark: marks[index],
      look: { stack: "held", areaStyle: { opacity: 0.75 }, lineStyle: { width: 0 } },
    })),
    ...members.map(({ label, slots }, index) => ({
      name: `${label} fair share`,
      values: slots.fairShare,
      mark: { ...marks[index], name: `${label} fair share` },
      look: shareLook,
    })),
  ];
}

function groupsFigure({ timeline, summary: { words } }: RunPicture): Figure {
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
      const { members } = stacks.at(choice) ?? {};
      if (members === undefined) {
        const shares = single[choice - stacks.length].resources[place];
        return overTimeChart(times, [...heldLines(shares), { name: "demand", values: shares.demand }], shown, number);
      }
      const stack = members.map((index) => ({ label: groups[index].label, slots: groups[index].resources[place] }));
      return overTimeChart(times, stackedLines(stack), `${shown} held`, number);
    },
  };
}

/** Figures that are lines over the time of the run. */
function timeFigures({ timeline, summary: { words, cluster } }: RunPicture): Figure[] {
  const { many: plural } = words.group;
  const { one: unit, many: units } = heldUnit(words);
  const slots = allUnits(words);
  const period = duration(timeline.intervalSeconds);
  const figure = (
    [id, title, note]: readonly [string, string, string],
    [axis, format]: readonly [string, (value: number) => string],
    lines: readonly Line[],
  ): Figure => ({ id, title, note, isTime: true, draw: () => overTimeChart(timeline.at, lines, axis, format) });
  /** Attempts that run, where each holds one of it; of other resources what groups hold. */
  const used = (place: number): readonly number[] => {
    const type = words.taskTypes.findIndex(({ key }) => key === words.resources[place].ofType);
    if (type >= 0) return timeline.running[type];
    return timeline.at.map((_, i) => sumOver(timeline.groups, ({ resources }) => resources[place].held[i]));
  };
  const sharesOf = (name: (plural: string) => string, amounts: (place: number) => readonly number[]): Line[] =>
    words.resources.map(({ key, many: resource }, place) => ({
      name: name(resource),
      values: amounts(place).map((value) => value / Math.max(cluster.resources[key], 1)),
    }));
  return [
    figure(
      [
        "utilisation",
        "Utilisation",
        `Share of ${slots} that run a task; and, of all ${slots}, those that ${plural} with demand lack to their fair share. Means over ${period}.`,
      ],
      [`share of ${slots}`, percent],
      [
        ...sharesOf((resource) => resource, used),
        ...sharesOf(
          (resource) => `${resource} lacking to fair shares`,
          (place) => timeline.missing[place],
        ),
      ],
    ),
    figure(
      [
        "fairness",
        "Fairness",
        `Of ${words.resources[0].many}, mean over ${period}: Jain's index of ${units} held over fair share (1: all ${plural} hold the same part of it), and the share of ${plural} with demand that hold less than their fair share minus one ${unit}.`,
      ],
      [`index, share of ${plural}`, number],
      [
        { name: "Jain's index", values: timeline.jain },
        { name: `${plural} below their fair share`, values: timeline.belowFairShare },
      ],
    ),
    figure(
      ["backlog", "Backlog", `Tasks that wait for ${slots}, and jobs that have not ended. Means over ${period}.`],
      ["tasks, jobs", number],
      [
        ...words.taskTypes.map(({ many: tasks }, type) => ({
          name: `pending ${tasks}`,
          values: timeline.pending[type],
        })),
        { name: "active jobs", values: timeline.activeJobs },
      ],
    ),
    // Of a run whose replication is fixed there is none.
    ...(timeline.extraReplicas === null
      ? []
      : [
          figure(
            [
              "replicas",
              "Replicas beyond the fixed number",
              `Of all blocks. A replica counts until it is deleted. Means over ${period}.`,
            ],
            ["replicas", number],
            [{ name: "more replicas", values: timeline.extraReplicas }],
          ),
        ]),
  ];
}

/* ---------- attempts ---------- */

function heatFigure({ attempts, summary }: RunPicture): Figure[] {
  if (attempts === null) return [];
  const { nodesPerRow, names, intervalSeconds, rows } = attempts.heat;
  const { nodes } = summary.cluster;
  const sizeOf = (row: number) => Math.min(nodesPerRow, nodes - row * nodesPerRow);
  const cells = rows.flatMap((row, y) => row.map((busy, x) => [x, y, Number((busy / sizeOf(y)).toFixed(2))]));
  const data = cells.map(([x, y, busy]): Datum => ({
    value: [x, y, busy],
    tip: [names[y], `from ${duration(x * intervalSeconds)}`, `${number(busy)} attempts per node`],
  }));
  const top = cells.reduce((highest, [, , busy]) => Math.max(highest, busy), 1);
  return [
    {
      id: "heat",
      isTall: true,
      title: `${capital(rowsOfNodes(summary.words, "busy "))} by node`,
      note: `Running attempts per node, mean over ${duration(intervalSeconds)}${nodesPerRow === 1 ? "" : ` and over ${nodesPerRow} nodes beside each other in racks`}.`,
      isWide: true,
      draw: () => ({
        option: {
          xAxis: {
            type: "category",
            name: "time",
            data: rows[0]?.map((_, x) => duration(x * intervalSeconds)) ?? [],
            axisTick: { show: false },
          },
          yAxis: {
            type: "category",
            name: "nodes",
            data: names,
            axisLabel: { formatter: (name: string) => name.split(" to ")[0] },
            inverse: true,
            nameLocation: "start",
          },
          visualMap: { min: 0, max: top, ...SCALE_BELOW, text: [number(top), "0"] },
          series: [{ type: "heatmap", data, progressive: 0 }],
          tooltip: ITEM_TIP,
        },
        marks: [],
        table: [
          ["time_s", "nodes", "busy_per_node"],
          ...cells.map(([x, y, busy]) => [x * intervalSeconds, names[y], busy]),
        ],
      }),
    },
  ];
}

/** An attempt, and the job that it is of. */
interface Bar {
  readonly job: string;
  readonly attempt: readonly number[];
}

/** A row for each attempt, of one node after the other; where the rows of each node begin. */
function rowsByNode(attempts: readonly (readonly number[])[], nodeOf: (attempt: readonly number[]) => number) {
  const lanes = lanesOf(attempts, nodeOf, ([launch, finish]) => [launch, finish]);
  const widths = new Map<number, number>();
  attempts.forEach((attempt, index) => {
    widths.set(nodeOf(attempt), Math.max(widths.get(nodeOf(attempt)) ?? 0, lanes[index] + 1));
  });
  const first = new Map<number, number>();
  let count = 0;
  for (const node of [...widths.keys()].sort(ascending)) {
    first.set(node, count);
    count += widths.get(node) ?? 0;
  }
  return { rows: attempts.map((attempt, index) => (first.get(nodeOf(attempt)) ?? 0) + lanes[index]), first, count };
}

function ganttFigure({ attempts, summary }: RunPicture): Figure[] {
  if (attempts === null || attempts.jobs.length + attempts.racks.racks.length === 0) return [];
  const { jobs, total, words } = attempts;
  const { group: groupNoun } = summary.words;
  const { racks, from: windowFrom, until: windowUntil, isWhole, of: rackCount } = attempts.racks;
  const groups = [...new Set(jobs.map(({ group }) => group))];
  const embedded = sumOver(jobs, (job) => job.attempts.length);
  const nodeOf = (node: number) => attempts.nodes[String(node)];
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
  const draw = (chosen: readonly number[]): Chart => {
    const { label, members } = kinds[chosen[0]];
    const isRack = label === "a rack";
    const bars = members[chosen[1 + chosen[0]]].bars().sort((a, b) => a.attempt[0] - b.attempt[0]);
    const drawnAttempts = bars.map(({ attempt }) => attempt);
    const { rows, first, count } = rowsByNode(drawnAttempts, ([, , node]) => (isRack ? node : 0));
    const marks = words.level.map((name, level) => levelMark(name, level === words.level.length - 1 ? null : level));
    const used = marks.filter((_, level) => bars.some(({ attempt }) => attempt[4] === level));
    const series = used.map(({ name, colour }) => ({
      type: "custom",
      name,
      color: colour,
      encode: { x: [0, 1], y: 2 },
      data: bars.flatMap(({ job, attempt }, index): Datum[] => {
        const [launch, finish, node, kind, level, outcome] = attempt;
        if (words.level[level] !== name) return [];
        return [
          {
            value: [1000 * launch, 1000 * finish, rows[index], outcome],
            tip: [
              `${job}, ${words.type[kind]}, ${words.level[level]}`,
              `${nodeOf(node)}, ${words.outcome[outcome]}`,
              `${duration(launch)} to ${duration(finish)}: ${duration(finish - launch)}`,
            ],
          },
        ];
      }),
      renderItem: (_: unknown, api: CustomApi) => {
        const [x, y] = api.coord([api.value(0), api.value(2)]);
        const [end] = api.coord([api.value(1), api.value(2)]);
        const height = Math.max(1, api.size([0, 1])[1] * 0.8);
        return {
          type: "rect",
          shape: { x, y: y - height / 2, width: Math.max(1, end - x), height },
          style: { fill: colour, opacity: api.value(3) === 0 ? 1 : 0.45 },
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
    const option = {
      tooltip: ITEM_TIP,
      xAxis: {
        ...TIME_AXIS,
        min: 1000 * Math.floor(from),
        max: 1000 * Math.ceil(until),
        axisLine: { onZero: false },
      },
      yAxis: isRack
        ? nodeAxis(first, nodeOf, count, rowsOfNodes(summary.words))
        : { type: "value", name: "running at once", minInterval: 1 },
      series,
    };
    const table = bars.map(({ job, attempt: [launch, finish, node, kind, level, outcome] }) => [
      ...[job, words.type[kind], launch, finish, nodeOf(node)],
      ...[words.level[level], words.outcome[outcome]],
    ]);
    return {
      option,
      marks: used,
      ...(isRack ? { height: Math.min(1400, Math.max(460, 100 + 5 * count)) } : {}),
      table: [["job", "type", "launch_s", "finish_s", "node", "level", "outcome"], ...table],
    };
  };
  return [
    {
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
      draw,
    },
  ];
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
      formatter: (row: number) => {
        const node = nodeAt.get(row);
        return node === undefined ? "" : nodeOf(node);
      },
    },
  };
}

/** All figures of a run, in the order of its page. */
export function runFigures(run: RunPicture): Figure[] {
  return [
    ...[responseFigure(run), localityFigure(run), groupsFigure(run), ...timeFigures(run), waitFigure(run)],
    ...[...heatFigure(run), ...ganttFigure(run)],
  ];
}
