import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type GrepPattern, grep } from '#git/grep.ts';
import { buildRepository, type TestRepository } from '#git/testing.ts';
import { createDraft, writeSections } from '../../bytes/sections.ts';
import { readSharedSections } from '../../bytes/shared-sections.ts';
import type { RepositoryIndex, TrigramQuery } from '../../repository-index.ts';
import { indexRepository } from '../../testing.ts';
import { grepIndex } from '../grep-index.ts';
import { parseRegex } from './regex-parser.ts';
import { TrigramIndexBuilder } from './trigram-builder.ts';
import { literalQuery, regexQuery } from './trigram-query.ts';
import { openTrigramIndex, type TrigramIndex } from './trigram-reader.ts';

const folder = mkdtempSync(join(tmpdir(), 'hindsight-trigrams-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;

async function open(contents: (string | Buffer)[]): Promise<TrigramIndex> {
  const builder = new TrigramIndexBuilder();
  for (const content of contents) builder.addBlob(Buffer.from(content));
  const draft = createDraft();
  await builder.writeTo(draft);
  const path = join(folder, String(files++));
  writeSections(path, 'trigrams', draft);
  return openTrigramIndex(await readSharedSections(path, 'trigrams'));
}

const queryOf = (expression: string) => regexQuery(parseRegex(Buffer.from(expression).toString('latin1')));
const list = (found: Uint32Array | null) => found && [...found];

describe('texts', () => {
  test('only blobs with all trigrams of a text are candidates, case-insensitively', async () => {
    const trigrams = await open(['the strbuf here', 'STRBUF', 'stra\nrbuf', 'strbux', '']);
    expect(list(trigrams.candidates(literalQuery(['strbuf'])))).toEqual([0, 1]);
    expect(list(trigrams.candidates(literalQuery(['strbux', 'StrBuf'])))).toEqual([0, 1, 3]);
    expect(list(trigrams.candidates(literalQuery(['nowhere'])))).toEqual([]);
  });

  test('a text of fewer than three bytes matches all blobs', async () => {
    const trigrams = await open(['abc']);
    expect(trigrams.candidates(literalQuery(['ab']))).toBeNull();
    expect(trigrams.candidates(literalQuery(['abc', 'b']))).toBeNull();
    expect(list(trigrams.candidates(literalQuery(['é!'])))).toEqual([]);
  });

  test('a text across a line end is in no blob: lines are searched', async () => {
    expect(list((await open(['abc\ndef'])).candidates(literalQuery(['c\nd'])))).toEqual([]);
  });

  test('lists of many blobs are read back as written', async () => {
    const blob = fc
      .array(fc.constantFrom('abc', 'bcd', 'xyz', 'é'), { maxLength: 3 })
      .map((all) => all.join(' '));
    await fc.assert(
      fc.asyncProperty(fc.array(blob, { maxLength: 300 }), async (blobs) => {
        const found = (await open(blobs)).candidates(literalQuery(['bcd']));
        expect(list(found)).toEqual(blobs.flatMap((text, i) => (text.includes('bcd') ? [i] : [])));
      }),
      { numRuns: 30 },
    );
  });
});

describe('expressions', () => {
  test.each([
    ['strbuf_addf', ['and', 'str', 'trb', 'rbu', 'buf', 'uf_', 'f_a', '_ad', 'add', 'ddf']],
    ['abc|xyz', ['or', ['and', 'abc'], ['and', 'xyz']]],
    ['ab[cd]e', ['or', ['and', 'abc', 'bce'], ['and', 'abd', 'bde']]],
    ['foo.*bar', ['and', 'foo', 'bar']],
    ['(foo)+', ['and', 'foo']],
    ['ABC', ['and', 'abc']],
    ['a.c', 'any'],
    ['(abc)?', 'any'],
    ['abc|', 'any'],
    ['[[:alpha:]]+', 'any'],
    ['(', 'any'],
  ])('%s', (expression, expected) => {
    expect(plain(queryOf(expression))).toEqual(expected);
  });

  test('hostile expressions are parsed quickly', () => {
    for (const expression of [
      '('.repeat(5000),
      '(a|b|c|d|e|f|g|h)'.repeat(29),
      '[a-f]'.repeat(99),
      '(a+)+'.repeat(50),
    ]) {
      expect(JSON.stringify(queryOf(expression)).length).toBeLessThan(2_000_000);
    }
  });
});

function plain(query: TrigramQuery): unknown {
  if (query.kind === 'any') return 'any';
  if (query.kind === 'trigram') return query.trigram;
  const parts = query.parts.flatMap((part) => {
    const inner = plain(part);
    return query.kind === 'and' && Array.isArray(inner) && inner[0] === 'and' ? inner.slice(1) : [inner];
  });
  return [query.kind, ...new Set(parts)];
}

describe('git as the judge', () => {
  const WORDS = [
    'abc',
    'abd',
    'ABC',
    'xabcx',
    'foo bar',
    'foobar',
    'a.c',
    'éa',
    'cab',
    '',
    'aab',
    'bar(foo)',
  ];
  const contents = Array.from({ length: 60 }, (_, i) =>
    [1, 3, 7].map((step) => WORDS[(i * step + step) % WORDS.length]).join(i % 2 ? '\n' : ' '),
  );
  let repo: TestRepository;
  let head: string;
  let trigrams: TrigramIndex;
  beforeAll(async () => {
    repo = await buildRepository(async (building) => {
      const named = contents.map((content, i) => [`f${String(i).padStart(3, '0')}`, content]);
      head = await building.commit({ files: Object.fromEntries(named) });
    });
    trigrams = await open(contents);
  });
  afterAll(() => repo.remove());

  test('every file in which an expression matches is a candidate', async () => {
    const letter = fc.constantFrom(
      'a',
      'b',
      'c',
      'x',
      'f',
      'o',
      ' ',
      '.',
      '[ab]',
      '[^x]',
      '[[:alpha:]]',
      '\\.',
      'é',
      '\\b',
    );
    const expression = fc.letrec((tie) => ({
      whole: fc.oneof(
        { maxDepth: 3 },
        letter,
        fc.tuple(tie('whole'), tie('whole')).map((parts) => parts.join('')),
        fc.tuple(tie('whole'), tie('whole'), tie('whole')).map((parts) => parts.join('')),
        fc.tuple(tie('whole'), tie('whole')).map((parts) => `(${parts.join('|')})`),
        fc
          .tuple(tie('whole'), fc.constantFrom('*', '+', '?', '{1,2}', '{0,2}'))
          .map(([a, b]) => `(${a})${b}`),
      ),
    })).whole as fc.Arbitrary<string>;
    await fc.assert(
      fc.asyncProperty(expression, async (regex) => {
        const matches = await grep(repo.path, head, { regex }, { maxMatches: 1000, timeoutMs: 20_000 });
        const candidates = trigrams.candidates(queryOf(regex));
        if (candidates === null) return;
        const numbers = new Set(candidates);
        const missing = matches.filter(({ path }) => !numbers.has(Number(path.slice(1))));
        expect(missing).toEqual([]);
      }),
      { numRuns: 150 },
    );
  }, 120_000);
});

describe('a search over a memory', () => {
  let repo: TestRepository;
  let index: RepositoryIndex;
  beforeAll(async () => {
    repo = await buildRepository(async (building) => {
      await building.commit({
        files: {
          'a.ts': 'export function strbuf_addf() {}\n',
          'b.ts': 'call(strbuf_addf)\nSTRBUF_ADDF\n',
          'copy/b.ts': 'call(strbuf_addf)\nSTRBUF_ADDF\n',
          'c.ts': 'nothing here\n',
          'node_modules/x/index.js': 'strbuf_addf()\n',
          'odd [name]*.ts': 'strbuf_addf odd\n',
          'image.png': Buffer.from('strbuf_addf\0'),
          'latin.txt': Buffer.from([0xe9, 0x20, ...Buffer.from('strbuf_addf'), 10]),
        },
      });
    });
    index = await indexRepository(repo.path);
  });
  afterAll(() => repo.remove());

  const options = { maxMatches: 100, timeoutMs: 20_000 };
  test.each<GrepPattern>([
    { fixed: ['strbuf_addf'] },
    { fixed: ['nothing', 'call('] },
    { fixed: ['a\nb'] },
    { fixed: ['no such text'] },
    { fixed: [''] },
    { regex: 'strbuf_(add|sub)f' },
    { regex: 'STR[A-Z]+_' },
    { regex: 'call|nothing' },
    { regex: '^e' },
  ])('finds %j where git finds it', async (pattern) => {
    const expected = await grep(repo.path, index.revision, pattern, options);
    expect(await grepIndex(repo.path, index, pattern, options)).toEqual(expected);
  });

  test('only candidate files are searched', () => {
    const files = index.code!.candidateFiles(literalQuery(['strbuf_addf']))!;
    expect(files.map((file) => index.code!.filePath(file))).toEqual([
      'a.ts',
      'b.ts',
      'copy/b.ts',
      'latin.txt',
      'odd [name]*.ts',
    ]);
  });

  test('an invalid expression is rejected with a message', async () => {
    await expect(grepIndex(repo.path, index, { regex: '(abc' }, options)).rejects.toMatchObject({
      code: 'bad_request',
    });
  });
});
