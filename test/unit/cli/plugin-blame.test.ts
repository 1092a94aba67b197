import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { failureOf, watchPlugins } from "../../../dist/cli/index.js";

const DIST = fileURLToPath(new URL("../../../dist", import.meta.url));

function errorAt(...frames: string[]): Error {
  const error = new TypeError("x");
  error.stack = ["TypeError: x", ...frames.map((frame) => `    at f (${frame})`)].join("\n");
  return error;
}

describe("what nobody foresaw", () => {
  const ofBide = errorAt(`file://${DIST}/core/platforms/hadoop/master/master.js:3:1`, "node:internal/timers:5:1");
  const ofPlugin = errorAt(`file://${DIST}/core/platforms/hadoop/master/master.js:3:1`, "file:///home/me/mine.mjs:7:9");

  it("is a mistake in Bide, unless a plugin was loaded and had a part in it", () => {
    for (const error of [ofBide, ofPlugin, "text"]) expect(failureOf(error).exitCode).toBe(1);
    watchPlugins();
    expect(failureOf(ofBide)).toMatchObject({
      exitCode: 1,
      text: expect.stringContaining("unless a plugin has changed"),
    });
    expect(failureOf(ofPlugin)).toMatchObject({ exitCode: 2, text: expect.stringContaining("/home/me/mine.mjs:7:9") });
    expect(failureOf("text").exitCode).toBe(2);
  });
});
