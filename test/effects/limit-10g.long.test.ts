import { expect, it } from "vitest";
import { compared, meanOf } from "../support/compared.js";

it("rack-local is as good as node-local at 10 Gbps, and far from it at 1 Gbps (limit-10g.yaml)", async () => {
  const found = await compared("limit-10g.yaml", 1, { systems: ["node", "rack"] });
  const worse = (key: string, link: string) =>
    meanOf(found, `rack link=${link}`, key) / meanOf(found, `node link=${link}`, key);
  expect(meanOf(found, "rack link=1Gbps", "nodeLocalAll")).toBeLessThan(0.8);
  expect(meanOf(found, "rack link=10Gbps", "nodeLocalAll")).toBeLessThan(0.85);
  expect(worse("responseMean", "1Gbps")).toBeGreaterThan(2.5);
  expect(worse("makespanSeconds", "1Gbps")).toBeGreaterThan(1.5);
  expect(worse("responseMean", "10Gbps")).toBeLessThan(1.15);
  expect(worse("makespanSeconds", "10Gbps")).toBeLessThan(1.05);
  expect(meanOf(found, "rack link=10Gbps", "inputAcrossRacks")).toBe(0);
});
