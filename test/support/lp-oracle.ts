import loadHighs, { type Highs } from "highs";
import type { PlainNetwork } from "./naive-min-cost-flow.js";

// Its types are those of a CommonJS module, which it is not for those that import it.
const highs = await (loadHighs as unknown as () => Promise<Highs>)();

/** The least cost of a flow by a linear program that a foreign solver (HiGHS) solves; null: there is none. */
export function lpMinCost({ supplies, arcs }: PlainNetwork): number | null {
  const nodes = [...supplies.keys()].filter((node) => node !== 0);
  // HiGHS says nothing of a program without columns.
  if (arcs.length === 0) return nodes.every((node) => supplies.get(node) === 0) ? 0 : null;
  const rowOf = new Map(nodes.map((node, row) => [node, row]));
  const starts = [0];
  const indices: number[] = [];
  const values: number[] = [];
  for (const { from, to } of arcs) {
    for (const [node, sign] of from === to
      ? []
      : ([
          [from, 1],
          [to, -1],
        ] as const)) {
      const row = rowOf.get(node);
      if (row === undefined) continue;
      indices.push(row);
      values.push(sign);
    }
    starts.push(indices.length);
  }
  const balance = nodes.map((node) => supplies.get(node)!);
  const text = {
    numCols: arcs.length,
    numRows: nodes.length,
    colCost: Float64Array.from(arcs, ({ cost }) => cost),
    colLower: Float64Array.from(arcs, ({ low }) => low),
    colUpper: Float64Array.from(arcs, ({ up }) => up),
    rowLower: Float64Array.from(balance),
    rowUpper: Float64Array.from(balance),
    matrix: {
      format: "csc" as const,
      numRows: nodes.length,
      numCols: arcs.length,
      starts: Int32Array.from(starts),
      indices: Int32Array.from(indices),
      values: Float64Array.from(values),
    },
  };
  return highs.withModel(text, (model) => {
    model.options.set({ output_flag: false });
    model.run();
    const status = model.getModelStatus();
    if (status === highs.constants.modelStatus.infeasible) return null;
    if (status !== highs.constants.modelStatus.optimal) throw new Error(`HiGHS ends with status ${String(status)}`);
    return Math.round(model.getObjectiveValue());
  });
}
