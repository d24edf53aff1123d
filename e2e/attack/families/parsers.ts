import type { HttpRequest } from '../client.ts';
import type { Family, Input } from '../family.ts';
import type { World } from '../world.ts';

/*
 * Text that parsers are known to die or stand still on, as large as the editor may send it. What must hold: an answer, or
 * a refusal in words, within the bounds; the server lives, and so does everybody else's request.
 */

const MEBIBYTE = 2 ** 20;

/** Fills so many bytes with a text, and closes what it opened. */
const fill = (unit: string, bytes = MEBIBYTE - 1024) =>
  unit.repeat(Math.floor(bytes / Buffer.byteLength(unit)));

/** A checker's file name → texts of one unit that is repeated up to the limit. */
const REPEATED: Record<string, readonly string[]> = {
  'x.yaml': [
    '!a ',
    '&a ',
    '"a" ',
    '"',
    '[',
    '{',
    '- ',
    '? ',
    '*a ',
    "'",
    '|\n',
    '%TAG ! x\n',
    '---\n',
    '\t',
    'a: &b [*b]\n',
  ],
  'x.yml': ['!<x> ', '? - ', '#\n- [', 'a:\n '],
  'x.json': ['[', '{"a":', '"\\', '1e9', '//', ',,', '\ud83d'],
  'x.js': ['(', '[', '`${', 'a=>', '!', 'async ', '/(/', 'x?', 'if(a)', '<!--', 'new '],
  'x.ts': ['A<', 'type A=B<', '<T>', 'a as '],
  'x.tsx': ['<a>', '<a b={', '{<'],
  'x.css': ['{', 'a{', '@media ', ':is(', 'calc(', '/*', '@import '],
  'x.py': ['(', '[', 'f"{', 'not ', 'lambda:', '-', 'if a:\n ', "'''", '\\\n', 'a if b else '],
  'x.html': ['<', '<a>', '<!--', '&amp', '<svg>'],
  'x.md': ['>', '[', '*a ', '`', '![', '|-', '- '],
  'x.go': ['(', 'func(', '[]', 'struct{'],
  'x.java': ['A<', '((', '@A('],
  'x.c': ['(', '#if 1\n', 'a[', '{'],
  'x.cpp': ['a<', 'template<', '(', '::'],
  'x.rs': ['(', 'A<', '&', '|'],
  'x.php': ['<?php ', '(', '[', '"{$'],
  'x.rb': ['(', '#{', '%w(', 'if '],
  'x.sh': ['$(', '((', '`', 'if '],
  'x.sql': ['(', "'", 'select '],
  'x.toml': ['[', 'a=[', '"""'],
  'x.xml': ['<a>', '<!ENTITY ', '&a;'],
};

/** Those that are sent in the short form: each has ended or stopped a parser once. */
const SHORT = new Set(['x.yaml !a ', 'x.yaml &a ', 'x.yaml "', 'x.json [', 'x.py (', 'x.js (']);

const analyze = ({ projectId }: World, file_path: string, code: string): HttpRequest => ({
  method: 'POST',
  path: `/api/ide/projects/${projectId}/debug/ide`,
  body: { file_path, code },
});

const repeated: Input[] = Object.entries(REPEATED).flatMap(([file, units]) =>
  units.map((unit) => ({
    name: `1 MB of ${JSON.stringify(unit)} as ${file}`,
    as: 'viewer',
    requests: (world) => analyze(world, file, fill(unit)),
    times: file === 'x.yaml' ? 3 : 1,
    // The settings change nothing of a parser: elsewhere the worst are enough.
    ...(SHORT.has(`${file} ${unit}`) ? { short: true } : { modes: ['default'] }),
  })),
);

/** Whole documents with a shape of their own. */
const WHOLE: [string, string, () => string][] = [
  ['aliases that grow by nine at each level', 'x.yaml', billionLaughs],
  [
    '200,000 keys of one map',
    'x.yaml',
    () => Array.from({ length: 100_000 }, (_, i) => `k${i}: 1`).join('\n'),
  ],
  ['the same key 100,000 times', 'x.yaml', () => fill('a: 1\n', 600_000)],
  ['one line of a megabyte', 'x.js', () => `const a = '${fill('x')}';`],
  ['200,000 short lines', 'x.py', () => fill('a\n', 400_000)],
  [
    '100,000 unused imports',
    'x.py',
    () => Array.from({ length: 40_000 }, (_, i) => `import m${i}`).join('\n'),
  ],
  ['objects 100,000 deep', 'x.json', () => `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
  ['NUL bytes', 'x.js', () => 'a\u0001'.repeat(100_000)],
  ['only line feeds', 'x.yaml', () => fill('\n', 900_000)],
  ['only carriage returns', 'x.yaml', () => fill('\r', 900_000)],
];

function billionLaughs(): string {
  const lines = ['a0: &a0 [x,x,x,x,x,x,x,x,x]'];
  for (let level = 1; level < 40; level++) {
    lines.push(
      `a${level}: &a${level} [${Array(9)
        .fill(`*a${level - 1}`)
        .join(',')}]`,
    );
  }
  return lines.join('\n');
}

const whole: Input[] = WHOLE.map(([name, file, make]) => ({
  name: `${name} as ${file}`,
  as: 'viewer',
  requests: (world) => analyze(world, file, make()),
  short: file === 'x.yaml',
}));

/** Texts that a reader of traces could take long for. */
const TRACES: [string, string][] = [
  ['blanks', ' '.repeat(99_000)],
  ['frames of Python', 'File "a.py", line 1, in f\n'.repeat(3500)],
  ['frames of JavaScript', '    at f (a.js:1:1)\n'.repeat(4500)],
  ['causes', 'Caused by: java.lang.Error: x\n'.repeat(3000)],
  ['one long path', `at f (${'a/'.repeat(45_000)}x.js:1:1)`],
  ['numbers and colons', '1:'.repeat(49_000)],
  ['quotes', '"'.repeat(99_000)],
  ['parentheses', '('.repeat(99_000)],
  ['words without an end', 'aA0_'.repeat(24_000)],
  ['one letter', 'a'.repeat(99_000)],
];

const traces: Input[] = TRACES.map(([name, error_message]) => ({
  name: `100,000 characters of ${name} as an error`,
  as: 'viewer',
  requests: ({ projectId }) => ({
    ...{ method: 'POST', path: '/api/debug' },
    body: { error_message, project_id: projectId, code_snippet: error_message.slice(0, 50_000) },
  }),
  slowestMs: 10_000,
}));

export const parsers: Family = {
  name: 'parsers',
  modes: ['default'],
  inputs: [
    ...repeated,
    ...whole,
    ...traces,
    {
      name: 'eight of the worst at once',
      as: 'viewer',
      requests: (world) => analyze(world, 'x.yaml', fill('!a ')),
      ...{ times: 8, atOnce: 8, short: true, slowestMs: 15_000 },
    },
  ],
};
