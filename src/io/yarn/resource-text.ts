import { type ResourceLimit, MOST, type Resources } from "../../core/platforms/yarn/index.js";
import { type Read, refused, wordOf } from "../allocations/elements.js";

// Resources as an allocation file of YARN writes them: `1024 mb, 4 vcores`, `memory-mb=1024, vcores=50%`, `50%`, `20%
// memory, 50% cpu`.

/** An amount of one resource (MB, vcores), or a part of the cluster's, 0.5 being half. */
interface ResourceAmount {
  readonly value: number;
  readonly isOfCluster: boolean;
}

/** Null: the file says nothing of that one. */
export interface ResourceText {
  readonly memory: ResourceAmount | null;
  readonly vcores: ResourceAmount | null;
}

const ALLOWED =
  'resources such as "1024 mb, 4 vcores" (both), "memory-mb=1024, vcores=4", or parts of the cluster such as "50%" or ' +
  '"20% memory, 50% cpu" (both)';

const LONGEST = 1000;

const NUMBER = String.raw`(\d{1,20})(?:\.\d{0,20})?`;
const REAL = String.raw`(\d{1,20}(?:\.\d{0,20})?)`;
const ASSIGNMENT = new RegExp(String.raw`^([a-z][a-z0-9./_-]{0,60})\s*=\s*${REAL}\s*(%?)([a-z]{0,5})$`);
const MEMORY = new RegExp(String.raw`(?:^|[\s,])${NUMBER}\s*mb(?=$|[\s,])`);
const VCORES = new RegExp(String.raw`(?:^|[\s,])${NUMBER}\s*vcores?(?=$|[\s,])`);
const WHOLE = new RegExp(String.raw`^${REAL}\s*%$`);
const MEMORY_PART = new RegExp(String.raw`(?:^|[\s,])${REAL}\s*%\s*memory(?=$|[\s,])`);
const VCORES_PART = new RegExp(String.raw`(?:^|[\s,])${REAL}\s*%\s*cpu(?=$|[\s,])`);

/**
 * The resources of an element. Amounts lose their fractions, and one above the largest that there is is taken for that
 * one (`MOST` of `core/platforms/yarn/resources.ts`; Hadoop counts up to 2^63 - 1).
 * @returns undefined after a problem was reported.
 */
export const resourceText: Read<ResourceText> = (element, findings) => {
  const text = wordOf(element, findings)?.toLowerCase();
  if (text === undefined || text === "" || text.length > LONGEST) return refused(element, findings, ALLOWED);
  if (!text.includes("=")) return oldStyle(text) ?? refused(element, findings, ALLOWED);
  const said: { memory: ResourceAmount | null; vcores: ResourceAmount | null } = { memory: null, vcores: null };
  for (const part of text.split(",")) {
    const [, name, value, percent, unit] = ASSIGNMENT.exec(part.trim()) ?? [];
    if (name === undefined || (unit !== "" && !(name === "memory-mb" && unit === "mb"))) {
      return refused(element, findings, ALLOWED);
    }
    if (name === "memory-mb") said.memory = amount(value, percent === "%");
    else if (name === "vcores") said.vcores = amount(value, percent === "%");
    else findings.note(element, `${name} in <${element.name}> is not used: nodes have memory and vcores only`);
  }
  return said;
};

function oldStyle(text: string): ResourceText | undefined {
  const whole = WHOLE.exec(text)?.[1];
  if (whole !== undefined) return { memory: amount(whole, true), vcores: amount(whole, true) };
  const isOfCluster = text.includes("%");
  const memory = (isOfCluster ? MEMORY_PART : MEMORY).exec(text)?.[1];
  const vcores = (isOfCluster ? VCORES_PART : VCORES).exec(text)?.[1];
  if (memory === undefined || vcores === undefined) return undefined;
  return { memory: amount(memory, isOfCluster), vcores: amount(vcores, isOfCluster) };
}

function amount(digits: string, isOfCluster: boolean): ResourceAmount {
  if (isOfCluster) return { value: Number(digits) / 100, isOfCluster };
  return { value: Math.min(Math.floor(Number(digits)), MOST), isOfCluster };
}

/**
 * Converts to a limit in a cluster of that size. Two parts of the cluster remain parts.
 * @param usual of a resource that is not named.
 */
export function limitOf(said: ResourceText, usual: number, cluster: Readonly<Resources>): ResourceLimit {
  const { memory, vcores } = said;
  if (memory?.isOfCluster === true && vcores?.isOfCluster === true) {
    return { memory: memory.value, vcores: vcores.value, isOfCluster: true };
  }
  const inCluster = (amount: ResourceAmount | null, total: number) =>
    amount === null ? usual : amount.isOfCluster ? Math.floor(amount.value * total) : amount.value;
  return { memory: inCluster(memory, cluster.memory), vcores: inCluster(vcores, cluster.vcores) };
}

/**
 * As a reader would write it: `1024 mb, 4 vcores`, `50% of the memory, any vcores`. @param nothing of one that is left
 * out.
 */
export function resourceWords({ memory, vcores }: ResourceText, nothing: string): string {
  const words = (amount: ResourceAmount | null, unit: string) => {
    if (amount === null) return `${nothing} ${unit}`;
    if (amount.isOfCluster) return `${Number((amount.value * 100).toFixed(3))}% of ${unit}`;
    return amount.value >= MOST ? `any ${unit}` : `${amount.value} ${unit}`;
  };
  return `${words(memory, "MB")}, ${words(vcores, "vcores")}`;
}
