import { describe, expect, it } from "vitest";
import { mostOfType, RULES } from "../../../dist/core/platforms/hadoop/index.js";

describe("most tasks of a type on one heartbeat", () => {
  it("is one with assign-multiple off, whatever is free and whatever the cap", () => {
    for (const rules of Object.values(RULES)) {
      expect(mostOfType(rules, Infinity, 5, 1)).toBe(1);
      expect(mostOfType(rules, 10, 0, 1)).toBe(1);
    }
  });

  it("is what is free where no cap is set", () => {
    for (const rules of Object.values(RULES)) {
      expect(mostOfType(rules, Infinity, 5, Infinity)).toBe(5);
      expect(mostOfType(rules, Infinity, 0, Infinity)).toBe(0);
    }
  });

  it("is the cap where it is less than what is free", () => {
    for (const rules of Object.values(RULES)) {
      expect(mostOfType(rules, 2, 5, Infinity)).toBe(2);
      expect(mostOfType(rules, 0, 5, Infinity)).toBe(0);
    }
  });

  it("is a cap above what is free only before 1.2", () => {
    expect(mostOfType(RULES["0.21"], 10, 5, Infinity)).toBe(10);
    expect(mostOfType(RULES["1.2"], 10, 5, Infinity)).toBe(5);
    expect(mostOfType(RULES["branch-1"], 10, 5, Infinity)).toBe(5);
    expect(mostOfType(RULES.paper, 10, 5, Infinity)).toBe(5);
  });
});
