import type { Link, Nodes, Root, RootContent, Text } from 'mdast';

const REFERENCE = /\[(e\d{1,3})\]/;

/**
 * Remark plugin that turns `[e7]` outside of code into a link to `#e7`. Labels count from 1 in order of first
 * citation.
 */
export function linkReferences() {
  return (tree: Root) => linkNode(tree, new Map());
}

/** Evidence id → displayed number. */
type ReferenceNumbers = Map<string, number>;

function linkNode(node: Nodes, numbers: ReferenceNumbers): void {
  if (!('children' in node) || node.type === 'link') return;
  const children = node.children.flatMap((child): Nodes[] => {
    if (child.type === 'text') return splitText(child, numbers);
    linkNode(child, numbers);
    return [child];
  });
  node.children = children as typeof node.children;
}

function referenceNumber(evidence: string, numbers: ReferenceNumbers): string {
  const number = numbers.get(evidence) ?? numbers.size + 1;
  numbers.set(evidence, number);
  return String(number);
}

function splitText({ value }: Text, numbers: ReferenceNumbers): RootContent[] {
  return value
    .split(REFERENCE)
    .map((part, index): Text | Link =>
      index % 2 === 0
        ? { type: 'text', value: part }
        : {
            type: 'link',
            url: `#${part}`,
            children: [{ type: 'text', value: referenceNumber(part, numbers) }],
          },
    )
    .filter((part) => part.type === 'link' || part.value !== '');
}
