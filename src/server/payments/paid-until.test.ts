import { expect, test } from 'vitest';
import { paidUntil } from './paid-until.ts';

const monthly = (day: string) => ({ period: 'monthly' as const, capturedAt: new Date(`${day}T10:00:00Z`) });
const yearly = (day: string) => ({ period: 'yearly' as const, capturedAt: new Date(`${day}T10:00:00Z`) });

test.each([
  ['nothing', [], null],
  ['a month', [monthly('2026-03-05')], '2026-04-05'],
  ['a month from the 31st', [monthly('2026-01-31')], '2026-02-28'],
  ['a year from a leap day', [yearly('2028-02-29')], '2029-02-28'],
  [
    'a second month in time is laid behind the first',
    [monthly('2026-03-05'), monthly('2026-03-20')],
    '2026-05-05',
  ],
  ['a second month after a pause begins anew', [monthly('2026-03-05'), monthly('2026-06-10')], '2026-07-10'],
  ['a year behind a month, told in any order', [yearly('2026-03-20'), monthly('2026-03-05')], '2027-04-05'],
] as const)('%s', (_name, payments, until) => {
  expect(
    paidUntil([...payments])
      ?.toISOString()
      .slice(0, 10) ?? null,
  ).toBe(until);
});
