/** A whole number in groups: `1,234,567`. */
export function grouped(value: number): string {
  return fixed(Math.round(value), 0);
}

/** So many decimals, and the digits before them in groups: `1,234.50`. */
export function fixed(value: number, decimals: number): string {
  const [whole = "", fraction] = value.toFixed(decimals).split(".");
  const inGroups = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return fraction === undefined ? inGroups : `${inGroups}.${fraction}`;
}

/** `1 rack`, `31 racks`: how every message and report says how many there are. */
export function counted(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? "" : "s"}`;
}
