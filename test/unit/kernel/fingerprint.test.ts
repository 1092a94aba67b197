import { describe, expect, it } from "vitest";
import { Fingerprint, LAUNCHED } from "../../../dist/core/kernel/index.js";

type Fields = [at: number, kind: number, job: number, task: number, attempt: number, node: number, level: number];

function hexOf(...records: Fields[]): string {
  const fingerprint = new Fingerprint();
  for (const record of records) fingerprint.add(...record);
  return fingerprint.hex();
}

const BASE: Fields = [3_000_000, LAUNCHED, 4, 17, 0, 301, 1];

describe("the fingerprint", () => {
  it("is the same on every machine", () => {
    expect(hexOf()).toBe("e7880a12f30f90a7dba0709606428903");
    expect(hexOf([1, 2, 3, 4, 5, 6, 1])).toBe("03433554ee31188eaf7249112c86032f");
    expect(hexOf([1, 2, 3, 4, 5, 6, 1], [2 ** 40 + 5, 1, 0, 0, 0, 619, 2])).toBe("a4cf86d8bcc0003ec543dc6c3562b8ec");
  });

  it.each(["at", "kind", "job", "task", "attempt", "node", "level"].map((name, field) => [name, field] as const))(
    "sees a change of %s",
    (_, field) => {
      const seen = new Set([hexOf(BASE)]);
      for (let bit = 0; bit < (field === 6 ? 2 : field === 1 ? 5 : 20); bit++) {
        const changed: Fields = [...BASE];
        changed[field] = changed[field]! ^ (1 << bit);
        seen.add(hexOf(changed));
      }
      expect(seen.size).toBe(1 + (field === 6 ? 2 : field === 1 ? 5 : 20));
    },
  );

  it("sees the high part of a time beyond 32 bits", () => {
    const late: Fields = [BASE[0] + 2 ** 32, ...(BASE.slice(1) as [number, number, number, number, number, number])];
    const later: Fields = [BASE[0] + 2 ** 45, ...(BASE.slice(1) as [number, number, number, number, number, number])];
    expect(new Set([hexOf(BASE), hexOf(late), hexOf(later)]).size).toBe(3);
  });
});
