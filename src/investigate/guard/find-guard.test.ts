import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildRepository, type TestRepository } from '#git/testing.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { indexRepository } from '#memory/testing.ts';
import { investigate } from '../investigate.ts';

const CHECKS = `package com.acme.shop;

final class Checks {
  static void checkArgument(boolean condition, String format, Object... args) {
    if (!condition) throw new IllegalArgumentException(String.format(format, args));
  }
}
`;
const ORDER = `package com.acme.shop;

public final class Order {
  public static Order of(String name) {
    Checks.checkArgument(!name.isEmpty(), "no article is named %s", name);
    return new Order();
  }
  int share(int parts) {
    return 100 / parts;
  }
}
`;

const FAILURES = `const messages = [
  'Deliveries need a street and a town',
  (article) => {
    return 'The shelf was emptied by another delivery: ' + article;
  },
];

function die(code, ...details) {
  const message = messages[code];
  throw new Error(\`[shop] \${typeof message === 'function' ? message(...details) : message}\`);
}

const describe = (code) => messages[code];
module.exports = { die, describe };
`;
const STOCK = `<?php
namespace Shop;
final class StockError extends \\Exception
{
    public static function missing(string $article): self
    {
        return new self(sprintf('No shelf is left for %s', $article));
    }
}
`;
const CART = `const Boom = require('@hapi/boom');
module.exports.add = function add(cart, article) {
  if (!article) return Boom.badRequest('an article must be chosen first');
  assert(cart);
};
`;
const PRICES = `def price(order):
    assert order.lines
    return sum(order.lines)
`;

const TASKS = `module Shop
  class Tasks
    def [](name)
      lookup(name) or
        fail message_for_missing_task(name)
    end

    def message_for_missing_task(name)
      text = "Don't know how to deliver the order '#{name}'"
      text + suggestions(name)
    end
  end
end
`;

const DELIVER = `#!/bin/sh
die() { echo "$*" >&2; exit 1; }
[ -r "$CONFIG" ] || die "cannot read the list of vans $CONFIG"
`;
const FIELDS = `module Shop
  def self.field(van, name)
    van[name] || raise(MissingField, "no field #{name} for #{van[:driver]}")
  end
end
`;

const RUNNER = `<?php
try {
    deliver($argv[1]);
} catch (\\Exception $e) {
    echo 'The delivery was stopped by an error: ' . $e->getMessage();
}
`;
const CODEC = `package shop

import "errors"

var errNilPrice = errors.New("shop: cannot write a price of nil")

func write(price *int) error {
	if price == nil {
		return errNilPrice
	}
	return nil
}
`;

const DECODE = `package shop

func handle(err *error) {
	if v := recover(); v != nil {
		panic(v)
	}
}
`;

const COUNTER = `#!/usr/bin/env perl
if ($processes > 0 and !$has_manager) {
    print "Error: cannot count in several processes here.\\n";
    exit 1;
}
`;
const LEXER = `void word(char *name)
{
	if (safe)
		SYNTAX( "the function %s is unsafe", name );
}
void where(int line)
{
	fprintf(stderr, " in the source at line %d\\n", line);
}
`;
const FILTER = `package Shop::Filter;
use Carp;
sub compile {
    my ($text) = @_;
    croak "bad filter '$text'" unless $text =~ /=/;
}
1;
`;

let repository: TestRepository;
let index: RepositoryIndex;

beforeAll(async () => {
  repository = await buildRepository(async (repo) => {
    const folder = 'src/main/java/com/acme/shop';
    const files = {
      [`${folder}/Checks.java`]: CHECKS,
      [`${folder}/Order.java`]: ORDER,
      ...{
        'shop.gemspec': "Gem::Specification.new 'shop', '1.2.0'\n",
        'exe/shop': 'Shop.run\n',
        'lib/shop/tasks.rb': TASKS,
        'lib/shop/scales.rb': "require 'scales/units/baseunits'\n",
        'src/StockError.php': STOCK,
        'lib/cart.js': CART,
        'lib/failures.js': FAILURES,
        'shop/prices.py': PRICES,
        'go.mod': 'module github.com/acme/shop\n',
        'decode.go': DECODE,
        'codec.go': CODEC,
        'bin/runner.php': RUNNER,
        'bin/deliver.sh': DELIVER,
        'lib/shop/fields.rb': FIELDS,
        'bin/counter': COUNTER,
        'bin/old/counter': COUNTER,
        'lex.c': LEXER,
        'testdir/T.lex': `shop: the function open is unsafe at source line 1\n`,
        'lib/Shop/Filter.pm': FILTER,
        'lib/Shop/CLI.pm': `package Shop::CLI;\nsub run { Shop::Filter::compile($_[0]) }\n1;\n`,
      },
    };
    await repo.commit({ date: '2021-01-05T10:00:00Z', message: 'Order articles', files });
    await repo.commit({ date: '2024-01-05T10:00:00Z', message: 'Notes', files: { 'notes.md': 'None.\n' } });
  });
  index = await indexRepository(repository.path, 'main');
});
afterAll(() => repository.remove());

