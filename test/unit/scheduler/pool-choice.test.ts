import { expect, it } from "vitest";
import { poolChoice, type PoolChoiceSpec } from "../../../dist/core/platforms/hadoop/index.js";
import type { AllocationsSpec } from "../../../dist/core/scenario/index.js";
import { NO_ALLOCATIONS } from "../../support/plain-scheduler.js";

const PLAIN: PoolChoiceSpec = { rules: "branch-1", poolBy: "pool", undeclaredPools: true, groups: [] };

/** The pool of a job of that name and user where `ads` is declared. */
function chosen(
  pool: string,
  allocations: AllocationsSpec,
  spec: Partial<PoolChoiceSpec> = {},
  user = "ann",
): string | null {
  return poolChoice({ ...PLAIN, ...spec })(allocations, pool, user, (name) => name === "ads");
}

it("a dot in the name of a pool is a letter like others, and blanks around the name are none", () => {
  expect(chosen("root.ads", NO_ALLOCATIONS)).toBe("root.ads");
  expect(chosen(" ads ", NO_ALLOCATIONS)).toBe("ads");
  expect(chosen("", NO_ALLOCATIONS)).toBe("default");
  expect(chosen("root.ads", NO_ALLOCATIONS, { undeclaredPools: false })).toBeNull();
});
