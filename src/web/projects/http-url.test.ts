import { expect, test } from 'vitest';
import { isHttpUrl } from './http-url.ts';

test.each([
  ['https://git.test/a.git', true],
  ['http://127.0.0.1:9000/a.git', true],
  ['git@git.test:a/b.git', false],
  ['ssh://git@git.test/a.git', false],
  ['javascript://git.test/%0aalert(1)', false],
  ['JAVASCRIPT:alert(1)', false],
  ['', false],
])('%s opens in a browser: %s', (url, opens) => {
  expect(isHttpUrl(url)).toBe(opens);
});
