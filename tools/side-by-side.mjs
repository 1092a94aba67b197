/**
 * Runs npm scripts side by side, two at a time, and prints what each one said when it ends, with the seconds it took.
 * Exits with 1 if one failed; the others are still run, so that one sees everything that is wrong.
 *
 *   node tools/side-by-side.mjs lint types layers
 */
import { spawn } from "node:child_process";

const AT_A_TIME = 2;

const left = process.argv.slice(2);
let failed = 0;

async function run(script) {
  const startMs = performance.now();
  const child = spawn("npm", ["run", "--silent", script], { stdio: ["ignore", "pipe", "pipe"] });
  const said = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => said.push(data));
  const code = await new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  if (code !== 0) failed++;
  const seconds = ((performance.now() - startMs) / 1000).toFixed(0);
  process.stdout.write(`== ${script}: ${code === 0 ? "passed" : "FAILED"} in ${seconds} s\n`);
  process.stdout.write(Buffer.concat(said));
}

async function next() {
  for (let script = left.shift(); script !== undefined; script = left.shift()) await run(script);
}

await Promise.all(Array.from({ length: AT_A_TIME }, next));
process.exit(failed === 0 ? 0 : 1);
