import { expect, test } from 'vitest';
import type { Hunk } from '#contract/projects.ts';
import { parseTrace } from '../trace/read-trace.ts';
import { introducesFailure } from './introduced-failure.ts';

/** A hunk as `git diff` prints its lines. */
const hunk = (...lines: string[]) =>
  ({
    lines: lines.map((line) => ({
      kind: line[0] === '+' ? 'add' : line[0] === '-' ? 'delete' : 'context',
      text: line.slice(1),
    })),
  }) as unknown as Hunk;

const python = (message: string, ...inner: string[]) =>
  [
    'Traceback (most recent call last):',
    '  File "/srv/app/shop.py", line 3, in total',
    ...inner,
    message,
  ].join('\n');
const ruby = (message: string, called: string) =>
  `shop.rb:3:in \`${called}': ${message}\n\tfrom shop.rb:3:in \`total'\n\tfrom main.rb:1:in \`<main>'`;
const php = (message: string, call: string) =>
  `Fatal error: Uncaught TypeError: ${message} in /srv/shop.php:3\nStack trace:\n#0 /srv/shop.php(3): ${call}\n#1 /srv/main.php(2): total()\n#2 {main}`;

test.each([
  [
    'a member that is new',
    true,
    python("AttributeError: 'Cart' object has no attribute 'owner'"),
    ['-return cart.name', '+return cart.owner'],
  ],
  [
    'a member that a deleted line has as well',
    false,
    python("AttributeError: 'Cart' object has no attribute 'owner'"),
    ['-return str(cart.owner)', '+return cart.owner'],
  ],
  [
    'the same member of another value',
    true,
    python("AttributeError: 'NoneType' object has no attribute 'tier'"),
    ['-return customer.tier', '+return customer.account.tier'],
  ],
  [
    'the same member of what another function returns',
    true,
    python("AttributeError: 'NoneType' object has no attribute 'tier'"),
    ['-return customers[name].tier', '+return find(name, customers).tier'],
  ],
  [
    'the same member of a variable with another name',
    false,
    python("AttributeError: 'NoneType' object has no attribute 'tier'"),
    ['-return client.tier', '+return customer.tier'],
  ],
  [
    'a member whose check was removed',
    true,
    python("AttributeError: 'NoneType' object has no attribute 'owner'"),
    ['-return cart.owner if cart else ""', '+return cart.owner'],
  ],
  [
    'the call of a function by itself that was there before',
    false,
    python('RecursionError: maximum recursion depth exceeded'),
    ['-return Optional(total(n))', '+return Opt(total(n))'],
  ],
  [
    'a default that was removed above the line',
    true,
    python("AttributeError: 'NoneType' object has no attribute 'owner'"),
    ['-cart = found or Cart() if found else EMPTY', '+cart = found', ' return cart.owner'],
  ],
  [
    'another value above the line',
    false,
    python("AttributeError: 'NoneType' object has no attribute 'owner'"),
    ['-cart = found', '+cart = find(cart)', ' return cart.owner'],
  ],
  [
    'a check of another value with that member',
    true,
    python("AttributeError: 'NoneType' object has no attribute 'owner'"),
    ['-return cart.owner if cart else ""', '+return carts.get(name).owner'],
  ],
  [
    'an element that was read before',
    false,
    python("TypeError: 'NoneType' object is not subscriptable"),
    ['-return rows[key]', '+return rows[name]'],
  ],
  [
    'another call on a rewritten line',
    true,
    python('TypeError: Strings must be encoded before hashing'),
    ['-return tag', '+return sha1(tag)'],
  ],
  [
    'a line with other quotes',
    false,
    python('TypeError: Strings must be encoded before hashing'),
    ["-return sha1('x', tag)", '+return sha1("x", tag)'],
  ],
  [
    'a line beside the change',
    false,
    python('TypeError: Strings must be encoded before hashing'),
    ['+count += 1', ' return sha1(tag)'],
  ],
  [
    'a removed check above the line',
    true,
    python('TypeError: Strings must be encoded before hashing'),
    ['-if not tag: return None', ' return sha1(tag)'],
  ],
  [
    'a function of the language that was called before, in Ruby',
    false,
    ruby('missing keyword (ArgumentError)', 'bind_call'),
    ['-method.bind_call(scope)', '+method.bind_call(scope, **locals)'],
  ],
  [
    'a function of the language that was called before, in PHP',
    false,
    php('Malformed characters', 'json_encode()'),
    ['-return json_encode($row);', '+return substr(json_encode($row), 1);'],
  ],
  [
    'a function that the message names',
    true,
    php('strlen(): Argument #1 must be of type string', 'total()'),
    ['-return count($row);', '+return strlen($row);'],
  ],
])('the failure is introduced by %s: %s', (_, expected, text, lines) => {
  const added = lines.at(-1)!.slice(1);
  const frame = { depth: 0, path: 'shop.py', quote: added, frame: { symbol: 'total' } };
  expect(introducesFailure([hunk(...lines)], frame, parseTrace(text))).toBe(expected);
});

test('a call that a sanitizer intercepts was there before', () => {
  const trace = parseTrace(`==7==ERROR: AddressSanitizer: SEGV on unknown address 0x000000000000
    #0 0x7f in __interceptor_strcmp ../../libsanitizer/common.inc:462
    #1 0x55 in total /srv/app/shop.c:3`);
  const quote = 'return strcmp(url, text->data) == 0;';
  const frame = { depth: 0, path: 'shop.c', quote, frame: { symbol: 'total' } };
  const before = '-return strcmp(url, text->as.literal.data) == 0;';
  expect(introducesFailure([hunk(before, `+${quote}`)], frame, trace)).toBe(false);
  expect(introducesFailure([hunk('-return 0;', `+${quote}`)], frame, trace)).toBe(true);
});

test('a message that was raised before is not introduced', () => {
  const [before, after] = ['raise KeyError("No such format")', 'message = "No such format"'];
  const line = { depth: 0, path: 'shop.py', quote: after, frame: {}, literal: 'No such format' };
  const trace = parseTrace('KeyError: No such format');
  expect(introducesFailure([hunk(`-${before}`, `+${after}`)], line, trace)).toBe(false);
  expect(introducesFailure([hunk('-pass', `+${after}`)], line, trace)).toBe(true);
});

test('a check that was removed elsewhere in the file was of another value', () => {
  const trace = parseTrace(python("TypeError: 'NoneType' object is not subscriptable"));
  const frame = { depth: 0, path: 'shop.py', quote: 'return row[0]', frame: {} };
  const removed = '-if row: count(row)';
  expect(introducesFailure([hunk(removed, ' total = 1', ' return row[0]')], frame, trace)).toBe(true);
  expect(introducesFailure([hunk(removed, ' total = 1'), hunk('+x', ' return row[0]')], frame, trace)).toBe(
    false,
  );
});
