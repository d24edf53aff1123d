import { expect, test } from 'vitest';
import { findFrameOwners } from '../locate/frame-owners.ts';
import { parseTrace } from '../trace/read-trace.ts';
import { findCallerFailure, printsComparison } from './caller-failure.ts';

function failureOf(text: string) {
  const trace = parseTrace(text);
  return findCallerFailure(trace, findFrameOwners(trace, [], null));
}

test.each([
  [
    'a thrown Error of JavaScript',
    `/srv/bakery/total.js:4
if (cart.total !== 7) throw new Error('the total is ' + cart.total)
                      ^

Error: the total is 0
    at Object.<anonymous> (/srv/bakery/total.js:4:29)
    at Module._compile (node:internal/modules/cjs/loader:1256:14)`,
  ],
  [
    'an assertion of Python',
    `Traceback (most recent call last):
  File "/srv/bakery/total.py", line 4, in <module>
    assert cart.total == 7, cart.total
AssertionError: 0`,
  ],
  [
    'a panic of Go',
    `panic: total is 0, want 7

goroutine 1 [running]:
main.main()
	/srv/bakery/main.go:9 +0x1d`,
  ],
  [
    'a failed test of Go',
    `--- FAIL: TestTotal (0.00s)
    total_test.go:12: got 0, want 7`,
  ],
  [
    'a failed test of Go with a prefix',
    `--- FAIL: TestTotal (0.00s)
    total_test.go:12: totals: got [0 2], want [0 7]`,
  ],
  [
    'an assertion of Lua',
    `lua: total.lua:3: total is 0
stack traceback:
	[C]: in function 'assert'
	total.lua:3: in main chunk
	[C]: in ?`,
  ],
  [
    'an exception of Java',
    `Exception in thread "main" java.lang.IllegalStateException: total 0
	at bakery.Total.main(Total.java:7)`,
  ],
  ['an exception of Ruby', "total.rb:4:in `<main>': total is 0 (RuntimeError)"],
  [
    'an exception of PHP',
    `PHP Fatal error:  Uncaught Exception: total is 0 in /srv/bakery/total.php:4
Stack trace:
#0 {main}
  thrown in /srv/bakery/total.php on line 4`,
  ],
  [
    'an assertion of Rust',
    `thread 'main' panicked at src/main.rs:4:5:
assertion \`left == right\` failed
  left: 0
 right: 7`,
  ],
  ['an exception of Perl', 'total is 0 at total.pl line 4.'],
  [
    'an exception of C#',
    `Unhandled exception. System.Exception: total is 0
   at Bakery.Total.Main(String[] args) in /srv/bakery/Total.cs:line 4`,
  ],
])('%s is a check of the caller', (_, text) => expect(failureOf(text)).toBe('check'));

test.each([
  [
    'an absent attribute',
    `Traceback (most recent call last):
  File "/srv/bakery/total.py", line 4, in <module>
    print(cart.total)
AttributeError: 'Cart' object has no attribute 'total'`,
  ],
  [
    'another type in an interface',
    `panic: interface conversion: interface {} is string, not int

goroutine 1 [running]:
main.main()
	/srv/bakery/main.go:9 +0x1d`,
  ],
  [
    'a method that the class lacks',
    `PHP Fatal error:  Uncaught Error: Call to undefined method Shop\\Cart::total() in /srv/bakery/total.php:4
Stack trace:
#0 {main}
  thrown in /srv/bakery/total.php on line 4`,
  ],
  [
    'a method of Lua that is absent',
    `lua: total.lua:3: attempt to call a nil value (method 'total')
stack traceback:
	total.lua:3: in main chunk
	[C]: in ?`,
  ],
  ['a missing method', "total.rb:4:in `<main>': undefined method `total' for nil:NilClass (NoMethodError)"],
])('%s is a value that the caller did not expect', (_, text) => expect(failureOf(text)).toBe('value'));

test.each([
  [
    'an error that Go code passes on',
    `panic: read orders: json: unexpected end of JSON input

goroutine 1 [running]:
main.main()
	/srv/bakery/main.go:9 +0x1d`,
  ],
  [
    'an error of an installed package',
    `Traceback (most recent call last):
  File "/srv/bakery/total.py", line 4, in <module>
    assert oven.heat(cake)
  File "/srv/venv/lib/python3.11/site-packages/oven/heat.py", line 9, in heat
    raise ValueError('too hot')
ValueError: too hot`,
  ],
  [
    'a function of the engine',
    `RangeError: Invalid time value
    at Date.toISOString (<anonymous>)
    at Object.<anonymous> (/srv/bakery/total.js:4:29)`,
  ],
  [
    'an error class of a library',
    `Traceback (most recent call last):
  File "/srv/bakery/total.py", line 4, in <module>
    db.execute("select 1 form cakes")
sqlite3.OperationalError: near "cakes": syntax error`,
  ],
  [
    'code that does not parse',
    'PHP Parse error:  syntax error, unexpected token ";" in /srv/a.php on line 3',
  ],
  ['a report in words', 'the total of my cart is wrong'],
])('%s is no failure of the caller', (_, text) => expect(failureOf(text)).toBeNull());

test.each([
  ['the total was expected to be 7, got 0', true],
  ['not ok 1 - total of a cart\n  wanted: 7\n  got: 0', true],
  ['FAIL total\n- <b>7</b>\n+ <b>0</b>', true],
  ['the row changed when read: 0700 (was 07)', true],
  ['the total of my cart is wrong', false],
  ['I expected more of this program', false],
  ['- first\n- second', false],
  ['Error: expected 7, got 0\n    at total (/srv/bakery/total.js:4:29)', false],
])('%s compares a result with the expected one: %s', (text, expected) =>
  expect(printsComparison(parseTrace(text))).toBe(expected),
);

test.each([
  'Total.java:6: error: cannot find symbol\n        Cart cart = Cart.open().total();\n  symbol: method total()',
  "src/total.ts:4:7 - error TS2339: Property 'total' does not exist on type 'Cart'.",
  'error[E0599]: no method named `total` found for struct `Cart`\n --> src/main.rs:4:10',
  './main.go:9:7: undefined: bakery.Total',
  "Total.cs(4,12): error CS1061: 'Cart' does not contain a definition for 'Total'",
])('code of a caller that does not compile against a library: %s', (text) => {
  expect(failureOf(text)).toBe('value');
});

test('code that does not parse is no use of a library', () => {
  expect(failureOf("Total.java:6: error: ';' expected")).toBeNull();
});
