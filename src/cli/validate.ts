import { counted } from "../core/kernel/index.js";
import { noteText } from "../core/record/index.js";
import type { SchedulerPlugin } from "../core/platforms/hadoop/index.js";
import {
  exactText,
  fileKindOf,
  fileProblem,
  InputError,
  type Diagnostic,
  poolNotesOf,
  poolNotesOfList,
  refuseStrayPools,
  loadAnyScenario,
  loadRegress,
  loadSweep,
  loadSystems,
  loadWorkload,
  platformNamed,
  wordsOf,
} from "../io/index.js";
import { type AnyScenario, isHadoop } from "../core/scenario/index.js";
import { scenarioDigest } from "../report/index.js";
import { printFitted } from "./printing.js";
import { tell } from "./terminal.js";

/** The output for a file without a fault. */
interface Sound {
  readonly lines: readonly string[];
  readonly notes: readonly string[];
}

interface Given {
  readonly set: readonly string[];
  readonly plugins: readonly SchedulerPlugin[];
}

/**
 * `bide validate`: a line for each good file, and all problems of the others. A file is good when no command refuses
 * it.
 * @throws InputError when there are any, after every file has been read.
 */
export async function validate(
  files: readonly string[],
  set: readonly string[],
  plugins: readonly SchedulerPlugin[],
): Promise<void> {
  const problems: Diagnostic[] = [];
  for (const file of files) {
    try {
      const { lines, notes } = await soundFile(file, { set, plugins });
      for (const line of lines) await printFitted(`${file}:${line}\n`);
      for (const note of notes) tell(`${file}: note: ${note}\n`);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      problems.push(...error.diagnostics);
    }
  }
  if (problems.length > 0) throw new InputError(problems);
}

async function soundFile(file: string, options: Given): Promise<Sound> {
  const kind = fileKindOf(file)?.kind;
  if (kind === "sweep" || kind === "goal") return soundSweep(file, options);
  return kind === "regress" ? soundRegress(file, options) : soundScenario(file, options);
}

async function soundScenario(file: string, options: Given): Promise<Sound> {
  const { scenario, directory, notes } = loadAnyScenario(file, options);
  const compared = loadSystems(file, options);
  const systems = compared?.systems ?? [];
  await readWorkloads([scenario, ...systems.map((system) => system.scenario)], directory);
  const lines = systems.map(({ name, scenario: system }) => `   ${name}: ${wordsOf(system).scheduler}`);
  const stray = isHadoop(scenario) ? poolNotesOfList(scenario).map(noteText) : [];
  const allNotes = new Set([...notes, ...(compared?.notes ?? []), ...stray]);
  return { lines: [` ok: ${scenario.name}: ${scenarioDigest(scenario)}`, ...lines], notes: [...allNotes] };
}

/** With or without a goal. */
async function soundSweep(file: string, options: Given): Promise<Sound> {
  const { plan, directory, scenarioAt, goal, notes } = loadSweep(file, options);
  await readWorkloads(
    plan.points.map((point) => scenarioAt(point, plan.seeds[0])),
    directory,
  );
  const kind = goal === undefined ? "a sweep" : "a sweep with a goal";
  const size = `${counted(plan.points.length, "point")}, ${counted(plan.replications, "seed")} each`;
  return { lines: [` ok: ${plan.name}: ${kind}, ${size}`], notes };
}

async function soundRegress(file: string, { set, plugins }: Given): Promise<Sound> {
  if (set.length > 0) {
    throw fileProblem("--set", "changes scenarios and sweeps, and no regression file; edit the runs of the file");
  }
  const { name, runs, notes } = loadRegress(file, plugins);
  for (const { scenario, directory } of runs) await readWorkloads([scenario], directory);
  return { lines: [` ok: ${name}: a regression file, ${counted(runs.length, "run")}`], notes };
}

/** Reads the workloads of runs, and refuses what the runs would refuse: each workload on each cluster once. */
async function readWorkloads(scenarios: readonly AnyScenario[], directory: string): Promise<void> {
  const seen = new Set<string>();
  for (const scenario of scenarios) {
    const { platform, workload } = scenario;
    const cluster = "cluster" in scenario ? scenario.cluster : null;
    const isStrict = isHadoop(scenario) && scenario.scheduler.strict === true;
    const isInFile = workload.file !== undefined || "applications" in scenario;
    const key = exactText([platform, workload, cluster, isStrict ? scenario.scheduler : null]);
    if ((!isInFile && !isStrict) || seen.has(key)) continue;
    seen.add(key);
    if (!isHadoop(scenario)) {
      await platformNamed(platform)?.build?.(scenario, directory);
      continue;
    }
    const made = await loadWorkload(scenario, directory);
    if (isStrict) refuseStrayPools(scenario.name, poolNotesOf(scenario, made));
  }
}
