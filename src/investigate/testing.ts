import { buildRepository, type TestRepository } from '#git/testing.ts';

/** A shop whose history holds what an investigation looks for, with the hashes of the commits that matter. */
export interface ShopHistory {
  repository: TestRepository;
  /** Guards against unknown discounts. */
  fix: string;
  /** Removes that guard. */
  culprit: string;
  /** A fix that was reverted by `revert`. */
  revertedFix: string;
  revert: string;
  /** A fix whose line was fixed again by `refix` a week later. */
  refixedFix: string;
  refix: string;
}

const MONEY = `export function format(cents) {
  return (cents / 100).toFixed(2);
}

export function parse(text) {
  return Math.round(Number(text) * 100);
}
`;

const REGION = `const RATES = { eu: 1.2, us: 1.07 };

export function taxRate(region, currency) {
  const rate = RATES[region];
  if (rate === undefined) {
    throw new Error(\`Unknown region \${region} for currency \${currency}, no tax rate is known\`);
  }
  return rate;
}
`;

const total = (lookup: string) => `import { format } from './money.js';

const DISCOUNTS = { spring: { percent: 10 }, staff: { percent: 40 } };

function sum(items) {
  let cents = 0;
  for (const item of items) cents += item.price * item.count;
  return cents;
}

export function applyDiscount(cents, code) {
${lookup}
  return Math.round(cents * (1 - discount.percent / 100));
}

export function printTotal(items, code) {
  return format(applyDiscount(sum(items), code));
}
`;

const PLAIN = '  const discount = DISCOUNTS[code];';
const GUARDED = `${PLAIN}\n  if (discount === undefined) return cents;`;
const BY_NAME = '  const discount = DISCOUNTS[code.toLowerCase()];';

/** The trace that the shop prints since the culprit. */
export const SHOP_TRACE = `TypeError: Cannot read properties of undefined (reading 'percent')
    at applyDiscount (/srv/app/src/checkout/total.js:13:48)
    at printTotal (/srv/app/src/checkout/total.js:17:17)
    at handle (/srv/app/src/server.js:9:20)
    at node:internal/process/task_queues:95:5`;

/** Builds the shop: a guarded lookup, a rename, the culprit, a reverted fix, a fix that was fixed again, and noise. */
export async function buildShop(): Promise<ShopHistory> {
  const shop = {} as ShopHistory;
  shop.repository = await buildRepository(async (repo) => {
    const on = (day: string, author: string, message: string) => ({
      date: `${day}T10:00:00Z`,
      author,
      message,
    });
    const change = (day: string, author: string, message: string, files: Record<string, string>) =>
      repo.commit({ ...on(day, author, message), files });
    await change('2023-01-05', 'Ada Lovelace', 'Print totals', {
      'src/money.js': MONEY,
      'src/checkout.js': total(PLAIN),
      'README.md': '# Shop\n',
    });
    await change('2023-02-01', 'Grace Hopper', 'Serve the shop over HTTP', {
      'src/server.js':
        "import { printTotal } from './checkout.js';\n\nexport function handle(request) {\n  const { items, code } = request.body;\n  return printTotal(items, code);\n}\n",
    });
    shop.fix = await change('2023-03-10', 'Ada Lovelace', 'Fix crash when a discount code is unknown', {
      'src/checkout.js': total(GUARDED),
    });
    await change('2023-04-01', 'Grace Hopper', 'Know the tax rates of regions', { 'src/region.js': REGION });
    shop.revertedFix = await change('2023-05-01', 'Alan Turing', 'Fix parsing of empty amounts', {
      'src/money.js': MONEY.replace('Number(text)', "Number(text || '0')"),
    });
    shop.revert = await repo.revert(shop.revertedFix, on('2023-05-11', 'Grace Hopper', ''));
    await repo.rename(
      'src/checkout.js',
      'src/checkout/total.js',
      on('2023-08-01', 'Grace Hopper', 'Move checkout'),
    );
    await change('2023-08-02', 'Grace Hopper', 'Describe the folders', {
      'README.md': '# Shop\n\nsrc/checkout\n',
    });
    shop.refixedFix = await change('2023-09-01', 'Alan Turing', 'Fix rounding of half cents in money', {
      'src/money.js': MONEY.replace('(cents / 100).toFixed(2)', '(Math.round(cents) / 100).toFixed(2)'),
    });
    shop.refix = await change('2023-09-08', 'Ada Lovelace', 'Fix negative amounts in money', {
      'src/money.js': MONEY.replace('(cents / 100).toFixed(2)', '(Math.trunc(cents + 0.5) / 100).toFixed(2)'),
    });
    shop.culprit = await change('2024-01-15', 'Alan Turing', 'Accept discount codes in any case', {
      'src/checkout/total.js': total(BY_NAME),
    });
    await change('2024-02-01', 'Grace Hopper', 'Log requests', { 'src/log.js': 'export const log = [];\n' });
  });
  return shop;
}
