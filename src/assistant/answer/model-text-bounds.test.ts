import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildRepository, type TestRepository } from '#git/testing.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { indexRepository } from '#memory/testing.ts';
import { measureCpuMs } from '#scheduling/testing-cpu-time.ts';
import { redactSecrets } from '#secrets/redact-secrets.ts';
import { normalizePatch, parseReply } from '../debug/model-reply.ts';
import { citeLines, parseCitations } from './citations.ts';
import { escapeMarkdown, fencedBlock, inlineCode } from './markdown.ts';
import { checkModelText, MAX_MODEL_TEXT, streamCheckedLines, TRUNCATION_NOTICE } from './model-text.ts';
import { containsQuote } from './quotes.ts';

let repository: TestRepository;
let index: RepositoryIndex;
let cited: string;
const source = () => ({ repo: repository.path, index });

beforeAll(async () => {
  repository = await buildRepository(async (repo) => {
    const head = await repo.commit({ message: 'Begin', files: { 'a.js': 'one\ntwo\n' } });
    cited = citeLines({ path: 'a.js', from: 1, to: 2, commit: head }, { find: () => 0 });
  });
  index = await indexRepository(repository.path, 'main');
});
afterAll(() => repository.remove());

/** Well above linear time on a busy machine, well below quadratic time, which took 14 s for 32 KB. */
const MAX_MS = 2_000;
const LENGTH = 128 * 1024;

/** A repeated part, or a text with one long part. */
const FAMILIES: [string, string | ((n: number) => string)][] = [
  ['tabs', '\t'],
  ['blanks', ' '],
  ['backticks', '`'],
  ['runs of backticks, each of another length', (n) => runs(n)],
  ['lines with one backtick', 'a `b\n'],
  ['pipes', '|'],
  ['pipes with backticks', '|`'],
  ['rows of a table', '|---|\n'],
  ['a row of a table', '|-'],
  ['a row that is none at its end', (n) => `${'|-'.repeat(n / 2)}x`],
  ['quotations', '>'],
  ['nested lists', '- '],
  ['numbered lists', '1. '],
  ['brackets', '['],
  ['links', '[text](url'],
  ['tags', '<a'],
  ['code beside tags', '`a` <b '],
  ['backslashes', '\\'],
  ['escaped backticks', '\\`'],
  ['line feeds', '\n'],
  ['carriage returns', '\r'],
  ['fences', '```\n'],
  ['fences in quotations', '> ```\n'],
  ['a fence with blanks before more', (n) => `\`\`\`\na\n\`\`\`${' '.repeat(n)}x`],
  ['a word', 'a'],
  ['quotation marks', '"'],
  ['quoted words', '“abc” '],
  ['stars', '*'],
  ['a heading with stars', (n) => `abc${'*'.repeat(n)}x`],
  ['a heading with blanks', (n) => `# a${' '.repeat(n)}b`],
  ['patches without an end', 'x```diff\n'],
  ['private keys without an end', '-----BEGIN PRIVATE KEY-----'],
  ['names of secrets', 'password='],
  ['citations without a file', ' @ abcdef0'],
];
const CITING: [string, (n: number, cite: string) => string][] = [
  ['cited lines', (n, cite) => `${cite}\n`.repeat(n / cite.length)],
  ['citations in a line', (n, cite) => `${cite} `.repeat(n / cite.length)],
  ['quotes beside citations', (n, cite) => `“one” ${cite} `.repeat(n / cite.length)],
  ['code far before a citation', (n, cite) => `\`one\`${' '.repeat(n)}${cite}`],
  ['code far behind a citation', (n, cite) => `${cite}(${'\t'.repeat(n)}\`one\``],
  ['a block without an end below a citation', (n, cite) => `${cite}\n\`\`\`\n${'x\n'.repeat(n / 2)}`],
  ['blocks below citations', (n, cite) => `${cite}\n\`\`\`\none\n\`\`\`\n`.repeat(n / 60)],
];

function runs(n: number): string {
  return Array.from({ length: Math.sqrt(2 * n) }, (_, i) => '`'.repeat(i + 1)).join(' ');
}

async function* inPieces(text: string, size: number) {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
}

