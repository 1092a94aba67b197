import { isAlias, isMap, isPair, isSeq, type Alias, type Document, type Node } from "yaml";

/** What each alias stands for: the node that last had its anchor before it. One pass; an alias may lead into itself. */
export function aliasTargets(document: Document.Parsed): ReadonlyMap<Alias, Node> {
  const anchors = new Map<string, Node>();
  const targets = new Map<Alias, Node>();
  const visit = (node: unknown): void => {
    if (isAlias(node)) {
      const target = anchors.get(node.source);
      if (target !== undefined) targets.set(node, target);
      return;
    }
    if (isPair(node)) {
      visit(node.key);
      visit(node.value);
      return;
    }
    const { anchor } = (node ?? {}) as { anchor?: string };
    if (anchor !== undefined) anchors.set(anchor, node as Node);
    if (isMap(node) || isSeq(node)) node.items.forEach(visit);
  };
  visit(document.contents);
  return targets;
}
