import { sumOver } from "../../core/kernel/index.js";
import {
  casesJudged,
  type Compared,
  type ComparedRun,
  type JudgedCase,
  type RegressReport,
} from "../../experiments/index.js";
import { create } from "xmlbuilder2";
import { noteText } from "../../core/record/index.js";

type XmlNode = ReturnType<typeof create>;

/**
 * The report in the XML that build servers read: a suite per run, and in it a case for each thing that the file has
 * compared. Names of cases are the same whether they pass, fail or cannot be compared, so that a server keeps the
 * history of each. Of a failed one there are both values, what is known of the reason, and the command that shows it
 * again.
 */
export function junitText(report: RegressReport): string {
  const suites = report.runs.map((run) => ({ run, cases: casesJudged(run) }));
  const root = create({ version: "1.0", encoding: "UTF-8" }).ele("testsuites", {
    name: xmlText(`bide regress ${report.name}`),
    ...totals(suites.flatMap(({ cases }) => cases)),
  });
  for (const { run, cases } of suites) {
    const suite = root.ele("testsuite", { name: xmlText(`${report.name}.${run.name}`), ...totals(cases) });
    addProperties(suite, report, run);
    for (const judged of cases) addCase(suite, report, run, judged);
    if (run.notes.length > 0) suite.ele("system-out").txt(xmlText(run.notes.map(noteText).join("\n")));
  }
  return `${root.end({ prettyPrint: true })}\n`;
}

function totals(cases: readonly JudgedCase[]): Record<string, string> {
  const count = (wanted: JudgedCase["outcome"]) => String(cases.filter(({ outcome }) => outcome === wanted).length);
  return {
    tests: String(cases.length),
    failures: count("failure"),
    errors: count("error"),
    skipped: count("skipped"),
    time: timeText(sumOver(cases, ({ seconds }) => seconds)),
  };
}

function timeText(seconds: number): string {
  return seconds.toFixed(3);
}

function addProperties(
  suite: XmlNode,
  { machine, baseline }: RegressReport,
  { command, comparisons }: ComparedRun,
): void {
  const properties = suite.ele("properties");
  const reported = comparisons.filter(({ verdict }) => verdict === "told").map(({ what, now }) => [what, now]);
  const named = [...Object.entries(machine), ["baseline", baseline], ["command", command], ...reported];
  for (const [name, value] of named) properties.ele("property", { name: xmlText(name), value: xmlText(value) });
}

function addCase(suite: XmlNode, { name }: RegressReport, run: ComparedRun, judged: JudgedCase): void {
  const { outcome, bad } = judged;
  const classname = xmlText(`${name}.${run.name}`);
  const testcase = suite.ele("testcase", { classname, name: xmlText(judged.name), time: timeText(judged.seconds) });
  if (outcome === "passed") return;
  if (outcome === "skipped") {
    testcase.ele("skipped", { message: "nothing to compare: see the case run" });
    return;
  }
  const message = bad.map((compared) => changeWords(compared)).join("; ");
  const lines = bad.flatMap((compared) => [
    changeWords(compared),
    ...(compared.detail === "" ? [] : [compared.detail]),
  ]);
  testcase
    .ele(outcome, { type: bad[0].verdict, message: xmlText(message) })
    .txt(xmlText(`${[...lines, ...run.notes.map(noteText), run.command].join("\n")}\n`));
}

function changeWords({ what, verdict, baseline, now }: Compared): string {
  return `${what} ${verdict}: was ${shown(baseline)}, is ${shown(now)}`;
}

function shown(value: string | number | null): string {
  return value === null ? "nothing" : String(value);
}

/** XML 1.0 has no place for these, escaped or not: control characters, halves of surrogate pairs, U+FFFE and U+FFFF. */
// eslint-disable-next-line no-control-regex
const ILLEGAL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ud800-\udfff\ufffe\uffff]/gu;

/** Text as the builder takes it, which reads the entities of XML in what it is given. */
function xmlText(value: unknown): string {
  const legal = String(value).replace(
    ILLEGAL,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return legal.replaceAll("&", "&amp;");
}
