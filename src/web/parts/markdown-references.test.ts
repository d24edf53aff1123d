import type { Root } from 'mdast';
import { expect, test } from 'vitest';
import { linkReferences } from './markdown-references.ts';

test('evidence references become links in text, not in code or links', () => {
  const text = (value: string) => ({ type: 'text' as const, value });
  const tree: Root = {
    type: 'root',
    children: [
      {
        type: 'paragraph',
        children: [
          text('It fails here. [e1] [e12]'),
          { type: 'inlineCode', value: 'list[e1]' },
          { type: 'link', url: 'https://a.test', children: [text('[e2]')] },
        ],
      },
      { type: 'code', value: 'x[e1]' },
    ],
  };
  linkReferences()(tree);
  const [paragraph, code] = tree.children;
  const parts = paragraph && 'children' in paragraph ? paragraph.children : [];
  expect(parts.map((part) => (part.type === 'link' ? part.url : 'value' in part && part.value))).toEqual([
    'It fails here. ',
    '#e1',
    ' ',
    '#e12',
    'list[e1]',
    'https://a.test',
  ]);
  expect(code).toEqual({ type: 'code', value: 'x[e1]' });
});

test('references are numbered in order of citation', () => {
  const paragraph = (value: string) => ({
    type: 'paragraph' as const,
    children: [{ type: 'text' as const, value }],
  });
  const tree: Root = {
    type: 'root',
    children: [paragraph('Here [e7][e2].'), paragraph('And here [e7] [e9].')],
  };
  linkReferences()(tree);
  const links = tree.children.flatMap((node) =>
    'children' in node ? node.children.filter((child) => child.type === 'link') : [],
  );
  expect(links.map(({ url, children: [text] }) => [url, text])).toEqual([
    ['#e7', { type: 'text', value: '1' }],
    ['#e2', { type: 'text', value: '2' }],
    ['#e7', { type: 'text', value: '1' }],
    ['#e9', { type: 'text', value: '3' }],
  ]);
});