const investigateText = async (error_message: string) =>
  await investigate(
    { error_message },
    { repo: repository.path, index, sessions: [], now: '2024-02-01T00:00:00Z' },
  );

test('the guard is the call that passes the message to a helper', async () => {
  const { guard, kind } =
    await investigateText(`Exception in thread "main" java.lang.IllegalArgumentException: no article is named pen
\tat com.acme.shop.Checks.checkArgument(Checks.java:5)
\tat com.acme.shop.Order.of(Order.java:5)
\tat app.Main.main(Main.java:3)`);
  expect(guard).toMatchObject({ path: 'src/main/java/com/acme/shop/Order.java', line: 5 });
  expect(kind).toBe('guard');
});

test.each([
  { innermost: 'die', line: 4, expected: 'guard' },
  { innermost: 'describe', line: undefined, expected: 'usage' },
])(
  'a message of a table is raised by the function $innermost: $expected',
  async ({ innermost, line, expected }) => {
    const { guard, kind } = await investigateText(`/srv/crm/node_modules/shop/index.js:88
    throw new Error(\`[shop] \${text}\`);
    ^

Error: [shop] The shelf was emptied by another delivery: pen
    at ${innermost} (/srv/crm/node_modules/shop/index.js:88:11)
    at Object.<anonymous> (/srv/crm/deliver.js:3:9)`);
    expect({ line: guard?.line, kind }).toEqual({ line, kind: expected });
  },
);

test('a class of the project that is absent at run time is a fault of the environment', async () => {
  const { places, kind } =
    await investigateText(`Exception in thread "main" java.lang.NoClassDefFoundError: com/acme/shop/Order
\tat app.Main.main(Main.java:6)`);
  expect(kind).toBe('environment');
  expect(places[0]?.path).toBe('src/main/java/com/acme/shop/Order.java');
});

test('a statement that loads an absent module is no guard', async () => {
  const { guard, kind } =
    await investigateText(`/var/lib/gems/3.1.0/gems/shop-1.2.0/lib/shop/scales.rb:1:in \`require': cannot load such file -- scales/units/baseunits (LoadError)
\tfrom /var/lib/gems/3.1.0/gems/shop-1.2.0/lib/shop/scales.rb:1:in \`<top (required)>'
\tfrom menu.rb:2:in \`require'
\tfrom menu.rb:2:in \`<main>'`);
  expect(guard).toBeNull();
  expect(kind).toBe('environment');
});

test('a number that only the project computes is a sign of a fault', async () => {
  const { kindEvidence } =
    await investigateText(`Exception in thread "main" java.lang.ArithmeticException: / by zero
\tat com.acme.shop.Order.share(Order.java:9)
\tat app.Main.main(Main.java:3)`);
  expect(kindEvidence.fault).toMatchObject({ impossibleValue: 1, internalType: 1 });
});

test('the same words of code that the project called back are no guard of the project', async () => {
  const { guard } =
    await investigateText(`menu.rb:4:in \`block in <main>': Don't know how to deliver the order 'pens' (ArgumentError)
\tfrom /var/lib/gems/3.1.0/gems/shop-1.2.0/lib/shop/tasks.rb:3:in \`[]'
\tfrom menu.rb:2:in \`<main>'`);
  expect(guard).toBeNull();
});

test('a cut trace leads to the statement that raises what a function words', async () => {
  const { guard, kind, patch } = await investigateText(`shop aborted!
Don't know how to deliver the order 'pens'
Did you mean?  pen
/srv/app/vendor/bundle/ruby/3.1.0/gems/shop-1.2.0/exe/shop:1:in \`<main>'`);
  expect(guard).toMatchObject({ path: 'lib/shop/tasks.rb', line: 5 });
  expect({ kind, patch }).toEqual({ kind: 'guard', patch: null });
});

