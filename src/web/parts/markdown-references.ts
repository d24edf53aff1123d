import type { Link, Nodes, Root, RootContent, Text } from 'mdast';

const REFERENCE = /\[(e\d{1,3})\]/;

/**
 * Turns `[e7]` in the words of an answer, not in its code, into a link to `#e7`: a plugin of remark. Readers see them
 * counted from 1 in the order in which the text cites them; the same evidence keeps its number.
 */
export function linkReferences() {
  return (tree: Root) => link(tree, new Map());
}

/** Evidence → the number that readers see. */
type Numbers = Map<string, number>;

function link(node: Nodes, numbers: Numbers): void {
  if (!('children' in node) || node.type === 'link') return;
  const children = node.children.flatMap((child): Nodes[] => {
    if (child.type === 'text') return split(child, numbers);
    link(child, numbers);
    return [child];
  });
  node.children = children as typeof node.children;
}

function numberOf(evidence: string, numbers: Numbers): string {
  const number = numbers.get(evidence) ?? numbers.size + 1;
  numbers.set(evidence, number);
  return String(number);
}

function split({ value }: Text, numbers: Numbers): RootContent[] {
  return value
    .split(REFERENCE)
    .map((part, index): Text | Link =>
      index % 2 === 0
        ? { type: 'text', value: part }
        : { type: 'link', url: `#${part}`, children: [{ type: 'text', value: numberOf(part, numbers) }] },
    )
    .filter((part) => part.type === 'link' || part.value !== '');
}
