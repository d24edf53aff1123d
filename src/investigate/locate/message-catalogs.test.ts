import { expect, test } from 'vitest';
import { catalogKeys, isMessageCatalog, parseCatalogEntries } from './message-catalogs.ts';

test.each([
  [
    '{\n  "errors": {\n    "other": "x",\n    "closed": "Order {{id}} is closed"\n  }\n}',
    3,
    'errors.closed closed',
  ],
  [
    'en:\n  errors:\n    open: x\n  cart:\n    closed: Order %{id} is closed',
    4,
    'en.cart.closed cart.closed closed',
  ],
  ['cart.open=x\ncart.closed=Order {0} is closed', 1, 'cart.closed'],
  ['#: src/a.c:1\nmsgid "order closed"\nmsgstr "Bestellung zu"', 2, 'order closed'],
  ["return [\n    'closed' => 'The :attribute is closed',\n];", 1, 'closed'],
  ['- words\n- of a list', 1, ''],
])('%j: the message on row %i is looked up as %s', (text, row, keys) => {
  expect(catalogKeys(text.split('\n'), row)).toEqual(
    keys === 'order closed' ? [keys] : keys.split(' ').filter(Boolean),
  );
});

test('catalogs are recognized by path, code is not', () => {
  expect(['locales/de.json', 'config/en.yml', 'po/de.po', 'lang/en/cart.php'].every(isMessageCatalog)).toBe(
    true,
  );
  expect(['src/cart.ts', 'src/lang.php', 'README.md'].some(isMessageCatalog)).toBe(false);
});

test('parses unquoted entries; quoted ones are literals', () => {
  expect(
    parseCatalogEntries(['en:', '  closed: Order %{id} is closed', '  open: "x"', 'a = it is open']),
  ).toEqual([
    { pieces: ['Order ', ' is closed'], from: 1, to: 1 },
    { pieces: ['it is open'], from: 3, to: 3 },
  ]);
});
