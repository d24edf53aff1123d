import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { DIAGRAM_CSP, DIAGRAM_PATH } from './security.ts';

test('the policy of the frame for diagrams allows its own script and nothing else', () => {
  const html = readFileSync(new URL(`../../web/public${DIAGRAM_PATH}`, import.meta.url), 'utf8');
  const scripts = [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, text = '']) => text);
  const hashes = scripts.map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`);
  expect(hashes).toHaveLength(1);
  expect(DIAGRAM_CSP).toBe(
    `default-src 'none'; script-src ${hashes[0]} blob:; style-src 'unsafe-inline'; base-uri 'none'; ` +
      "form-action 'none'; frame-ancestors 'self'; sandbox allow-scripts",
  );
});
