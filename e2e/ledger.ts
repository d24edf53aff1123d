import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { git } from '#git/run.ts';
import { buildRepository, type TestRepository } from '#git/testing.ts';

/**
 * A small program with a realistic history: several authors, renames, a merge, a revert, a fault that was fixed
 * once (`FIX`) and came back by a clean-up (`REGRESSION`). `node src/cli.js data/gaps.csv` really raises it.
 */
export const FIX = 'Fix crash on lines without an amount';
export const REGRESSION = 'Simplify the parsing of amounts';

const CLI = `import { readFileSync } from 'node:fs';
import { formatTotals } from './format.js';
import { readEntries } from './csv.js';
import { totals } from './total.js';

const [file] = process.argv.slice(2);
if (file === undefined) {
  console.error('usage: ledger FILE');
  process.exit(2);
}
console.log(formatTotals(totals(readEntries(readFileSync(file, 'utf8')))));
`;

const CSV = `/** Splits a line into its fields. */
export function splitLine(line) {
  return line.split(';');
}

/** Reads the entries of a file: the first line names the fields. */
export function readEntries(text) {
  const [header, ...lines] = text.trimEnd().split('\\n');
  const names = splitLine(header);
  return lines.map((line) => {
    const fields = splitLine(line);
    return Object.fromEntries(names.map((name, index) => [name, fields[index]]));
  });
}
`;

const AMOUNT = `/** Reads an amount such as "12.50 EUR". */
export function parseAmount(text) {
  const [value, currency] = text.trim().split(' ');
  return { value: Number(value), currency: currency ?? 'EUR' };
}
`;

const AMOUNT_FIXED = `/** Reads an amount such as "12.50 EUR"; a line may end before its amount. */
export function parseAmount(text) {
  if (text === undefined) return { value: 0, currency: 'EUR' };
  const [value, currency] = text.trim().split(' ');
  return { value: Number(value), currency: currency ?? 'EUR' };
}
`;

const AMOUNT_BROKEN = `/** Reads an amount such as "12.50 EUR". */
export function parseAmount(text) {
  const [value, currency = 'EUR'] = text.trim().split(' ');
  return { value: Number(value), currency };
}
`;

const TOTAL = `import { parseAmount } from './amount.js';

/** Adds up all entries. */
export function totals(entries) {
  let sum = 0;
  for (const entry of entries) sum += parseAmount(entry.amount).value;
  return { EUR: sum };
}
`;

const TOTAL_BY_CURRENCY = `import { parseAmount } from './amount.js';

/** Adds up the entries of each currency. */
export function totals(entries) {
  const sums = {};
  for (const entry of entries) {
    const { value, currency } = parseAmount(entry.amount);
    sums[currency] = (sums[currency] ?? 0) + value;
  }
  return sums;
}
`;

const FORMAT = `/** One line a currency, numbers aligned. */
export function formatTotals(sums) {
  return Object.entries(sums)
    .map(([currency, sum]) => sum.toFixed(2).padStart(12) + ' ' + currency)
    .join('\\n');
}
`;

const README = '# Ledger\n\nAdds up the amounts in a file.\n';

const README_FORMAT = `${README}
## The file

The first line names the fields, separated by semicolons. \`amount\` is a number and a currency.
`;

/** Builds the repository; its folder can be served. */
export async function buildLedger(): Promise<TestRepository> {
  return await buildRepository(
    async (repo) => {
      await beginnings(repo);
      await currencies(repo);
      await faultAndFix(repo);
      await cleanUps(repo);
    },
    { name: 'ledger.git' },
  );
}

