/**
 * Holds what `bide compare` says of imports of Spark's logs against a synthetic truth (test/support/spark-truth.mjs
 * says what is drawn).
 *
 *   node tools/what-if-truth.mjs                    200 cases (after `npm run build`)
 *   node tools/what-if-truth.mjs --cases 20         so many
 *   node tools/what-if-truth.mjs --series second    of another series of seeds
 *   node tools/what-if-truth.mjs --from 100         from this one on
 *   node tools/what-if-truth.mjs --list             each case, too, as a line of JSON
 *   node tools/what-if-truth.mjs --of a.txt,b.txt   the table of cases that were listed, in parts side by side
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { format } from "prettier";
import { asked, truthTable } from "../test/support/spark-truth-figures.mjs";

const { values } = parseArgs({
  options: {
    cases: { type: "string", default: "200" },
    from: { type: "string", default: "0" },
    series: { type: "string", default: "first" },
    list: { type: "boolean", default: false },
    of: { type: "string" },
  },
});
const [cases, from] = [Number(values.cases), Number(values.from)];
const scratch = mkdtempSync(join(tmpdir(), "bide-truth-"));
const listed = values.of?.split(",").flatMap((file) => readFileSync(file, "utf8").split("\n"));
const answers = (listed ?? []).filter((line) => line.startsWith("{")).map((line) => JSON.parse(line));
for (let number = from; listed === undefined && number < from + cases; number++) {
  const answer = await asked(values.series, number, scratch);
  if (answer !== null) answers.push(answer);
  if (values.list && answer !== null) console.log(JSON.stringify(answer));
  process.stderr.write(`\r${String(number - from + 1)} of ${String(cases)}`);
}
process.stderr.write("\n");
rmSync(scratch, { recursive: true });
const failed = cases - answers.length;
const without =
  failed === 0
    ? ""
    : `\n\nOf ${String(cases)} cases ${String(failed)} are left out: a task failed as often as Spark allows.`;
console.log((await format(truthTable(answers) + without, { parser: "markdown" })).trimEnd());
