import { expect, test } from 'vitest';
import { failsInBuiltIn } from './built-in-failure.ts';
import { parseTrace } from './read-trace.ts';

test.each([
  ['TypeError: x\n    at JSON.stringify (<anonymous>)\n    at save (/srv/a.js:3:5)', true],
  ['TypeError: x\n    at save (/srv/a.js:3:5)\n    at Array.map (<anonymous>)', false],
  ["a.rb:3:in `fetch': x (KeyError)\n\tfrom a.rb:3:in `find'\n\tfrom a.rb:9:in `<main>'", true],
  ["a.rb:3:in `block in find': x (KeyError)\n\tfrom a.rb:3:in `map'\n\tfrom a.rb:3:in `find'", false],
  ["a.rb:3:in `find': x (KeyError)\n\tfrom b.rb:3:in `<main>'", false],
  [
    'java.lang.NumberFormatException: For input string: "x"\n\tat java.base/java.lang.Integer.parseInt(Integer.java:1)\n\tat com.acme.Shop.open(Shop.java:3)',
    true,
  ],
  ['java.lang.IllegalStateException: x\n\tat com.acme.Shop.open(Shop.java:3)', false],
  [
    'panic: reflect: call of Value.Type on zero Value\n\ngoroutine 1 [running]:\nreflect.Value.typeSlow()\n\t/usr/local/go/src/reflect/value.go:9 +0x1\nmain.main()\n\t/srv/main.go:5 +0x1',
    true,
  ],
  [
    'panic: x\n\ngoroutine 1 [running]:\nruntime.gopanic()\n\t/usr/local/go/src/runtime/panic.go:9 +0x1\nmain.main()\n\t/srv/main.go:5 +0x1',
    false,
  ],
  [
    'Fatal error: Uncaught TypeError: x in /srv/a.php:3\nStack trace:\n#0 /srv/a.php(3): strlen(Array)\n#1 /srv/b.php(2): open()\n#2 {main}',
    true,
  ],
  [
    'Fatal error: Uncaught TypeError: x in /srv/a.php:3\nStack trace:\n#0 /srv/b.php(2): open()\n#1 {main}',
    false,
  ],
  ['Traceback (most recent call last):\n  File "a.py", line 1, in f\nKeyError: 1', false],
])('%j failed in a function of the language: %s', (text, expected) => {
  expect(failsInBuiltIn(parseTrace(text))).toBe(expected);
});
