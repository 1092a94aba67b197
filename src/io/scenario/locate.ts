import { isAlias, isMap, isNode, isSeq } from "yaml";
import { LIMITS } from "./limits.js";
import { keyText, position, type YamlDocument } from "./yaml-document.js";

export interface Place {
  readonly line: number;
  readonly column: number;
}

/**
 * Where the value at `path` stands. Where the file has no such value: the key (or list item) of the innermost part of
 * the path that it has, or 1:1.
 * @param wantsKey the place of the last key instead of its value.
 */
export function locate(yaml: YamlDocument, path: readonly PropertyKey[], wantsKey = false): Place {
  let node: unknown = yaml.document.contents;
  let keyOffset = 0;
  let reached = 0;
  for (const part of path) {
    for (let hops = 0; isAlias(node) && hops < LIMITS.yamlDepth; hops++) node = yaml.targets.get(node);
    if (isSeq(node)) {
      node = node.items[Number(part)];
      if (isNode(node)) keyOffset = node.range?.[0] ?? keyOffset;
    } else if (isMap(node)) {
      const pair = node.items.find(({ key }) => keyText(key) === part);
      if (pair !== undefined && isNode(pair.key)) keyOffset = pair.key.range?.[0] ?? keyOffset;
      node = pair?.value;
      if (pair !== undefined && wantsKey && reached === path.length - 1) break;
    } else {
      node = undefined;
    }
    if (!isNode(node)) break;
    reached++;
  }
  const valueOffset = isNode(node) && reached === path.length ? node.range?.[0] : undefined;
  return position(yaml.lines, valueOffset ?? keyOffset);
}
