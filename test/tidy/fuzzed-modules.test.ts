import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

it("npm run fuzz names modules that are there: only the nightly run loads them", () => {
  const text = readFileSync(join(ROOT, "tools/fuzz.mjs"), "utf8");
  const modules = [...text.matchAll(/"((?:io|messages|lab|experiments)\/[a-z/-]+)"/g)].map(([, path]) => path);
  expect(modules.length).toBeGreaterThan(15);
  expect(modules.filter((path) => !existsSync(join(ROOT, "src", `${path}.ts`)))).toEqual([]);
});
