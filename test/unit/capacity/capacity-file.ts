import { parseXml, capacitiesOf, type ReadCapacities } from "../../../dist/io/index.js";
import { refusalOf } from "../scenario/refused.js";

/** Reads a text as a capacity-scheduler.xml. */
export function readText(text: string): ReadCapacities {
  return capacitiesOf(parseXml(text, "c.xml"), "c.xml");
}

/** A file of these properties, each on a line of its own from line 2 on. */
export function fileOf(properties: Readonly<Record<string, string | number>>): string {
  const lines = Object.entries(properties).map(([name, value]) => propertyOf(name, value));
  return `<configuration>\n${lines.join("\n")}\n</configuration>`;
}

export function propertyOf(name: string, value: string | number): string {
  return `<property><name>${name}</name><value>${value}</value></property>`;
}

/** The same with Hadoop 1's prefix before every name. */
export function hadoop(properties: Readonly<Record<string, string | number>>): string {
  return fileOf(prefixed("mapred.capacity-scheduler.", properties));
}

/** The same with YARN's. */
export function yarn(properties: Readonly<Record<string, string | number>>): string {
  return fileOf(prefixed("yarn.scheduler.capacity.", properties));
}

/** The message with which a text is refused. */
export function refusalOfText(text: string): string {
  return refusalOf(() => readText(text));
}

function prefixed(prefix: string, properties: Readonly<Record<string, string | number>>) {
  return Object.fromEntries(Object.entries(properties).map(([name, value]) => [prefix + name, value]));
}
