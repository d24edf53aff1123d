import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { MarkdownBody } from './markdown-body.tsx';

function shown(text: string): { words: string; html: string } {
  const html = renderToStaticMarkup(
    createElement(MarkdownBody, { text, projectId: 'p', references: new Map() }),
  );
  const words = html.replace(/<[^>]*>/g, '').replaceAll('&#x27;', "'");
  return { words, html };
}

test.each([
  ['[paypal.com](https://evil.example)', 'paypal.com (evil.example)'],
  ['[paypal.com](https://evil.example "https://paypal.com")', 'paypal.com (evil.example)'],
  ['[**paypal**.com][r]\n\n[r]: https://evil.example', 'paypal.com (evil.example)'],
  ['![paypal.com](https://evil.example/x.png)', 'paypal.com (evil.example)'],
  ['[`paypal.com`](https://evil.example)', 'paypal.com (evil.example)'],
  ['[boss@corp.example](mailto:eve@evil.example)', 'boss@corp.example (eve@evil.example)'],
  ['[https://paypal.com](/settings)', 'https://paypal.com (/settings)'],
  ['<https://docs.example/a>', 'https://docs.example/a'],
  ['www.docs.example', 'www.docs.example'],
  ['<https://paypal.com@evil.example>', 'https://paypal.com@evil.example (evil.example)'],
])('%s is shown as %s', (markdown, words) => {
  expect(shown(markdown).words).toBe(words);
});

test('the text of a link is isolated from its host in either writing direction', () => {
  const { html } = shown('[a\u202egnp.exe](https://evil.example)');
  expect(html).toMatch(/<bdi>a\u202egnp\.exe<\/bdi>/);
  expect(html).toMatch(/<bdi[^>]*dir="ltr"[^>]*>evil\.example<\/bdi>/);
  expect(html).not.toContain('title=');
});

test('a quoted document is formatted, cites nothing, and has no relative links', () => {
  const document =
    '## Set-up\n\nRun `a.ts:1-2 @ 0123456` [e1], see [guide](../guide.md), [notes][far] and [site](https://docs.example).';
  const { words, html } = shown(`\`\`\`markdown quote\n${document}\n\`\`\``);
  expect(words).toBe('Set-up\nRun a.ts:1-2 @ 0123456 [e1], see guide, notes and site (docs.example).');
  expect(html).toMatch(/<blockquote.*?<h3/s);
  expect(html.match(/<a /g)).toHaveLength(1);
});
