import { BENCHES } from "../dist/lab/index.js";

/** The benchmarks that were named, or all; ends the process on an unknown name. */
export function chosenBenches(names) {
  const known = BENCHES.map(({ name }) => name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    console.error(`expected ${known.join(", ")}, found ${JSON.stringify(unknown)}`);
    process.exit(2);
  }
  return names.length === 0 ? known : [...new Set(names)];
}
