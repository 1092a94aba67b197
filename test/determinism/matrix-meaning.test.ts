import { expect, it } from "vitest";
import { COMPOSITIONS, fingerprintOf } from "./matrix.js";

it("each composition of the matrix changes what is decided, under hfs, so that equal fingerprints mean something", async () => {
  const found = new Map<string, string>();
  for (const composition of Object.keys(COMPOSITIONS)) {
    found.set(await fingerprintOf("hfs", composition), composition);
  }
  expect([...found.values()]).toEqual(Object.keys(COMPOSITIONS));
});
