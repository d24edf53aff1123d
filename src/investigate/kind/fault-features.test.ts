import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildRepository, type TestRepository } from '#git/testing.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { indexRepository } from '#memory/testing.ts';
import { investigate } from '../investigate.ts';
import { sourceOfValue, usesParameter } from './function-parameters.ts';

const ORDER = `def total(order):
    rates = load_rates()
    return order.amount * rates.get(order.region).value


def load_rates():
    return {}


def close(order):
    return total(order, now=True)


def describe(order):
    return order.customer.name


class OrderError(Exception):
    pass


def check(order):
    if order is None:
        raise OrderError('an order is required')
    return order
`;

const CART = `<?php
class Cart {
  public function add(Article $article, int $count) {
  }
}
`;
const SHOP = `<?php
class Shop {
  public function order(Cart $cart) {
    $cart->add('pen');
  }
}
`;

let repository: TestRepository;
let index: RepositoryIndex;

beforeAll(async () => {
  repository = await buildRepository(async (repo) => {
    const files = {
      ...{ 'setup.py': "setup(name='shop')\n", 'shop/__init__.py': '', 'shop/order.py': ORDER },
      ...{ 'src/Cart.php': CART, 'src/Shop.php': SHOP },
    };
    await repo.commit({ date: '2023-01-05T10:00:00Z', message: 'Count orders', files });
    await repo.commit({
      ...{ date: '2024-01-05T10:00:00Z', message: 'Describe the test' },
      files: { 'tests/test_order.py': 'def test_total():\n    assert total(None) == 3\n' },
    });
  });
  index = await indexRepository(repository.path, 'main');
});
afterAll(() => repository.remove());

const PACKAGE = '/srv/venv/lib/python3.11/site-packages/shop/order.py';
const trace = (error: string, ...frames: [path: string, line: number, symbol: string][]) =>
  [
    'Traceback (most recent call last):',
    ...frames.map(([path, line, symbol]) => `  File "${path}", line ${line}, in ${symbol}`),
    error,
  ].join('\n');
const USER: [string, number, string] = ['/srv/app/main.py', 4, '<module>'];

async function investigateText(error_message: string, additional_context?: string) {
  const report = { error_message, additional_context };
  const deps = { repo: repository.path, index, sessions: [], now: '2024-02-01T00:00:00Z' };
  return await investigate(report, deps);
}

test.each([
  [
    'the code of the caller, which the project called back, lacks a key',
    trace("KeyError: 'price'", USER, [PACKAGE, 15, 'describe'], ['/srv/app/main.py', 2, 'price']),
    { failedOutside: 1, internalType: 0 },
    'usage',
  ],
  [
    'a value of the caller has the wrong type',
    trace("AttributeError: 'int' object has no attribute 'customer'", USER, [PACKAGE, 15, 'describe']),
    { outside: 1, passedDown: 1, concreteValue: 1, localValue: 0 },
    'usage',
  ],
  [
    'a value that the function computed is absent',
    trace("AttributeError: 'NoneType' object has no attribute 'amount'", USER, [PACKAGE, 3, 'total']),
    { outside: 1, concreteValue: 0, localValue: 0 },
    'usage',
  ],
  [
    'the project calls its own function wrongly',
    trace("TypeError: total() got an unexpected keyword argument 'now'", USER, [PACKAGE, 11, 'close']),
    { outside: 1, ownCallee: 1 },
    'regression',
  ],
  [
    'a test of the project fails',
    trace('AssertionError', ['/home/dev/shop/tests/test_order.py', 2, 'test_total']),
    { ownTest: 1, outside: 0, program: 1 },
    'regression',
  ],
  [
    'a guard answers to the caller',
    trace('shop.order.OrderError: an order is required', USER, [PACKAGE, 24, 'check']),
    { guard: 1, ownError: 1, outside: 1 },
    'guard',
  ],
  [
    'a collection that the function emptied',
    trace('IndexError: pop from empty list', USER, [PACKAGE, 15, 'describe']),
    { impossibleValue: 1 },
    'regression',
  ],
  [
    'a number of values is no value of the caller',
    trace('ValueError: not enough values to unpack (expected 1, got 0)', USER, [PACKAGE, 15, 'describe']),
    { concreteValue: 0 },
    'usage',
  ],
  [
    'a file that the caller names is absent',
    trace("FileNotFoundError: [Errno 2] No such file or directory: 'rows.csv'", USER, [
      PACKAGE,
      15,
      'describe',
    ]),
    { concreteValue: 1 },
    'usage',
  ],
  [
    'an absent package is no change of the line that loads it',
    trace("ModuleNotFoundError: No module named 'rates'", USER, [PACKAGE, 2, 'total']),
    { recency: 0 },
    'environment',
  ],
  [
    'code of the caller fails, called back by the project',
    trace('ValueError: x', USER, [PACKAGE, 3, 'total'], ['/srv/app/region.py', 2, 'value']),
    { failedOutside: 1 },
    'usage',
  ],
])('%s', async (_, text, features, kind) => {
  const found = await investigateText(text);
  expect(found.kindEvidence.fault).toMatchObject(features);
  expect(found.kind).toBe(kind);
});

