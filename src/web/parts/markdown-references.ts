import type { Link, Nodes, Root, RootContent, Text } from 'mdast';

const REFERENCE = /\[(e\d{1,3})\]/;

/** Turns `[e1]` in the words of an answer, not in its code, into a link to `#e1`: a plugin of remark. */
export function linkReferences() {
  return (tree: Root) => link(tree);
}

function link(node: Nodes): void {
  if (!('children' in node) || node.type === 'link') return;
  for (const child of node.children) link(child);
  const children = node.children.flatMap((child) => (child.type === 'text' ? split(child) : [child]));
  node.children = children as typeof node.children;
}

function split({ value }: Text): RootContent[] {
  return value
    .split(REFERENCE)
    .map((part, index): Text | Link =>
      index % 2 === 0
        ? { type: 'text', value: part }
        : { type: 'link', url: `#${part}`, children: [{ type: 'text', value: part }] },
    )
    .filter((part) => part.type === 'link' || part.value !== '');
}
