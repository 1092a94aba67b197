import { describe, expect, it } from "vitest";
import { read, refusal } from "./allocation-file.js";

const inPool = (key: string, text: string) => `<pool name="a"><${key}>${text}</${key}></pool>`;
const poolOf = (key: string, text: string) => read(inPool(key, text)).allocations.pools[0];

describe("numbers are those of Java", () => {
  it.each([
    ["0", 0],
    ["007", 7],
    ["+5", 5],
    ["-0", 0],
    ["2147483646", 2_147_483_646],
    ["2147483647", Infinity],
    [" \n 12\t", 12],
  ])("int %j", (text, value) => {
    expect(poolOf("maxMaps", text).maxMaps).toBe(value);
  });

  it.each([
    "",
    " ",
    "-1",
    "1e3",
    "0x10",
    "1.0",
    "1 2",
    "2147483648",
    "99999999999999999999",
    "NaN",
    "Infinity",
    "five",
  ])("no int: %j", (text) => {
    for (const key of ["maxMaps", "minReduces", "maxRunningJobs"]) {
      expect(refusal(inPool(key, text))).toMatch(
        /^f\.xml:1:29: found .* in <\w+>, allowed a whole number from 0 to \d+$/,
      );
    }
  });

  it("promises no more slots than a cluster can have", () => {
    expect(poolOf("minMaps", "64000000").minMaps).toBe(64_000_000);
    expect(refusal(inPool("minMaps", "64000001"))).toContain("allowed a whole number from 0 to 64000000");
  });

  it.each([
    ["0", 0],
    ["-0.0", 0],
    ["1e-400", 0],
    ["2", 2],
    [".5", 0.5],
    ["5.", 5],
    ["1e3", 1000],
    ["+2.5E-1", 0.25],
    ["1.5f", 1.5],
    ["1.5D", 1.5],
    ["1000000", 1_000_000],
  ])("double %j", (text, value) => {
    expect(poolOf("weight", text).weight).toBe(value);
  });

  it.each([
    "",
    "-1",
    "-0.001",
    "1e-7",
    "1000000.1",
    "1e400",
    "NaN",
    "Infinity",
    "0x1p3",
    "1,5",
    "1.5.2",
    "e3",
    "1e",
    "f",
  ])("no weight: %j", (text) => {
    expect(refusal(inPool("weight", text))).toMatch(
      /^f\.xml:1:29: found .* in <weight>, allowed 0, or a number from 0\.000001 to 1000000$/,
    );
  });

  it("takes seconds up to Java's longest; more than 100 years is never", () => {
    const read_ = (text: string) => poolOf("minSharePreemptionTimeout", text).minShareTimeoutUs;
    expect([read_("0"), read_("60"), read_("3153600000")]).toEqual([0, 60_000_000, 3_153_600_000_000_000]);
    expect([read_("3153600001"), read_("9223372036854775807")]).toEqual([Infinity, Infinity]);
    expect(read(inPool("minSharePreemptionTimeout", "3153600001")).notes).toEqual([
      "f.xml, line 1: <minSharePreemptionTimeout> is longer than 100 years and taken as never",
    ]);
    for (const text of ["9223372036854775808", "-1", "1.5", "1s", "", "NaN"]) {
      expect(refusal(inPool("minSharePreemptionTimeout", text))).toContain(
        "allowed a whole number of seconds from 0 to 9223372036854775807",
      );
    }
  });

  it("takes modes in any case", () => {
    for (const text of ["fair", "Fair", "FAIR"]) expect(poolOf("schedulingMode", text).mode).toBe("fair");
    for (const text of ["fifo", "FiFo"]) expect(poolOf("schedulingMode", text).mode).toBe("fifo");
    for (const text of ["", "drf", "fair fifo"]) {
      expect(refusal(inPool("schedulingMode", text))).toContain("allowed fair or fifo");
    }
  });

  it("cuts long texts in messages and shows no control character", () => {
    const message = refusal(inPool("weight", `a\u0085\u202e${"9".repeat(5000)}`));
    expect(message.length).toBeLessThan(200);
    expect(message).toContain('"a\\u0085\\u202e99');
  });
});

describe("names", () => {
  it.each([
    ["an empty one", ""],
    ["blanks", "  &#10; "],
    ["a tab inside", "a&#9;b"],
    ["one that turns the line around", "a\u202eb"],
    ["one of 101 characters", "x".repeat(101)],
  ])("cannot be %s", (_, name) => {
    expect(refusal(`<pool name="${name}"/>`)).toContain("allowed a name of 1 to 100 printable characters");
  });

  it("can be words of any language, of prototypes, and of XML", () => {
    const names = ["größe 1", "名前", "__proto__", "constructor", "<&>"];
    const xml = names.map((name) => `<pool name="${name.replace("&", "&amp;").replace("<", "&lt;")}"/>`).join("");
    expect(read(xml).allocations.pools.map(({ name }) => name)).toEqual(names);
  });
});