const SOURCES = '/srv/shop/src';
test.each([
  { caller: `${SOURCES}/Shop.php`, line: 4, expected: 1 },
  { caller: '/srv/app/index.php', line: 7, expected: 0 },
])('a call of PHP with wrong arguments in $caller', async ({ caller, line, expected }) => {
  const calls = [
    `Argument #1 ($article) must be of type Article, string given, called in ${caller} on line ${line} and defined`,
    `1 passed in ${caller} on line ${line} and exactly 2 expected`,
  ].map((call, at) =>
    at === 0 ? `Cart::add(): ${call}` : `Too few arguments to function Cart::add(), ${call}`,
  );
  for (const call of calls) {
    const text = `PHP Fatal error:  Uncaught TypeError: ${call} in ${SOURCES}/Cart.php:3
Stack trace:
#0 ${caller}(${line}): Cart->add('pen')
#1 /srv/app/index.php(9): main()
#2 {main}`;
    expect((await investigateText(text)).kindEvidence.fault.ownCallee).toBe(expected);
  }
});

test.each([
  ['total(order, "price")', { internalType: 0, concreteValue: 1 }],
  ['total(order)', { internalType: 1, concreteValue: 0 }],
])('an absent key with the caller %s', async (code, features) => {
  const text = trace("KeyError: 'price'", USER, [PACKAGE, 3, 'total']).replace(
    '<module>',
    `<module>\n    ${code}`,
  );
  const found = await investigateText(text);
  expect(found.kindEvidence.fault).toMatchObject(features);
});

test('a report that it worked before speaks for a fault', async () => {
  const text = trace("AttributeError: 'int' object has no attribute 'customer'", USER, [
    PACKAGE,
    15,
    'describe',
  ]);
  const [before, after] = [
    await investigateText(text),
    await investigateText(text, 'It stopped working in 2.1'),
  ];
  expect(after.explanations.fault).toBeGreaterThan(before.explanations.fault);
});

test('a reporter who says more than the output speaks for a fault', async () => {
  const text = trace('shop.order.OrderError: an order is required', USER, [PACKAGE, 24, 'check']);
  const [alone, told] = [
    await investigateText(text),
    await investigateText(text, 'There is exactly one order in the file, as one can see.'),
  ];
  expect([alone.kindEvidence.fault.claims, told.kindEvidence.fault.claims]).toEqual([0, 1]);
  expect(told.explanations.fault).toBeGreaterThan(alone.explanations.fault);
});

test.each([
  ['an error that a program prints by this name', 'shop: error: an order is required', 1],
  ['a position in a file that the program read', 'march.orders:4:2: an order is required', 1],
  ['a position in a file of the project', 'order.py:4:2: an order is required', 0],
  ['an error of the kind that a program prints', 'Runtime Error: an order is required', 1],
  ['a message above the usage', 'an order is required\nUsage: shop [-v] ORDER', 1],
  ['an error that PHP prints', 'PHP Fatal error:  Uncaught an order is required', 0],
])('%s tells a misuse from a fault', async (_, text, expected) => {
  const [plain, printed] = [await investigateText('an order is required'), await investigateText(text)];
  expect([plain.kindEvidence.fault.printedError, printed.kindEvidence.fault.printedError]).toEqual([
    0,
    expected,
  ]);
  expect(printed.explanations.fault < plain.explanations.fault).toBe(expected === 1);
});

test.each([
  ["Cannot read properties of undefined (reading 'push')", '  this.stack.push(layer)', 'state'],
  ["Cannot read properties of undefined (reading 'get')", '  return request.get(name)', 'parameter'],
  ["Cannot read properties of undefined (reading 'split')", '  const host = raw?.split(":")', 'local'],
  ["undefined method `start_with?' for nil:NilClass", "  host.start_with?('[')", 'local'],
  ["'NoneType' object has no attribute 'id'", '  return self.owner.id', 'state'],
  ["Cannot read properties of undefined (reading 'x')", '  y()', null],
  ['no member is named', '  request.get()', null],
  ['request.get is not a function', '  request = parse(name)\n  request.get()', 'local'],
  ['request.get is not a function', '  request.get()', 'parameter'],
  ['Cannot invoke "A.b()" because "this.owner" is null', '  owner.b();', 'state'],
  ['Cannot invoke "A.b()" because "name" is null', '  name.b();', 'parameter'],
  ['Cannot invoke "A.b()" because the return value of "A.c()" is null', '  c().b();', 'local'],
])('%s: %s', (message, line, source) => {
  const lines = ['function handle(request, name) {', ...line.split('\n'), '}'];
  expect(sourceOfValue(lines, lines.length - 1, message)).toBe(source);
});

test.each([
  ['def f(a, *, b=1):\n    x = 1\n    return b', 3, true],
  ['def f(a):\n    return ab', 2, false],
  ['exports.f = function (\n  $el,\n  name\n) {\n  return $el.x', 5, true],
  ['func (s *Server) Serve(conn net.Conn) {\n\treturn conn.Close()', 2, true],
  ['fn f(x: u8) {\n    y()', 2, false],
])('%j uses a parameter: %s', (code, line, uses) => {
  expect(usesParameter(code.split('\n'), line)).toBe(uses);
});
