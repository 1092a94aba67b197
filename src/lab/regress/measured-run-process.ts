import { groupNamesOf, stuckWords } from "../../core/record/index.js";
import { countsOf, measureNamed, figuresOfMeasures, type ReplicationFigures } from "../../experiments/index.js";
import { loadPlugins } from "../../io/index.js";
import { answerTask } from "../bench/own-process.js";
import type { RunResult } from "../run.js";
import { runScenario } from "../run-scenario.js";
import { reasonOf } from "../sweep/run-task.js";
import { cpuSecondsSince } from "./calibration-loop.js";
import type { MeasuredRun, MeasuredRunTask } from "./regress.js";

/** The process of one run. */

async function measured(task: MeasuredRunTask, signal: AbortSignal): Promise<MeasuredRun> {
  const { scenario, directory, placement, measures } = task;
  try {
    const plugins = await loadPlugins(task.plugins);
    const before = process.cpuUsage();
    const result = await runScenario(scenario, directory, { placement, recordTasks: false, plugins, signal });
    const why = stuckWords(result.summary);
    if (why.length > 0) return { figures: null, error: why.join(". ") };
    const cpuSeconds = cpuSecondsSince(before);
    return {
      figures: figuresOf(scenario.run.seed, measures, result),
      error: null,
      names: { pool: groupNamesOf(result.record.jobs, "pool"), user: groupNamesOf(result.record.jobs, "user") },
      notes: result.summary.notes.filter((note) => typeof note !== "string"),
      cpuSeconds,
      peakMemoryMiB: process.resourceUsage().maxRSS / 1024,
    };
  } catch (error) {
    signal.throwIfAborted();
    return { figures: null, error: reasonOf(error) };
  }
}

function figuresOf(seed: string, measures: readonly string[], { summary, record }: RunResult): ReplicationFigures {
  const { fingerprint, virtualSeconds } = summary;
  const kept = measures.flatMap((key) => measureNamed(key, record.words) ?? []);
  const figures = figuresOfMeasures(kept, "every", () => ({ summary, record, decisions: null }));
  return { seed, fingerprint, virtualSeconds, counts: { ...countsOf(summary) }, ...figures };
}

answerTask(measured);
