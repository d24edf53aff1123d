import { expect, test } from 'vitest';
import { errorTitle } from './error-title.ts';
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
  ['plain words are their own title', '  the page stays white\nsince Monday', 'the page stays white'],
])('%s', (_, text, title) => {
  expect(errorTitle(parseTrace(text))).toBe(title);
});
