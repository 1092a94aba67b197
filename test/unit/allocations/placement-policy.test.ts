import { describe, expect, it } from "vitest";
import { read, refusal } from "./allocation-file.js";

const hadoop = (rules: string) => `<poolPlacementPolicy>${rules}</poolPlacementPolicy>`;

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
  ])("are refused with %s", (_, rules, message) => {
    expect(refusal(hadoop(rules))).toContain(message);
  });

  it("note the queue of a default, which only YARN has", () => {
    expect(read(hadoop('<default queue="sandbox"/>')).notes).toEqual([
      'f.xml, line 1: the attribute "queue" of <default> is ignored',
    ]);
  });
});
