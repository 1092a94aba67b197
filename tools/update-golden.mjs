import { writeFileSync } from "node:fs";
import {
  GOLDEN_FILE,
  GOLDEN_HEADER,
  GOLDEN_RUNS,
  goldenKey,
  resultOfGolden,
} from "../test/determinism/golden-runs.mjs";

/** Rewrites test/golden/results.csv with what the build in dist/ gives now. Run `npm run build` first. */

const rows = [];
for (const run of GOLDEN_RUNS) rows.push(`${goldenKey(run)},${await resultOfGolden(run)}`);
writeFileSync(GOLDEN_FILE, [GOLDEN_HEADER, ...rows, ""].join("\n"));
console.log(`${String(rows.length)} results written`);
