import { InputError, loadPlugins } from "../../../dist/io/index.js";

/**
 * Loads each of the lists of files given as JSON, and prints as JSON what came of it: names and summaries, or the
 * message. A process of its own, because test runners load modules in their own way.
 */
const outcomes = [];
for (const files of JSON.parse(process.argv[2])) {
  try {
    outcomes.push((await loadPlugins(files)).map(({ name, summary }) => `${name}: ${summary}`));
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    outcomes.push(error.message);
  }
}
console.log(JSON.stringify(outcomes));
process.exit();
