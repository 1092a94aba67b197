import { describe, expect, it } from "vitest";
import { FINISHED, Fingerprint, KILLED, LAUNCHED } from "../../../dist/core/kernel/index.js";

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

  it("is 32 hex digits, whatever it has seen", () => {
    for (let n = 0; n < 200; n++) {
      const records = Array.from({ length: n % 7 }, (_, i): Fields => [n * 1e6 + i, LAUNCHED, n, i, 0, i, 2]);
      expect(hexOf(...records)).toMatch(/^[0-9a-f]{32}$/);
    }
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

  it("sees the order of records", () => {
    const other: Fields = [3_000_000, FINISHED, 9, 2, 0, 12, 0];
    expect(hexOf(BASE, other)).not.toBe(hexOf(other, BASE));
  });

  it("tells a launch, a success and a kill from each other, of a map and of a reduce", () => {
    const kinds = [LAUNCHED, FINISHED, KILLED].flatMap((kind) => [kind, kind + 16]);
    expect(new Set(kinds.map((kind) => hexOf([5, kind, 2, 3, 0, 4, 0]))).size).toBe(6);
  });

  it("sees values that change places between fields", () => {
    expect(hexOf([5, 1, 2, 3, 0, 4, 0])).not.toBe(hexOf([5, 1, 3, 2, 0, 4, 0]));
    expect(hexOf([5, 1, 2, 3, 0, 4, 0])).not.toBe(hexOf([5, 1, 2, 4, 0, 3, 0]));
  });

  it("sees a repeated record, and a missing one", () => {
    expect(new Set([hexOf(), hexOf(BASE), hexOf(BASE, BASE), hexOf(BASE, BASE, BASE)]).size).toBe(4);
  });

  it("may be read in between without changing what follows", () => {
    const read = new Fingerprint();
    read.add(...BASE);
    expect(read.hex()).toBe(read.hex());
    read.add(...BASE);
    expect(read.hex()).toBe(hexOf(BASE, BASE));
  });

  it("does not collide over many short histories", () => {
    const seen = new Set<string>();
    for (let i = 0; i < 30_000; i++) seen.add(hexOf([i, 1, i % 7, i % 11, 0, i % 13, i % 4]));
    expect(seen.size).toBe(30_000);
  });

  it("spreads every digit", () => {
    const counts = Array.from({ length: 32 }, () => new Set<string>());
    for (let i = 0; i < 400; i++) [...hexOf([i, 1, 0, 0, 0, 0, 0])].forEach((digit, k) => counts[k]!.add(digit));
    for (const digits of counts) expect(digits.size).toBe(16);
  });
});
