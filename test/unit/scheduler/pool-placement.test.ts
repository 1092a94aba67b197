import { describe, expect, it } from "vitest";
import { checkPlacement, placeJob } from "../../../dist/core/platforms/hadoop/index.js";

type Rules = Parameters<typeof checkPlacement>[0];

/** `user` may create pools, `user?` may not. */
function rules(...words: string[]): Rules {
  return words.map((word) => ({ rule: word.replace("?", ""), create: !word.endsWith("?") })) as Rules;
}

const ann = { requested: "default", user: "ann", groups: ["staff", "night", "day"] };
const placed = (given: Rules, job = ann, declared: string[] = []) =>
  placeJob(given, job, (pool) => declared.includes(pool));

describe("placement rules", () => {
  it("end with one that always decides, and have none like that before", () => {
    const right = [
      rules("default"),
      rules("reject?"),
      rules("specified", "user"),
      rules("specified?", "user?", "primaryGroup?", "secondaryGroupExistingPool?", "default?", "reject"),
      rules("secondaryGroupExistingPool"),
    ];
    const wrong = [
      rules(),
      rules("specified"),
      rules("specified", "user?"),
      rules("user", "specified"),
      rules("default", "user", "reject"),
      rules("specified", "reject", "default"),
    ];
    expect(right.map(checkPlacement)).toEqual(right.map(() => null));
    for (const given of wrong) expect(checkPlacement(given)).not.toBeNull();
  });

  it("pass over a rule that may not create pools where the pool is not declared", () => {
    const given = rules("user?", "primaryGroup?", "default");
    expect(placed(given)).toBe("default");
    expect(placed(given, ann, ["staff"])).toBe("staff");
    expect(placed(given, ann, ["staff", "ann"])).toBe("ann");
    expect(placed(rules("specified?", "reject"), { ...ann, requested: "x" })).toBeNull();
    expect(placed(rules("specified?", "reject"), { ...ann, requested: "x" }, ["x"])).toBe("x");
  });

  it("look among the secondary groups for the first that is declared, create or not", () => {
    for (const rule of ["secondaryGroupExistingPool", "secondaryGroupExistingPool?"]) {
      expect(placed(rules(rule, "default"), ann, ["day", "night"])).toBe("night");
      expect(placed(rules(rule, "default"), ann, ["day", "staff"])).toBe("day");
      expect(placed(rules(rule, "default"), ann, ["staff"])).toBe("default");
    }
  });

  it("have no opinion about a user without a name, and give default as the first group of one without groups", () => {
    const nobody = { requested: "default", user: "", groups: [] };
    expect(placed(rules("user", "primaryGroup", "secondaryGroupExistingPool", "default"), nobody)).toBe("default");
    expect(placed(rules("user", "primaryGroup"), nobody)).toBe("default");
    expect(placed(rules("user", "secondaryGroupExistingPool"), nobody)).toBeNull();
  });

  it("treat names that objects have anyway as any other", () => {
    expect(placed(rules("user?", "default"), { ...ann, user: "__proto__" })).toBe("default");
    expect(placed(rules("user", "default"), { ...ann, user: "constructor" })).toBe("constructor");
  });
});