test('a factory that creates the error raises it', async () => {
  const { guard } =
    await investigateText(`PHP Fatal error:  Uncaught Shop\\StockError: No shelf is left for pens in /srv/app/src/StockError.php:7
Stack trace:
#0 /home/eve/order.php(3): Shop\\StockError::missing('pens')
#1 {main}`);
  expect(guard).toMatchObject({ path: 'src/StockError.php', line: 7 });
});

test('a line that words the message raises it, whatever it calls', async () => {
  const { guard } = await investigateText(`Error: an article must be chosen first
    at add (/srv/shop/lib/cart.js:3:22)
    at main (/home/eve/order.js:4:1)`);
  expect(guard).toMatchObject({ path: 'lib/cart.js', line: 3 });
});

test('the guard of a cause is found below the error that wraps it', async () => {
  const { guard } = await investigateText(`java.lang.RuntimeException: the request failed
\tat app.Main.serve(Main.java:9)
Caused by: java.lang.IllegalArgumentException: no article is named pen
\tat com.acme.shop.Checks.checkArgument(Checks.java:5)
\tat com.acme.shop.Order.of(Order.java:5)
\tat app.Main.main(Main.java:3)`);
  expect(guard).toMatchObject({ path: 'src/main/java/com/acme/shop/Order.java', line: 5 });
});

test.each([
  { owner: 'project', cause: 'com.acme.shop.Order.share(Order.java:9)', expected: null },
  { owner: 'caller', cause: 'app.Main.main(Main.java:2)', expected: 5 },
])('an error that wraps a mistake of the $owner', async ({ cause, expected }) => {
  const { guard } =
    await investigateText(`Exception in thread "main" java.lang.IllegalArgumentException: bad order: java.lang.ArithmeticException: / by zero
\tat com.acme.shop.Checks.checkArgument(Checks.java:5)
\tat app.Main.main(Main.java:3)
Caused by: java.lang.ArithmeticException: / by zero
\tat ${cause}
\t... 1 more`);
  expect(guard?.line ?? null).toBe(expected);
});

test('a bare assertion checks the program, not its caller', async () => {
  const { guard } = await investigateText(`Traceback (most recent call last):
  File "/home/eve/order.py", line 3, in <module>
    price(order)
  File "/srv/venv/lib/python3.11/site-packages/shop/prices.py", line 2, in price
    assert order.lines
AssertionError`);
  expect(guard).toMatchObject({ path: 'shop/prices.py', line: 2, isInvariant: true });
});

test.each([
  ['the order is closed', 5],
  ['runtime error: index out of range [3] with length 2', null],
])('a statement that panics again raised %s: line %s', async (message, line) => {
  const { guard } = await investigateText(`panic: ${message}

goroutine 1 [running]:
github.com/acme/shop.handle(0xc000012345)
\t/home/eve/go/pkg/mod/github.com/acme/shop@v1.2.0/decode.go:5 +0x1d
main.main()
\t/home/eve/order/main.go:9 +0x1d`);
  expect(guard?.line ?? null).toBe(line);
});

test.each([
  ['cannot read the list of vans /etc/vans', 'bin/deliver.sh', 3],
  ['deliver: no field club for Ann Lee', 'lib/shop/fields.rb', 3],
  ['$ deliver /etc/vans\nreading /etc/vans\ncannot read the list of vans /etc/vans', 'bin/deliver.sh', 3],
  ['var price *int\n\nexport: shop: cannot write a price of nil\nexit status 1', 'codec.go', 9],
  ['The delivery was stopped by an error: the shop is closed', 'bin/runner.php', 5],
  ['Error: cannot count in several processes here.', 'bin/counter', 3],
  ['shop: the function open is unsafe\n in the source at line 1', 'lex.c', 4],
])('a message without a trace leads to the statement that raises it: %s', async (message, path, line) => {
  expect((await investigateText(message)).guard).toMatchObject({ path, line });
});

test('a statement of Perl that dies with the place of its caller', async () => {
  const { guard } = await investigateText("bad filter 'status>500' at /srv/shop/lib/Shop/CLI.pm line 2.");
  expect(guard).toMatchObject({ path: 'lib/Shop/Filter.pm', line: 5 });
});

test('a handler that reports what the runtime raised is no guard', async () => {
  const text =
    'The delivery was stopped by an error: Undefined array key "van" in /srv/shop/van.php on line 3';
  expect((await investigateText(text)).guard).toBeNull();
});
