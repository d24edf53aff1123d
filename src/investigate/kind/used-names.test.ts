import { expect, test } from 'vitest';
import { importsPackage, usedNames } from './used-names.ts';

test.each([
  ["if (cart.totals().net !== 7) throw new Error('the cart.tax is off')", ['totals', 'net']],
  ['assert Cart.from_rows(rows).net == 7', ['from_rows', 'net']],
  ['$cart = new Shop\\Cart(JSON.parse(text)); $cart->addRow($row);', ['Cart', 'addRow']],
  ['let cart = Cart::with_rows(rows);', ['with_rows']],
])('%s uses names', (line, names) => expect(usedNames([line])).toEqual(names));

const packages = new Map([
  ['cartkit', ['']],
  ['@shop/cart', ['']],
  ['example.com/shop/cart', ['']],
]);

test.each([
  ["const { Cart } = require('cartkit')", true],
  ["import { Cart } from '@shop/cart/lib/cart.js';", true],
  ['from cartkit.rows import Row', true],
  ['import cartkit', true],
  ['import (\n\t"example.com/shop/cart"\n)', true],
  ["import { Cart } from '@shop/carts';", false],
  ['from cartkits import Row', false],
])('%s imports the package: %s', (text, expected) => expect(importsPackage(text, packages)).toBe(expected));
