import type { Nodes } from 'mdast';

/** `[text][label]`, which Markdown leaves as it is where the quoted part lacks the label's URL. */
const UNDEFINED_REFERENCE = /\[([^[\]]+)\]\[[^[\]]*\]/g;

/** Remark plugin that shows the text of links whose URL is defined in another part of the document. */
export function dropUndefinedReferences() {
  return dropFrom;
}

function dropFrom(node: Nodes): void {
  if (node.type === 'text') node.value = node.value.replace(UNDEFINED_REFERENCE, '$1');
  if ('children' in node) node.children.forEach(dropFrom);
}
