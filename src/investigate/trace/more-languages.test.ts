import { expect, test } from 'vitest';
import { parseTrace } from './read-trace.ts';

test.each<[language: string, text: string, message: string, places: string[]]>([
  [
    'lua',
    "lua: cart.lua:3: attempt to perform 'n%%0'\nstack traceback:\n\t[C]: in ?\n\tcart.lua:3: in local 'add'\n\tcart.lua:10: in main chunk",
    "attempt to perform 'n%%0'",
    ['cart.lua:3', 'cart.lua:10'],
  ],
  [
    'elixir',
    '** (ArgumentError) no price\n    (elixir 1.14.0) lib/access.ex:371: Access.get/3\n    (shop 0.1.0) lib/shop/cart.ex:12: Shop.Cart.add/2',
    'no price',
    ['lib/access.ex:371', 'lib/shop/cart.ex:12'],
  ],
  [
    'dart',
    'Unhandled exception:\nBad state: No element\n#0      List.first (dart:core-patch/growable_array.dart:343:5)\n#1      Cart.total (package:shop/src/cart.dart:12:9)',
    'Bad state: No element',
    ['shop/src/cart.dart:12'],
  ],
  [
    'haskell',
    'shop: no price\nCallStack (from HasCallStack):\n  error, called at src/Cart.hs:12:5 in main:Cart',
    'no price',
    ['src/Cart.hs:12'],
  ],
  [
    'julia',
    'ERROR: LoadError: KeyError: key :price not found\nStacktrace:\n [1] total(x::Vector{Int64})\n   @ Shop ~/shop/src/cart.jl:12',
    'key :price not found',
    ['~/shop/src/cart.jl:12'],
  ],
  [
    'ocaml',
    'Fatal error: exception Failure("no price")\nCalled from Cart.total in file "bin/cart.ml", line 12, characters 2-20',
    'no price',
    ['bin/cart.ml:12'],
  ],
  [
    'tcl',
    'expected integer but got "two"\n    (reading increment)\n    invoked from within\n"incr sum $x"\n    (file "cart.tcl" line 5)',
    'expected integer but got "two"',
    ['cart.tcl:5'],
  ],
  ['powershell', 'Get-Cart : no price\nAt C:\\shop\\cart.ps1:12 char:5', 'no price', ['C:/shop/cart.ps1:12']],
  [
    'nim',
    '/src/cart.nim(20) cart\n/src/cart.nim(12) total\nError: unhandled exception: no price [KeyError]',
    'no price',
    ['/src/cart.nim:12', '/src/cart.nim:20'],
  ],
  [
    'crystal',
    "Unhandled exception: no price (KeyError)\n  from src/cart.cr:12:5 in 'total'",
    'no price',
    ['src/cart.cr:12'],
  ],
  ['shell', './bin/cart.sh: line 12: jq: command not found', 'jq: command not found', ['bin/cart.sh:12']],
])('the lines of %s', (language, text, message, places) => {
  const trace = parseTrace(text);
  expect([trace.language, trace.message]).toEqual([language, message]);
  expect(trace.frames.map(({ path, line }) => `${path}:${line}`)).toEqual(places);
});

test.each([
  ...['Something is wrong: 12 items: no price', '12:00: 15: hello', 'note: see line 3: later'],
  ...['Error: 404: not found', '/api/carts: 404: not found', './cart.py:12: UserWarning: no price'],
])('no trace of any language: %s', (text) => {
  expect(parseTrace(text).language).toBeNull();
});

test('a path of a program that is started by way of another folder', () => {
  const { frames } = parseTrace('no price at /opt/shop/bin/../lib/Shop/Cart.pm line 8, <$fh> line 2.');
  expect(frames).toEqual([{ path: '/opt/shop/lib/Shop/Cart.pm', line: 8 }]);
});

test('the goroutine that waits in code of its own, where a timer of the library ended the test', () => {
  const text = [
    'panic: test timed out after 8s',
    'goroutine 18 [running]:',
    'testing.(*M).startAlarm.func1()',
    '\t/usr/lib/go-1.19/src/testing/testing.go:2036 +0x8e',
    '',
    'goroutine 1 [chan receive]:',
    'main.main()',
    '\t_testmain.go:49 +0x1aa',
    '',
    'goroutine 6 [semacquire]:',
    'shop/api.(*Cart).move()',
    '\t/home/ada/shop/api/cart.go:34 +0x14a',
  ].join('\n');
  expect(parseTrace(text).frames).toEqual([
    { path: '/home/ada/shop/api/cart.go', line: 34, symbol: 'Cart.move' },
  ]);
});

test('code that node cannot strip of its types', () => {
  const text = [
    'file:///srv/shop/src/kind.ts:1',
    '  > export enum Kind {',
    '      Plain = 0,',
    '  > }',
    '',
    'SyntaxError [ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX]: TypeScript enum is not supported in strip-only mode',
    '    at parseTypeScript (node:internal/modules/typescript:68:40)',
  ].join('\n');
  expect(parseTrace(text).frames[0]).toEqual({ path: '/srv/shop/src/kind.ts', line: 1 });
});
