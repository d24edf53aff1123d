import { expect, test } from 'vitest';
import type { CodeTable } from '#memory/repository-index.ts';
import { findMention, findProjectNames } from './project-names.ts';

const NAMES = { names: ['headers', 'head-tool'], programs: ['headers', 'head-tool', 'hd'] };

test.each([
  ['hd: cannot read a line', 'output'],
  ['[lint] head-tool: error: no such option: --ignroe', 'output'],
  ['Usage: head-tool [options]', 'output'],
  ['ada@build:~/shop$ hd -l total\n7', 'output'],
  ['/home/ada/.headersrc line 3: unknown key', 'output'],
  ['/usr/bin/python3: No module named headers', 'output'],
  ['import headers.Reader;\n              ^', 'output'],
  ['Exception: ClassNotFoundException: headers.Reader', 'output'],
  ['Use of uninitialized value at /usr/bin/hd line 951, <IN> line 2.', 'output'],
  ['  File "/home/ada/.local/bin/head-tool", line 8, in <module>', 'output'],
  ['/srv/shop/node_modules/.bin/hd:12', 'output'],
  ['see /usr/bin/hd', null],
  ['at /home/ada/hd line 951.', null],
  ['Since we moved to headers the page stays empty, please fix it.', 'sentence'],
  ['headers: FAILED\n\nThe output is broken since yesterday.', null],
  ['TypeError: x is absent\n    at main (/home/ada/headers/main.js:1:1)', null],
  ['cannot open headers.csv of the shop', null],
  ['the hd is full since the last release', null],
])('%s mentions a project: %s', (text, expected) => {
  expect(findMention(text, NAMES)).toBe(expected);
});

test('programs are named by their files', () => {
  const paths = [
    'cmd/kiosk/kiosk.go',
    'cmd/turnstile/main.go',
    'cmd/turnstile/gate.go',
    'bin/ticketer.js',
    'lib/fare.js',
  ];
  const code = {
    fileCount: paths.length,
    filePath: (file: number) => paths[file]!,
    fileLanguage: () => 'go',
  };
  expect(findProjectNames(code as unknown as CodeTable, null).names).toEqual([
    'kiosk',
    'turnstile',
    'ticketer',
  ]);
});
