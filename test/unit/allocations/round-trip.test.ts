import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AllocationsSpec, PlacementRuleSpec } from "../../../dist/core/scenario/index.js";
import { parseAllocations } from "../../../dist/io/index.js";
import { PLAIN_POOL } from "./allocation-file.js";

const S = 1_000_000;

const name = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 12 })
  .filter((text) => text.trim() === text && !/[\p{C}\u2028\u2029]/u.test(text));
const limit = fc.oneof(fc.nat(2_147_483_646), fc.constant(Infinity));
const timeout = fc.oneof(
  fc.nat(1_000_000_000).map((s) => s * S),
  fc.constant(Infinity),
);
const mode = fc.constantFrom("fair" as const, "fifo" as const);
const weight = fc.oneof(fc.constant(0), fc.double({ min: 0.000001, max: 1_000_000, noNaN: true }));
const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });

const settings = {
  weight,
  minMaps: fc.nat(64_000_000),
  minReduces: fc.nat(64_000_000),
  maxMaps: limit,
  maxReduces: limit,
  maxJobs: orNull(limit),
  minShareTimeoutUs: orNull(timeout),
  mode: orNull(mode),
};

const rule = (...names: PlacementRuleSpec["rule"][]) => fc.constantFrom(...names);
const groups = ["user", "primaryGroup", "secondaryGroupExistingPool", "default"] as const;
const placement = orNull(
  fc
    .tuple(
      fc.array(
        fc.oneof(
          fc.boolean().map((create) => ({ rule: "specified" as const, create })),
          rule(...groups).map((name) => ({ rule: name, create: false })),
        ),
        { maxLength: 4 },
      ),
      rule(...groups, "reject").map((name) => ({ rule: name, create: true })),
    )
    .map(([first, last]) => [...first, last]),
);

const shared = {
  users: fc.uniqueArray(fc.record({ name, maxJobs: limit }), { selector: (user) => user.name, maxLength: 5 }),
  poolMaxJobs: limit,
  userMaxJobs: limit,
  minShareTimeoutUs: timeout,
  fairShareTimeoutUs: timeout,
  defaultMode: mode,
  placement,
};

const hadoopFile: fc.Arbitrary<AllocationsSpec> = fc.record({
  ...shared,
  pools: fc.uniqueArray(
    fc.record({ ...settings, name, parent: fc.constant(null), fairShareTimeoutUs: fc.constant(null) }),
    { selector: (pool) => pool.name, maxLength: 8 },
  ),
});

function escaped(text: string): string {
  return text.replace(/[&<>"'\t\n\r]/g, (c) => `&#${c.charCodeAt(0)};`);
}

const element = (key: string, value: string | number | null) => (value === null ? "" : `<${key}>${value}</${key}>\n`);
const count = (key: string, value: number | null) => element(key, value === Infinity ? 2_147_483_647 : value);
const seconds = (key: string, us: number | null) =>
  element(key, us === null ? null : us === Infinity ? "9223372036854775807" : us / S);

function rulesXml(tag: string, rules: readonly PlacementRuleSpec[] | null, group: string): string {
  if (rules === null) return "";
  const xml = rules.map(({ rule, create }, i) => {
    const written = rule === "secondaryGroupExistingPool" ? group : rule;
    return i % 2 === 0 ? `<rule name="${written}" create="${create}"/>` : `<${written} create="${create}"/>`;
  });
  return `<${tag}>${xml.join("")}</${tag}>`;
}

function hadoopXml(spec: AllocationsSpec): string {
  const pools = spec.pools.map(
    (pool) =>
      `<pool name="${escaped(pool.name)}">` +
      element("weight", pool.weight) +
      count("minMaps", pool.minMaps) +
      count("minReduces", pool.minReduces) +
      count("maxMaps", pool.maxMaps) +
      count("maxReduces", pool.maxReduces) +
      count("maxRunningJobs", pool.maxJobs) +
      seconds("minSharePreemptionTimeout", pool.minShareTimeoutUs) +
      element("schedulingMode", pool.mode) +
      "</pool>",
  );
  const users = spec.users.map(
    (user) => `<user name="${escaped(user.name)}">${count("maxRunningJobs", user.maxJobs)}</user>`,
  );
  return `<?xml version="1.0" encoding="utf-8"?><allocations>${pools.join("")}${users.join("")}
    ${count("poolMaxJobsDefault", spec.poolMaxJobs)}${count("userMaxJobsDefault", spec.userMaxJobs)}
    ${seconds("defaultMinSharePreemptionTimeout", spec.minShareTimeoutUs)}
    ${seconds("fairSharePreemptionTimeout", spec.fairShareTimeoutUs)}
    ${element("defaultPoolSchedulingMode", spec.defaultMode)}
    ${rulesXml("poolPlacementPolicy", spec.placement, "secondaryGroupExistingPool")}</allocations>`;
}

describe("any allocations, written and read, are the same", () => {
  it("with all that a file may say", () => {
    fc.assert(
      fc.property(hadoopFile, (spec) => {
        expect(parseAllocations(hadoopXml(spec), "f.xml")).toMatchObject({ allocations: spec });
      }),
    );
  });

  it("and defaults that are left out come back", () => {
    fc.assert(
      fc.property(fc.uniqueArray(name, { maxLength: 8 }), (names) => {
        const xml = `<allocations>${names.map((n) => `<pool name="${escaped(n)}"/>`).join("")}</allocations>`;
        expect(parseAllocations(xml, "f.xml").allocations.pools).toEqual(
          names.map((n) => ({ ...PLAIN_POOL, name: n })),
        );
      }),
    );
  });
});
