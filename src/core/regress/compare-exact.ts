import type { Compared } from "./regress-report.js";
import type { ExactFigure } from "./regress-plan.js";
import type { ReplicationFigures } from "./run-figures.js";

type Figure = string | number | null;

/** Replications of the same seeds, in the same order, to the last digit. Equal counts are one comparison, each other count is one. */
export function compareExact(
  figures: readonly ExactFigure[],
  baseline: readonly ReplicationFigures[],
  now: readonly ReplicationFigures[],
): Compared[] {
  return figures.flatMap((figure) => {
    if (figure === "counts") return compareCounts(baseline, now);
    return [compareOne(figure, baseline, now, (replication) => replication[figure])];
  });
}

/** Compares one figure of each replication; the first that differs is shown. */
function compareOne(
  what: string,
  baseline: readonly ReplicationFigures[],
  now: readonly ReplicationFigures[],
  of: (replication: ReplicationFigures) => Figure,
): Compared {
  const differing = now.flatMap((replication, i) => (of(replication) === of(baseline[i]) ? [] : [i]));
  const at = differing[0] ?? 0;
  const values = { baseline: of(baseline[at]), now: of(now[at]) };
  if (differing.length === 0) {
    return { kind: "exact", what, verdict: "same", ...values, detail: ofSeeds(now.length, now.length) };
  }
  const seed = now.length === 1 ? "" : ` (shown: seed ${now[at].seed})`;
  return {
    kind: "exact",
    what,
    verdict: "changed",
    ...values,
    detail: `${ofSeeds(differing.length, now.length)}${seed}`,
  };
}

function compareCounts(baseline: readonly ReplicationFigures[], now: readonly ReplicationFigures[]): Compared[] {
  const keys = new Set([...baseline, ...now].flatMap(({ counts }) => Object.keys(counts)));
  const each = [...keys].map((key) => compareOne(`counts.${key}`, baseline, now, ({ counts }) => counts[key] ?? null));
  const changed = each.filter(({ verdict }) => verdict === "changed");
  if (changed.length > 0) return changed;
  const all = `all ${String(keys.size)}`;
  const detail = ofSeeds(now.length, now.length);
  return [{ kind: "exact", what: "counts", verdict: "same", baseline: all, now: all, detail }];
}

/** Nothing to say where there is one seed. */
function ofSeeds(count: number, all: number): string {
  if (all === 1) return "";
  return count === all ? `all ${String(all)} seeds` : `${String(count)} of ${String(all)} seeds`;
}
