// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are code under test
import { expect, test } from 'vitest';
import { matchTemplate, parseTemplates } from './message-templates.ts';

const share = (code: string, message: string) =>
  Math.max(0, ...parseTemplates(code).map((template) => matchTemplate(template, message).share));

test.each([
  ['throw new Error(`Route ${method}:${url} not found`)', 'Route GET:/x not found'],
  ['raise InvalidURL(f"Invalid URL {url!r}: No host supplied")', "Invalid URL 'http://': No host supplied"],
  [
    'raise E("Invalid URL %r: No scheme supplied. Perhaps you meant http://%s?" % x)',
    "Invalid URL 'a': No scheme supplied. Perhaps you meant http://a?",
  ],
  ['"Cannot find {0} in {name}".format(a)', 'Cannot find x in y'],
  ["throw new Error('Reply ' + id + ' was sent twice')", 'Reply 7 was sent twice'],
  ['error = ("Failed to parse "\n    "the response: %s")', 'Failed to parse the response: x'],
  ['die(_("unable to read tree %s"), oid)', 'unable to read tree 0123'],
  ["'it\\'s gone'", "it's gone"],
  ['$"Order {order.Id:D} is closed"', 'Order 12 is closed'],
  ['String.format("Order %1$s of %2$-5d is closed", a, b)', 'Order x of 12 is closed'],
  ['fmt.Errorf("reading %[1]q: order %+v is closed", a)', 'reading "x": order {1} is closed'],
  ['format!("order {order:?} is closed by {{{}}}", x)', 'order Some(1) is closed by {x}'],
  ['`Order ${orders.map((o) => { return o.id; })} is closed`', 'Order 1,2 is closed'],
  ['"Order \\(order.id(1)) is closed"', 'Order 12 is closed'],
  ['"Order $id is closed by ${user.name}"', 'Order 12 is closed by Ada'],
  ['"Order {$order->id} is closed by $user->name today"', 'Order 12 is closed by Ada today'],
  ['"Order #{order.id} is closed"', 'Order 12 is closed'],
  ["'Order ' . $order->id() . ' is closed'", 'Order 12 is closed'],
  ['"Order " .. id .. " is closed"', 'Order 12 is closed'],
  ['std::cerr << "Order " << order.id() << " is closed"', 'Order 12 is closed'],
  ['die("order %" PRIuMAX " is closed", id)', 'order 12 is closed'],
  ['throw new E("Order " + order.get(i, 2) + " is closed")', 'Order 12 is closed'],
  ['"closed": "Order {{id}} is closed"', 'Order 12 is closed'],
  ['closed: "Order %{id} is closed"', 'Order 12 is closed'],
  ["'closed' => 'The :attribute field is closed'", 'The order field is closed'],
  ['"closed": "{count, plural, one {# order} other {# orders}} closed for good"', '2 orders closed for good'],
  ['logger.error("Order {} is closed", id)', 'Order 12 is closed'],
  ['"Order is 100%% closed"', 'Order is 100% closed'],
  ["'Bestellung f\\u00fcr %s ist zu'", 'Bestellung für x ist zu'],
  ['raise E, %(order #{order.id(1)} is closed)', 'order 12 is closed'],
  ['"ERROR: order \\"$id\\" is closed"', 'order "12" is closed'],
  ['"""first line\n  second line"""', 'first line second line'],
])('%j makes %j', (code, message) => {
  expect(share(code, message)).toBeGreaterThan(0.5);
});

test.each([
  ['"Route not found"', 'Route GET:/x was not found'],
  ['`${a} ${b}`', 'anything at all'],
  ['""', 'x'],
  ['"found not"', 'not found'],
])('%j does not make %j', (code, message) => {
  expect(share(code, message)).toBe(0);
});

test('a template has its line range', () => {
  const [first, second] = parseTemplates('a\nb("one")\nc("two " +\n  x + " three")');
  expect(first).toEqual({ pieces: ['one'], from: 1, to: 1 });
  expect(second).toEqual({ pieces: ['two ', ' three'], from: 2, to: 3 });
});

test('hostile code takes linear time', () => {
  for (const part of [
    '"',
    "'",
    '`',
    '\\',
    '"\\',
    '{',
    '%',
    '${',
    "'''",
    '"""',
    '+ "a" ',
    '"{{',
    '"{a',
    '"$',
    '"\\(',
    '"%(',
    '" . $a',
    'qq{',
    'q(',
    ' %(',
    ' %{a{',
  ])
    expect(parseTemplates(part.repeat(5_000))).toBeInstanceOf(Array);
});