async function collect(pieces: AsyncIterable<string>): Promise<string> {
  let whole = '';
  for await (const piece of pieces) whole += piece;
  return whole;
}

const texts = [
  ...FAMILIES.map(([name, part]) => {
    const text = () => (typeof part === 'string' ? part.repeat(LENGTH / part.length) : part(LENGTH));
    return [name, text] as const;
  }),
  ...CITING.map(([name, write]) => [name, () => write(LENGTH, cited)] as const),
];

test.each(texts)('checking %s takes linear time', async (_, write) => {
  const text = write();
  expect(await measureCpuMs(() => checkModelText(text, source()))).toBeLessThan(MAX_MS);
  expect(await measureCpuMs(() => collect(streamCheckedLines(inPieces(text, 5), source())))).toBeLessThan(
    MAX_MS,
  );
  const readers = [redactSecrets, parseReply, normalizePatch, parseCitations, escapeMarkdown, inlineCode];
  for (const read of [...readers, (part: string) => fencedBlock('', part)]) {
    expect(await measureCpuMs(() => read(text)), read.name).toBeLessThan(MAX_MS);
  }
});

test('searching a long quote takes linear time in both lengths', async () => {
  const text = `${'a'.repeat(16_000)}b${'a'.repeat(16_000)}`;
  const whole = 'a'.repeat(256 * 1024);
  expect(await measureCpuMs(() => containsQuote({ kind: 'block', text }, whole))).toBeLessThan(500);
  expect(containsQuote({ kind: 'block', text }, `${whole}b${whole}`)).toBe(true);
  expect(containsQuote({ kind: 'block', text }, `${whole}c${whole}`)).toBe(false);
});

test('a model is stopped at 31 KB, with a truncation notice', async () => {
  let asked = 0;
  let ended = false;
  async function* endless() {
    try {
      while (true) {
        asked += 1;
        yield 'One more line of words.\n';
      }
    } finally {
      ended = true;
    }
  }
  const shown = await collect(streamCheckedLines(endless(), source()));
  expect(shown.endsWith(`\n\n${TRUNCATION_NOTICE}`)).toBe(true);
  expect(shown.length).toBeLessThan(MAX_MODEL_TEXT + 100);
  expect(asked).toBeLessThan(MAX_MODEL_TEXT / 20);
  expect(ended).toBe(true);
});

test('an open fence of a truncated text is closed before the notice', async () => {
  const shown = await collect(
    streamCheckedLines(inPieces(`\`\`\`\`js\n${'x\n'.repeat(MAX_MODEL_TEXT)}`, 64), source()),
  );
  expect(shown.endsWith(`\n\`\`\`\`\n\n${TRUNCATION_NOTICE}`)).toBe(true);
});

test('checking a text yields to the event loop', async () => {
  let longest = 0;
  let last = process.threadCpuUsage();
  const timer = setInterval(() => {
    longest = Math.max(longest, process.threadCpuUsage(last).user / 1000);
    last = process.threadCpuUsage();
  }, 1);
  await checkModelText('a `b <c\n'.repeat(LENGTH / 8), source());
  clearInterval(timer);
  expect(longest).toBeLessThan(500);
});

test('citations beyond the lookup limit are struck out', async () => {
  const many = Array.from({ length: 500 }, (_, i) => `\`a.js:${i + 1} @ ${index.revision}\``);
  const checked = await checkModelText(many.join('\n'), source());
  expect(checked.split('\n').filter((line) => line.startsWith('~~'))).toHaveLength(498);
});

test('a carriage return ends a line of markdown, also at the end of a piece', async () => {
  const text = `no \`\r${cited.replace('`', '')} \`\r\nnext`;
  const whole = await checkModelText(text, source());
  expect(whole).toContain('no \\`\n');
  expect(await collect(streamCheckedLines(inPieces(text, 1), source()))).toBe(whole);
});

test('the header row of a table stays pending until its delimiter row', async () => {
  const text = `| \`a | b\` ${cited} |\n|---|---|\nrest\n`;
  expect(await collect(streamCheckedLines(inPieces(text, 1), source()))).toBe(
    await checkModelText(text, source()),
  );
});
