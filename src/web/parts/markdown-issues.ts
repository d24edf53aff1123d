import type { Link, Nodes, Root, RootContent, Text } from 'mdast';
import { hostCommitUrl, hostIssueUrl } from './code-host.ts';
import { splitHostReferences } from './host-references.ts';

/** Remark plugin that links `#123` outside of code to the code host; without a known host, nothing. */
export function linkIssueNumbers({ gitUrl }: { gitUrl: string }) {
  return (tree: Root) => linkNode(tree, gitUrl);
}

function linkNode(node: Nodes, gitUrl: string): void {
  if (!('children' in node) || node.type === 'link') return;
  const children = node.children.flatMap((child): Nodes[] => {
    if (child.type === 'text') return splitText(child, gitUrl);
    linkNode(child, gitUrl);
    return [child];
  });
  node.children = children as typeof node.children;
}

function splitText({ value }: Text, gitUrl: string): RootContent[] {
  return splitHostReferences(value).map(({ text, reference }): Text | Link => {
    const url =
      reference === null
        ? null
        : reference.kind === 'commit'
          ? hostCommitUrl(gitUrl, reference.hash)
          : hostIssueUrl(gitUrl, reference);
    return url === null
      ? { type: 'text', value: text }
      : { type: 'link', url, children: [{ type: 'text', value: text }] };
  });
}
