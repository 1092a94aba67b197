import { expect, it } from "vitest";
import { allowedNames } from "../../../dist/io/index.js";

it("names that are numbered one after the other are told by the first and the last", () => {
  expect(allowedNames(["mean", "bin1", "bin2", "bin3", "p50", "x1", "x2"], null)).toBe(
    "mean, bin1 to bin3, p50, x1, x2",
  );
  expect(allowedNames(["bin1", "bin2", "bin4", "bin8", "bin9", "bin10"], "bin5")).toMatch(
    /^bin1, bin2, bin4, bin8 to bin10; did you mean/,
  );
  expect(allowedNames(["1", "2", "3"], null)).toBe("1 to 3");
  expect(allowedNames([], "x")).toBe("");
});
