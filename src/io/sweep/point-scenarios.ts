import type { Scenario } from "../../core/scenario/scenario.js";
import type { SchedulerPlugin } from "../../core/scheduler/plugin/plugin-face.js";
import type { SweepPoint, WarmUp } from "../../experiments/sweep/sweep-plan.js";
import { formatDiagnostic, InputError, type Diagnostic } from "../input-error.js";
import { assemble, type Assembled, type OwnChange } from "../scenario/assemble.js";
import { AssemblyMemo } from "../scenario/assembly-memo.js";
import { LIMITS } from "../scenario/limits.js";
import { locate, type YamlDocument } from "../scenario/yaml-document.js";
import type { Override } from "../scenario/overrides.js";
import { quote } from "../scenario/show.js";
import { changeOf } from "../scenario/systems.js";
import { formatDuration } from "../scenario/units.js";
import type { ReadAxis } from "./axes.js";
import { PointNotes } from "./point-notes.js";
import type { SweepFile } from "./sweep-schema.js";

export interface PointSources {
  readonly sweep: SweepFile;
  /** The sweep file. */
  readonly yaml: YamlDocument;
  readonly scenario: YamlDocument;
  readonly axes: readonly ReadAxis[];
  readonly overrides: readonly Override[];
  readonly plugins: readonly SchedulerPlugin[];
}

export interface CheckedPoints {
  readonly notes: readonly string[];
  /** Absolute; of the scenario. */
  readonly directory: string;
  /** Of the scenario itself, or of the options. */
  readonly seed: string;
}

/** The scenario of each point, made when it is asked for. */
export class PointScenarios {
  private readonly common: readonly OwnChange[];
  private readonly memo: AssemblyMemo;

  constructor(private readonly sources: PointSources) {
    const { sweep, yaml } = sources;
    this.memo = new AssemblyMemo(sources.scenario);
    this.common = Object.entries(sweep.set).map(([path, value]) =>
      changeOf(path, value, { yaml, path: ["set", path] }),
    );
  }

  at(point: SweepPoint, seed: string): Scenario {
    const { scenario } = this.assembled(point);
    return { ...scenario, run: { ...scenario.run, seed } };
  }

  /** @throws InputError with all problems of all points, each once. */
  check(
    points: readonly SweepPoint[],
    warmUp: WarmUp,
    onChecked?: (checked: number, of: number) => void,
  ): CheckedPoints {
    const notes = new PointNotes();
    const told = new Set<string>();
    const problems: Diagnostic[] = [];
    let first: Assembled | undefined;
    for (const [index, point] of points.entries()) {
      if (problems.length >= LIMITS.problems) break;
      onChecked?.(index, points.length);
      try {
        const assembled = this.assembled(point);
        this.refuseEmptyRun(assembled.scenario, warmUp);
        notes.add(assembled.notes, point);
        first ??= assembled;
      } catch (error) {
        if (!(error instanceof InputError)) throw error;
        for (const problem of error.diagnostics) {
          const text = formatDiagnostic(problem);
          if (told.has(text)) continue;
          told.add(text);
          const where = points.length === 1 ? "" : ` (at the point ${quote(point.label)})`;
          problems.push({ ...problem, message: problem.message + where });
        }
      }
    }
    onChecked?.(points.length, points.length);
    if (first === undefined || problems.length > 0) throw new InputError(problems.slice(0, LIMITS.problems));
    return {
      notes: notes.sentences(points.length),
      directory: first.directory,
      seed: first.scenario.run.seed,
    };
  }

  private assembled({ steps }: SweepPoint): Assembled {
    const { scenario, axes, overrides, plugins } = this.sources;
    const changes = [...this.common, ...axes.flatMap(({ changes: all }, i) => all[steps[i]])];
    // What is further in is set later, so that nothing undoes it.
    const own = changes.sort((a, b) => a.path.length - b.path.length);
    return assemble({ yaml: scenario, file: scenario.file, own, overrides, plugins, memo: this.memo });
  }

  /** @throws InputError when nothing of a run would count. */
  private refuseEmptyRun({ run }: Scenario, warmUp: WarmUp): void {
    if (warmUp.kind !== "cut" || warmUp.untilUs < run.untilUs) return;
    const { yaml } = this.sources;
    const [found, end] = [warmUp.untilUs, run.untilUs].map(formatDuration);
    const message = `found ${found} for warmUp, allowed less than ${end}, where the run ends`;
    throw new InputError([{ file: yaml.file, ...locate(yaml, ["warmUp"]), message }]);
  }
}
