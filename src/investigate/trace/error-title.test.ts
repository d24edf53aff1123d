import { expect, test } from 'vitest';
import { measureCpuMs } from '#scheduling/testing-cpu-time.ts';
import { errorTitle, messageTitle } from './error-title.ts';
import { parseTrace } from './read-trace.ts';

test.each([
  [
    'an uncaught error of node begins with its place',
    "file:///srv/a.js:3\n  x.trim()\n    ^\n\nTypeError: Cannot read properties of undefined (reading 'trim')\n    at a (file:///srv/a.js:3:5)",
    "TypeError: Cannot read properties of undefined (reading 'trim')",
  ],
  [
    'a traceback ends with its error',
    'Traceback (most recent call last):\n  File "a.py", line 1, in <module>\n    f()\nValueError: bad\nmore',
    'ValueError: bad',
  ],
  [
    'a bracket of JSON is no message',
    'ZodError: [\n  {\n    "code": "invalid_type",\n    "path": [\n      "user",\n      "email"\n    ],\n    "message": "Required"\n  }\n]\n    at parse (/srv/a.js:3:5)',
    'ZodError: user.email: Required',
  ],
  [
    'a failed command takes what it printed',
    'Error: Command failed: git clone https://h/x /tmp/x\nfatal: repository not found\n\n    at genericNodeError (node:internal/errors:998:15)',
    'Error: fatal: repository not found',
  ],
  [
    'an aggregate takes its first error',
    "AggregateError [ECONNREFUSED]: \n    at internalConnectMultiple (node:net:1139:18) {\n  code: 'ECONNREFUSED',\n  [errors]: [\n    Error: connect ECONNREFUSED ::1:5432\n        at createConnectionError (node:net:1675:14)\n  ]\n}",
    'AggregateError: connect ECONNREFUSED ::1:5432',
  ],
  ['plain words are their own title', '  the page stays white\nsince Monday', 'the page stays white'],
])('%s', (_, text, title) => {
  expect(errorTitle(parseTrace(text))).toBe(title);
});

test.each([
  [
    'Prisma prints the code before the reason',
    '\nInvalid `prisma.user.create()` invocation in\n/app/src/users.ts:5:32\n\n  2 \n  3 const db = open()\n→ 5 db.user.create(\nUnique constraint failed on the fields: (`email`)',
    'Invalid `prisma.user.create()` invocation: Unique constraint failed on the fields: (`email`)',
  ],
  [
    'webpack names the loader first',
    'Module build failed (from ./node_modules/babel-loader/lib/index.js):\nSyntaxError: /app/a.js: Unexpected token (3:4)',
    'Module build failed (from ./node_modules/babel-loader/lib/index.js): SyntaxError: /app/a.js: Unexpected token (3:4)',
  ],
  [
    'an assertion of Node',
    'Expected values to be strictly equal:\n\n1 !== 2\n',
    'Expected values to be strictly equal: 1 !== 2',
  ],
  ['errors of Go', '2 errors occurred:\n\t* no such host\n\t* timeout\n', '2 errors occurred: no such host'],
  ['a command that printed nothing', 'Command failed: make', 'Command failed: make'],
])('%s', (_, message, title) => {
  expect(messageTitle(message)).toBe(title);
});

test('an error that stands for others takes the first of them', () => {
  expect(messageTitle('', 'connect ECONNREFUSED ::1:5432\nmore')).toBe('connect ECONNREFUSED ::1:5432');
  expect(messageTitle('All promises were rejected', 'no route')).toBe('no route');
  expect(messageTitle('Order 7 not saved', 'no route')).toBe('Order 7 not saved');
});

test('a long message takes linear time', async () => {
  for (const text of [
    '[\n'.repeat(50_000),
    `[\n"message": "${'\\'.repeat(50_000)}`,
    `[\n${'"path": ['.repeat(20_000)}`,
    `${' '.repeat(50_000)}x`,
    `a${' '.repeat(50_000)}b`,
  ])
    expect(await measureCpuMs(() => messageTitle(text))).toBeLessThan(500);
});