async function beginnings(repo: TestRepository): Promise<void> {
  await repo.commit({
    ...by('Ada Lovelace', '2023-01-10'),
    message: 'Start a ledger that reads entries from a file',
    files: {
      'package.json': '{ "name": "ledger", "type": "module", "private": true }\n',
      'README.md': README,
      'src/cli.js': CLI,
      'src/csv.js': CSV,
      'data/sample.csv': 'date;what;amount\n2023-01-02;Paper;12.50 EUR\n2023-01-03;Ink;8.20 EUR\n',
    },
  });
  await repo.commit({
    ...by('Ada Lovelace', '2023-01-18'),
    message: 'Add up amounts',
    files: { 'src/amount.js': AMOUNT, 'src/total.js': TOTAL },
  });
  await repo.commit({
    ...by('Bea Ortiz', '2023-02-02'),
    message: 'Print totals as a table\n\nNumbers are aligned, so that a column can be read at a glance.',
    files: { 'src/format.js': FORMAT },
  });
  const rounding = await repo.commit({
    ...by('Chris Weber', '2023-02-20'),
    message: 'Round half up',
    files: { 'src/format.js': FORMAT.replace('sum.toFixed(2)', '(Math.round(sum * 100) / 100).toFixed(2)') },
  });
  await repo.revert(rounding, by('Ada Lovelace', '2023-02-24'));
}

async function currencies(repo: TestRepository): Promise<void> {
  await repo.branch('currencies');
  await repo.commit({
    ...by('Bea Ortiz', '2023-03-01'),
    message: 'Keep currencies apart',
    files: { 'src/total.js': TOTAL_BY_CURRENCY },
  });
  await repo.switch('main');
  await repo.commit({
    ...by('Ada Lovelace', '2023-03-03'),
    message: 'Explain the file format',
    files: { 'README.md': README_FORMAT },
  });
  await repo.merge('currencies', {
    ...by('Ada Lovelace', '2023-03-05'),
    message: "Merge branch 'currencies'",
  });
}

async function faultAndFix(repo: TestRepository): Promise<void> {
  await repo.commit({
    ...by('Ada Lovelace', '2023-04-11'),
    message: `${FIX}\n\nCannot read properties of undefined (reading 'trim'): a line may end before its amount.\nIt counts as nothing.`,
    files: { 'src/amount.js': AMOUNT_FIXED },
  });
  await repo.rename('src/csv.js', 'src/read/csv.js', by('Chris Weber', '2023-06-01'));
  await repo.rename('src/amount.js', 'src/read/amount.js', by('Chris Weber', '2023-06-01'));
  await repo.commit({
    ...by('Chris Weber', '2023-06-02'),
    message: 'Import from the folder for reading',
    files: {
      'src/cli.js': CLI.replace('./csv.js', './read/csv.js'),
      'src/total.js': TOTAL_BY_CURRENCY.replace('./amount.js', './read/amount.js'),
    },
  });
  await repo.tag('v1.0');
}

async function cleanUps(repo: TestRepository): Promise<void> {
  await repo.commit({
    ...by('Bea Ortiz', '2023-09-12'),
    message: 'Add a file with gaps to try things on',
    files: { 'data/gaps.csv': 'date;what;amount\n2023-09-01;Stamps;4.00 EUR\n2023-09-02;Unpaid\n' },
  });
  await repo.commit({
    ...by('Chris Weber', '2024-02-14'),
    message: `${REGRESSION}\n\nA default in the pattern says the same in fewer lines.`,
    files: { 'src/read/amount.js': AMOUNT_BROKEN },
  });
  await repo.commit({
    ...by('Bea Ortiz', '2024-03-20'),
    message: 'Say how to run it',
    files: { 'README.md': `${README_FORMAT}\n## Run\n\n\`node src/cli.js FILE\`\n` },
  });
}

function by(author: string, day: string): { author: string; date: string } {
  return { author, date: `${day}T10:00:00Z` };
}

/** Runs the program on the file with gaps and returns what it says on its way down: a real error. */
export async function raiseError(repo: TestRepository): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'ledger-'));
  try {
    const archive = await git(repo.path, ['archive', '--format=tar', 'main'], { name: 'archive' });
    const tar = spawnSync('tar', ['-x', '-C', folder], { input: archive.stdout });
    if (tar.status !== 0) throw new Error(`tar: ${tar.stderr}`);
    const ran = spawnSync(process.execPath, ['src/cli.js', 'data/gaps.csv'], {
      cwd: folder,
      encoding: 'utf8',
    });
    if (ran.status === 0) throw new Error('the ledger was meant to fail');
    return ran.stderr;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
