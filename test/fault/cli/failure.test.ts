import { describe, expect, it } from "vitest";
import { RackFailure } from "../../../dist/actors/index.js";
import { failureOf, Interrupted } from "../../../dist/cli/index.js";
import { InputError } from "../../../dist/io/index.js";
import { Place } from "./command.js";

describe("what the user is told of an error", () => {
  it("is every diagnostic and nothing else for bad input", () => {
    const error = new InputError([
      { file: "a.yaml", line: 3, column: 5, message: "expected 1 or more, found 0" },
      { file: "--set x", line: 0, column: 0, message: "expected path=value, found nothing" },
    ]);
    expect(failureOf(error)).toEqual({
      exitCode: 2,
      text: "a.yaml:3:5: expected 1 or more, found 0\n--set x: expected path=value, found nothing\n",
    });
  });

  it("is rack, virtual time and cause for a rack that died", () => {
    const { exitCode, text } = failureOf(new RackFailure("rack07", 3_723_500_000, new Error("out of memory")));
    expect(exitCode).toBe(3);
    for (const part of ["rack07", "1h02m03.5s", "out of memory", "no results were written"])
      expect(text).toContain(part);
  });

  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const)("is one line after %s", (signal, exitCode) => {
    expect(failureOf(new Interrupted(signal))).toEqual({
      exitCode,
      text: `bide: stopped by ${signal}; no results were written\n`,
    });
  });

  it.each(["SIGINT", "SIGTERM"] as const)("is that line also before the first run begins, after %s", async (signal) => {
    const place = new Place();
    place.write(
      "early.mjs",
      `process.on("newListener", (name) => name === "uncaughtException" && setImmediate(() => process.kill(process.pid, "${signal}")));`,
    );
    const { stderr } = await place.shell("NODE_OPTIONS=--import=./early.mjs $BIDE compare good.yaml");
    place.remove();
    expect(stderr).toBe(`bide: stopped by ${signal}; no results were written\n`);
  });

  it("is the message, the trace and how to report for a fault of ours", () => {
    const { exitCode, text } = failureOf(new TypeError("x is undefined"));
    expect(exitCode).toBe(1);
    expect(text).toMatch(
      /bug in Bide.*\nTypeError: x is undefined\n {4}at [^]*Please report it .*bide \d+\.\d+\.\d+, Node v/,
    );
    expect(failureOf("thrown text").text).toContain("thrown text");
  });

  it.each([
    ["ENOSPC", /x/],
    ["EMFILE", /x/],
    ["ERR_WORKER_INIT_FAILED", /no more threads or processes/],
  ])("names the limit that is reached: %s", (code, message) => {
    const { exitCode, text } = failureOf(Object.assign(new Error("x"), { code }));
    expect([exitCode, text]).toEqual([3, expect.stringMatching(message)]);
    expect(text).not.toContain("bug in Bide");
  });
});
