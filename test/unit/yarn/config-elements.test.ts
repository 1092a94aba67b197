import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { type ConfigElement, readExplained, readExplainedYarn, RefusedFile } from "../../../dist/io/index.js";
import { allocations, configuration } from "./beside-scenario.js";

const folder = mkdtempSync(join(tmpdir(), "bide-elements-"));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** What becomes of the elements of a file, which may be refused. */
function elementsOf(text: string, read: typeof readExplained = readExplainedYarn): readonly ConfigElement[] {
  const path = join(folder, "a.xml");
  writeFileSync(path, text);
  try {
    const found = read(path);
    if (!("elements" in found)) throw new Error("a file without a list of elements");
    return found.elements;
  } catch (error) {
    if (error instanceof RefusedFile) return error.elements;
    throw error;
  }
}
describe("every element of a file is told of", () => {
  it.each([
    ["scenarios/hadoop/fair-scheduler.xml", readExplained],
    ["scenarios/yarn/fair-scheduler.xml", readExplained],
    ["scenarios/hadoop/capacity-scheduler.xml", readExplained],
  ] as const)("of %s", (path, read) => {
    const text = readFileSync(path, "utf8").replaceAll(/<!--[\s\S]*?-->/g, "");
    const tags = [...text.matchAll(/<([a-zA-Z][\w.-]*)/g)].map(([, name]) => name!);
    const isRow = (name: string): boolean =>
      text.includes("<configuration>") ? name === "property" : name !== "allocations";
    expect(elementsOf(text, read)).toHaveLength(tags.filter(isRow).length);
  });

  it("of a fair-scheduler.xml: honoured, without effect, or refused", () => {
    const elements = elementsOf(
      allocations(
        '<queue name="a"><weight>1</weight><weight>2</weight><maxContainerAllocation>1 mb, 1 vcores</maxContainerAllocation><acl/></queue>',
        '<queue name="b" type="parent"><maxAMShare>0.2</maxAMShare><maxChildResources>1 mb, 1 vcores</maxChildResources></queue>',
        '<queue name="c"><weight>heavy</weight><reservation><inner/></reservation></queue>',
      ),
    );
    expect(elements).toMatchSnapshot();
  });

  it("of a capacity-scheduler.xml: what the queue's place or order makes idle is so", () => {
    const values = {
      "root.queues": "a,b",
      "root.a.capacity": "60",
      "root.b.capacity": "40",
      "root.a.priority": "10",
      "root.b.queues": "c,d",
      "root.b.c.capacity": "50",
      "root.b.d.capacity": "50",
      "root.b.c.priority": "1",
      "root.b.ordering-policy": "priority-utilization",
      "root.b.user-limit-factor": "2",
      "root.a.ordering-policy.fair.enable-size-based-weight": "true",
    };
    const elements = elementsOf(configuration("yarn.scheduler.capacity.", values));
    expect(elements).toMatchSnapshot();
  });

  it("of a yarn-site.xml: addresses have no part, and each sentence stands by itself", () => {
    const values = {
      "resourcemanager.scheduler.address": "rm:8030",
      "resourcemanager.scheduler.address.rm1": "rm:8030",
      "scheduler.fair.preemptoin": "true",
      "nodemanager.resource.cpu-vcores": "16",
      "scheduler.maximum-allocation-vcores": "4",
    };
    const elements = elementsOf(configuration("yarn.", values));
    expect(elements).toMatchSnapshot();
  });
});

it.each([
  '<queue name="q"> # twice <weight>2</weight></queue> <user name="ann"> x <maxRunningApps>5</maxRunningApps></user> y',
  '<pool name="q"> # twice <weight>2</weight></pool> <user name="ann"> x <maxRunningJobs>5</maxRunningJobs></user> y',
  "<queuePlacementPolicy> first <specified/> then <default/></queuePlacementPolicy>",
])("text between elements is passed over, with a note, as Hadoop does: %s", (inside) => {
  const path = join(folder, "t.xml");
  writeFileSync(path, allocations(inside));
  expect(readExplained(path).notes.map((note) => note.replaceAll(folder, ""))).toMatchSnapshot();
});
