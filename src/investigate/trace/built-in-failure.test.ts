import { expect, test } from 'vitest';
import { failsInBuiltIn } from './built-in-failure.ts';
import { parseTrace } from './read-trace.ts';

test.each([
  ['TypeError: x\n    at JSON.stringify (<anonymous>)\n    at save (/srv/a.js:3:5)', true],
  ['TypeError: x\n    at save (/srv/a.js:3:5)\n    at Array.map (<anonymous>)', false],
  ["a.rb:3:in `fetch': x (KeyError)\n\tfrom a.rb:3:in `find'\n\tfrom a.rb:9:in `<main>'", true],
  ["a.rb:3:in `block in find': x (KeyError)\n\tfrom a.rb:3:in `map'\n\tfrom a.rb:3:in `find'", false],
  ["a.rb:3:in `find': x (KeyError)\n\tfrom b.rb:3:in `<main>'", false],
  ['Traceback (most recent call last):\n  File "a.py", line 1, in f\nKeyError: 1', false],
])('%j failed in a function of the language: %s', (text, expected) => {
  expect(failsInBuiltIn(parseTrace(text))).toBe(expected);
});
