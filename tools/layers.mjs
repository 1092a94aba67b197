/**
 * Checks the layer rules of .dependency-cruiser.cjs over src/.
 *
 * dependency-cruiser reports success when it cannot read TypeScript at all ("0 modules cruised"), so this counts: it
 * fails when fewer modules of src were seen than src has files, or when no import between them was seen.
 *
 *   node tools/layers.mjs [DIRECTORY]   DIRECTORY holds src/ and the rules; default: this project
 */
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const project = fileURLToPath(new URL("..", import.meta.url));
const root = resolve(process.argv[2] ?? project);
const command = join(project, "node_modules/dependency-cruiser/bin/dependency-cruise.mjs");

function cruise() {
  const options = ["--config", ".dependency-cruiser.cjs", "--output-type", "json", "src"];
  const run = spawnSync(process.execPath, [command, ...options], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  if (run.stdout === null || !run.stdout.startsWith("{")) {
    throw new Error(`dependency-cruiser did not run: ${run.stderr ?? run.error}`);
  }
  return JSON.parse(run.stdout);
}

/** One line per violation, and once per rule what breaking it means. */
function explain(violations, rules) {
  for (const rule of rules) {
    const broken = violations.filter((violation) => violation.rule.name === rule.name);
    if (broken.length === 0) continue;
    console.log(`\n${rule.name}: ${rule.comment}`);
    for (const { from, to, cycle } of broken) {
      const path = cycle === undefined ? [to] : cycle.map((step) => step.name ?? step);
      console.log(`  ${from}${from === to ? "" : ` -> ${path.join(" -> ")}`}`);
    }
  }
}

const { modules, summary } = cruise();
const seen = modules.filter((module) => module.source.startsWith("src/"));
const imports = seen.flatMap((module) => module.dependencies).filter(({ resolved }) => resolved.startsWith("src/"));
const files = readdirSync(join(root, "src"), { recursive: true }).filter((name) => /(?<![.]d)[.]ts$/.test(name));

explain(summary.violations, summary.ruleSetUsed.forbidden);
const blind = seen.length === 0 || seen.length < files.length || imports.length === 0;
if (blind) {
  console.log(
    `dependency-cruiser saw ${seen.length} of ${files.length} modules and ${imports.length} imports: nothing was checked`,
  );
}
console.log(`layers: ${seen.length} modules, ${imports.length} imports, ${summary.violations.length} violations`);
process.exitCode = blind || summary.violations.length > 0 ? 1 : 0;
