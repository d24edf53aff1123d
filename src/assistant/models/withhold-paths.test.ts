import { expect, test } from 'vitest';
import { compilePathPatterns } from '#git/path-patterns.ts';
import type { Prompt, WriteOptions } from './port.ts';
import { withholdFromModel, withholdPaths } from './withhold-paths.ts';

const isExcluded = compilePathPatterns(['vault/', '*.pem']);
const BOUNDARY = `data-${'a'.repeat(24)}`;

const EXCERPT = `\`src/pay.js:1-2 @ abcdef1\`
1\tcharge();
2\tcommit();
\`vault/keys.js:1-3 @ abcdef1\`
1\tconst key = 'OPEN SESAME';
# not a section
2\timport '../src/pay.js';
\`src/ship.js:4-4 @ abcdef1\`
4\tship();`;

test('of excluded paths neither the excerpt nor its heading is left, and all else is', () => {
  const text = withholdPaths(EXCERPT, isExcluded);
  expect(text).not.toMatch(/vault|SESAME|not a section|import/);
  for (const line of ['charge();', 'commit();', 'ship();']) expect(text).toContain(line);
});

test.each([
  '--- a/vault/a b.js',
  'diff --git a/vault/x b/vault/x',
  '    at open (/srv/app/vault/keys.js:3:9)',
  '[e2] `vault/my keys.js:1-3 @ abcdef1` frame',
  'vault/keys.js @@ -1 +1 @@',
  'renamed certs/server.pem.',
])('names an excluded path: %s', (line) => {
  expect(withholdPaths(`${line}\nSESAME`, isExcluded)).not.toMatch(/vault|pem|SESAME/);
});

test('words are not paths', () => {
  const text = 'docs: keep keys in the vault.\nThe vault is closed';
  expect(withholdPaths(text, isExcluded)).toBe(text);
});

test('no call sends a model what is withheld: prompts, earlier answers, tool results', async () => {
  const sent: unknown[] = [];
  const model = {
    name: 'fake',
    async *write(prompt: Prompt, { tools = [], signal = new AbortController().signal }: WriteOptions = {}) {
      sent.push(prompt);
      for (const input of [{ path: 'vault/keys.js' }, { query: 'pay' }])
        for (const tool of tools) sent.push(await tool.run(input, signal));
      yield 'done';
    },
  };
  const tool = { name: 'read', description: '', schema: {}, run: async () => EXCERPT };
  const turns = [
    { role: 'user' as const, content: 'Where are the keys?' },
    { role: 'assistant' as const, content: EXCERPT },
    {
      role: 'user' as const,
      content: `Repository text:\n${BOUNDARY}\n${EXCERPT}\n${BOUNDARY}\nWhat does vault/keys.js do?`,
    },
  ];
  const guarded = withholdFromModel(model, isExcluded);
  for await (const _ of guarded.write({ system: 'x', turns }, { tools: [tool] }));
  const text = JSON.stringify(sent);
  expect(text).not.toContain('SESAME');
  expect(text).toContain('charge();');
  expect(text).toContain('What does vault/keys.js do?');
});
