import { PASSING, type Compared, type ComparedRun, type RegressReport } from "../../core/regress/regress-report.js";
import { create } from "xmlbuilder2";

type XmlNode = ReturnType<typeof create>;

/**
 * The report in the XML that build servers read: a suite per run, a case per comparison, with both values and the command that
 * shows it again where one fails.
 */
export function junitText(report: RegressReport): string {
  const suites = report.runs.map((run) => ({
    run,
    cases: run.comparisons.filter(({ verdict }) => verdict !== "told"),
  }));
  const root = create({ version: "1.0", encoding: "UTF-8" }).ele("testsuites", {
    name: xmlText(`bide regress ${report.name}`),
    ...totals(suites.flatMap(({ cases }) => cases)),
  });
  for (const { run, cases } of suites) {
    const suite = root.ele("testsuite", { name: xmlText(`${report.name}.${run.name}`), ...totals(cases) });
    addProperties(suite, report, run);
    for (const compared of cases) addCase(suite, report, run, compared);
    if (run.notes.length > 0) suite.ele("system-out").txt(xmlText(run.notes.join("\n")));
  }
  return `${root.end({ prettyPrint: true })}\n`;
}

function totals(cases: readonly Compared[]): Record<string, string> {
  const errors = cases.filter(({ verdict }) => verdict === "failed").length;
  const bad = cases.filter(({ verdict }) => !PASSING.has(verdict)).length;
  return { tests: String(cases.length), failures: String(bad - errors), errors: String(errors) };
}

function addProperties(
  suite: XmlNode,
  { machine, baseline }: RegressReport,
  { command, comparisons }: ComparedRun,
): void {
  const properties = suite.ele("properties");
  const told = comparisons.filter(({ verdict }) => verdict === "told").map(({ what, now }) => [what, now]);
  const named = [...Object.entries(machine), ["baseline", baseline], ["command", command], ...told];
  for (const [name, value] of named) properties.ele("property", { name: xmlText(name), value: xmlText(value) });
}

function addCase(suite: XmlNode, { name }: RegressReport, run: ComparedRun, compared: Compared): void {
  const { what, verdict, baseline, now, detail } = compared;
  const one = suite.ele("testcase", { classname: xmlText(`${name}.${run.name}`), name: xmlText(what) });
  if (PASSING.has(verdict)) return;
  const message = `${what} ${verdict}: was ${shown(baseline)}, is ${shown(now)}`;
  one
    .ele(verdict === "failed" ? "error" : "failure", { type: verdict, message: xmlText(message) })
    .txt(xmlText(`${message}\n${detail === "" ? "" : `${detail}\n`}${run.command}\n`));
}

function shown(value: string | number | null): string {
  return value === null ? "nothing" : String(value);
}

/** XML 1.0 has no place for these, escaped or not: control characters, halves of surrogate pairs, U+FFFE and U+FFFF. */
// eslint-disable-next-line no-control-regex
const ILLEGAL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ud800-\udfff\ufffe\uffff]/gu;

/** Text as the builder takes it, which reads the entities of XML in what it is given. */
function xmlText(value: unknown): string {
  const legal = String(value).replace(ILLEGAL, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return legal.replaceAll("&", "&amp;");
}
