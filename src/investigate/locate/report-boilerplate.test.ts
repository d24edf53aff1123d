import { expect, test } from 'vitest';
import { buildRepository } from '#git/testing.ts';
import { indexRepository } from '#memory/testing.ts';
import { measureCpuMs } from '#scheduling/testing-cpu-time.ts';
import { readTemplateLines } from './issue-templates.ts';
import { removeBoilerplate } from './report-boilerplate.ts';
import { openSourceReader } from './source-reader.ts';

const TEMPLATE = `---
name: Bug report
---
## Steps to reproduce
- [ ] I have searched the issues
<!-- Paste your configuration here -->
`;
const FORM = `body:
  - type: textarea
    attributes:
      label: What did you expect?
      description: "A clear description of the behaviour"
`;

test('templates of the repository, environment lists and URLs are removed', async () => {
  const repository = await buildRepository(async (repo) => {
    await repo.commit({
      files: {
        '.github/ISSUE_TEMPLATE/bug.md': TEMPLATE,
        '.github/ISSUE_TEMPLATE/form.yml': FORM,
        'src/a.js': 'export {};\n',
      },
    });
  });
  try {
    const index = await indexRepository(repository.path);
    const sources = openSourceReader(repository.path, index);
    const templates = await readTemplateLines(index.code!, sources);
    sources.close();
    const report = `Cart loses items
### Steps to reproduce
- [x] I have searched the issues
<!-- configuration
of the cart -->
Add an item, see https://example.org/cart and https://github.com/shop/shop/blob/3f2a/src/cart.js#L10
### What did you expect?
Node version: 20.11.1
- OS: macOS 14
express@4.18.2
Two items, as in version 1.2 of the cart`;
    const lines = removeBoilerplate(report, templates).split('\n');
    expect(lines.filter((line) => line !== '')).toEqual([
      'Cart loses items',
      'Add an item, see  and src/cart.js',
      'Two items, as in version 1.2 of the cart',
    ]);
  } finally {
    await repository.remove();
  }
});

test.each([
  'node: command failed with exit code 2',
  'go: cannot find main module',
  'python: can not open file',
  'os: process already finished',
  'at node:internal/process:95',
])('%s stays', (line) => expect(removeBoilerplate(`Title\n${line}`, new Set())).toContain(line));

test('hostile text takes linear time', async () => {
  for (const text of [
    '<!--'.repeat(50_000),
    ' '.repeat(200_000),
    'http://'.repeat(50_000),
    `${'- '.repeat(90)}\n`.repeat(2_000),
  ])
    expect(await measureCpuMs(() => removeBoilerplate(`x\n${text}`, new Set()))).toBeLessThan(1_000);
});
