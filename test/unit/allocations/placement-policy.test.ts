import { describe, expect, it } from "vitest";
import { read, refusal } from "./allocation-file.js";

const hadoop = (rules: string) => `<poolPlacementPolicy>${rules}</poolPlacementPolicy>`;
const yarn = (rules: string) => `<queuePlacementPolicy>${rules}</queuePlacementPolicy>`;

describe("placement rules", () => {
  it("come as <rule name> or as elements of their name, in order", () => {
    const rules = `<rule name="specified" create="FALSE"/><user create="false"/><rule name="primaryGroup" create="false"/>
      <secondaryGroupExistingPool create="false"/><rule name="default" create="true"/>`;
    expect(read(hadoop(rules)).allocations.placement).toEqual([
      { rule: "specified", create: false },
      { rule: "user", create: false },
      { rule: "primaryGroup", create: false },
      { rule: "secondaryGroupExistingPool", create: false },
      { rule: "default", create: true },
    ]);
  });

  it("may end by refusing the job", () => {
    expect(read(hadoop("<specified/><reject/>")).allocations.placement).toEqual([
      { rule: "specified", create: true },
      { rule: "reject", create: true },
    ]);
  });

  it.each([
    ["no rule", "", "found no rule in <poolPlacementPolicy>, allowed rules of which the last one always decides"],
    [
      "a last rule that may not decide",
      '<user create="false"/>',
      'found the rule user with create="false" as the last one',
    ],
    ["specified as the last", "<specified/>", 'found the rule specified with create="true" as the last one'],
    ["a rule that ends it early", "<user/><default/>", 'found the rule user with create="true" before others'],
    ["a refusal that ends it early", "<reject/><default/>", "found the rule reject before others"],
    [
      "an unknown rule",
      '<rule name="primarygroup"/>',
      'found the rule "primarygroup", allowed specified, user, primaryGroup, default, reject, secondaryGroupExistingPool; did you mean "primaryGroup"?',
    ],
    ["a rule without a name", "<rule/>", "found no name of a rule"],
    ["a rule of YARN", "<nestedUserQueue><default/></nestedUserQueue>", 'found the rule "nestedUserQueue"'],
    ["a flag that is none", '<default create="yes"/>', 'found "yes" for the attribute create, allowed true, false'],
    ["a rule inside a rule", "<default><user/></default>", "found <user> inside the rule default"],
    ["text", "default", 'found the text "default" in <poolPlacementPolicy>'],
  ])("are refused with %s", (_, rules, message) => {
    expect(refusal(hadoop(rules))).toContain(message);
  });

  it("have other names in YARN", () => {
    const rules = '<rule name="secondaryGroupExistingQueue" create="false"/><rule name="default"/>';
    expect(read(yarn(rules)).allocations.placement).toEqual([
      { rule: "secondaryGroupExistingPool", create: false },
      { rule: "default", create: true },
    ]);
  });

  it("take a pool per user inside another as that other one, with a note", () => {
    const { allocations, notes } = read(yarn('<rule name="nestedUserQueue"><rule name="primaryGroup"/></rule>'));
    expect(allocations.placement).toEqual([{ rule: "primaryGroup", create: true }]);
    expect(notes).toEqual([
      "f.xml, line 1: the rule nestedUserQueue is taken as its inner rule primaryGroup: users share that pool and get none of their own in it",
    ]);
    expect(refusal(yarn("<nestedUserQueue/>"))).toContain("found 0 rules inside the rule nestedUserQueue, allowed one");
    expect(refusal(yarn("<nestedUserQueue><user/><user/></nestedUserQueue>"))).toContain("found 2 rules inside");
  });

  it("note a default that is another queue", () => {
    expect(read(yarn('<default queue="root.default"/>')).notes).toEqual([]);
    expect(read(yarn('<default queue="sandbox"/>')).notes).toEqual([
      'f.xml, line 1: the rule default names the queue "sandbox"; here it always means the pool default',
    ]);
    expect(read(yarn('<user queue="sandbox"/>')).notes).toEqual([
      'f.xml, line 1: the attribute "queue" of the rule user is ignored; only default has one',
    ]);
  });
});
