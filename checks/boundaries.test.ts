import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findViolations } from './boundaries.ts';

test('the house stands as the picture shows it', () => {
  const paths = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((path) =>
    /\.tsx?$/.test(path),
  );
  expect(paths.length).toBeGreaterThan(20);
  const sources = paths.map((path) => [join('src', path), readFileSync(join('src', path), 'utf8')]);
  expect(findViolations(Object.fromEntries(sources))).toEqual([]);
});

const long = 'x\n'.repeat(401);

test.each([
  ['src/contract/a.ts', "import { b } from '#server/http/serve.ts';", 'server is not below contract'],
  ['src/contract/a.ts', "import { b } from '../server/http/serve.ts';", 'server is not below contract'],
  ['src/search/a.ts', "const b = await import('#assistant/b.ts');", 'assistant is not below search'],
  ['src/search/a.ts', "import '#assistant/b.ts';", 'assistant is not below search'],
  ['src/search/a.ts', "import {\n  b,\n  c,\n} from '#assistant/b.ts';", 'assistant is not below search'],
  ['src/search/a.ts', "export { b } from '#assistant/b.ts';", 'assistant is not below search'],
  ['src/search/a.ts', "type B = import('#assistant/b.ts').B;", 'assistant is not below search'],
  ['src/secrets/a.ts', "import { b } from '#egress/b.ts';", 'egress is not below secrets'],
  ['src/server/a.ts', "import { readConfig } from '../config.ts';", 'config is not below server'],
  ['src/server/a.ts', "import { main } from '#main.ts';", 'main is not below server'],
  ['src/web/a.tsx', "import { b } from '#db/b.ts';", 'web imports only contract and locales'],
  ['src/web/a.tsx', "import { b } from '#server/b.ts';", 'web imports only contract and locales'],
  ['src/server/debug/a.ts', "import { b } from '../chat/b.ts';", 'debug and chat are features'],
  ['src/web/debug/a.tsx', "import { b } from '#web/chat/b.tsx';", 'debug and chat are features'],
  ['src/server/http/a.ts', "import { b } from '../chat/b.ts';", 'chat is a feature, and http is shared'],
  ['src/web/ui/a.tsx', "import { b } from '../chat/b.tsx';", 'chat is a feature, and ui is shared'],
  ['src/billing/a.ts', '', 'not in the picture'],
  ['src/stray.ts', '', 'not in the picture'],
  ['src/git/utils.ts', '', '`utils.ts` is a name for anything'],
  ['src/git/helpers/a.ts', '', '`helpers` is a name for anything'],
  ['src/git/a.ts', 'const home = process.env.HOME;', 'must not read process.env'],
  ['src/git/a.test.ts', "vi.mock('./run.ts');", 'must not mock modules'],
  ['src/git/a.ts', 'export default function run() {}', 'default export'],
  ['src/git/a.ts', 'const a = 1;\nexport { a as default };', 'default export'],
  ['src/git/a.ts', long, '401 lines'],
  ['src/contract/a.ts', "import pg from 'pg';", 'no package but zod'],
  ['src/server/a.ts', "import { testDatabase } from '#db/testing.ts';", 'there for tests'],
])('%s with %j is refused', (path, source, words) => {
  expect(findViolations({ [path]: source })).toEqual([expect.stringContaining(words)]);
});

test.each([
  ['src/config.ts', 'export const read = (env = process.env) => env;'],
  ['src/main.ts', "import { a } from '#server/app.ts';\nimport { b } from '../src/config.ts';"],
  [
    'src/server/debug/a.ts',
    "import { b } from './b.ts';\nimport { c } from '../http/serve.ts';\nimport '#git/run.ts';",
  ],
  [
    'src/web/debug/a.tsx',
    "import { b } from '../ui/b.tsx';\nimport { c } from '#contract/c.ts';\nimport 'react';",
  ],
  ['src/git/a.test.ts', "import { b } from '#server/testing.ts';"],
  ['src/contract/a.ts', "import { z } from 'zod';\n// like import { x } from '#server/x.ts' or process.env"],
  ['src/git/a.test.ts', long],
])('%s with %j is fine', (path, source) => {
  expect(findViolations({ [path]: source })).toEqual([]);
});

test('folders of one part that import each other are refused', () => {
  const sources = {
    'src/search/a/a.ts': "import { b } from '../b/b.ts';",
    'src/search/b/b.ts': "import { c } from '#search/c/c.ts';",
    'src/search/c/c.ts': "import type { A } from '../a/a.ts';",
    'src/search/d/d.ts': "import { b } from '../b/b.ts';",
    'src/search/d/d.test.ts': "import { a } from '../a/a.ts';",
  };
  expect(findViolations(sources)).toEqual([
    'Folders import each other: src/search/a → src/search/b → src/search/c → src/search/a.',
  ]);
});
