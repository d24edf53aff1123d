import { expect, test } from 'vitest';
import { toCsv } from './csv.ts';

test('quotes what needs it, and disarms formulas', () => {
  const rows = [
    ['a,b.ts', 3, null],
    ['say "no"', 0.5, '=HYPERLINK("x")'],
    ['two\nlines', -1, '@me'],
  ];
  expect(toCsv(['File', 'Changes', 'Note'], rows)).toBe(
    'File,Changes,Note\r\n"a,b.ts",3,\r\n"say ""no""",0.5,"\'=HYPERLINK(""x"")"\r\n"two\nlines",-1,\'@me\r\n',
  );
});
