import { firstLine } from '../src/contract/first-line.ts';
import { openBlobReader } from '../src/git/blobs.ts';
import type { RepositoryIndex } from '../src/memory/repository-index.ts';
import { searchCodeAndCommits, searchPassages } from '../src/search/code/search-code.ts';
import { parseQuery } from '../src/search/lexical/parse-query.ts';
import { rankPassages } from '../src/search/lexical/rank-documents.ts';
import { openFlexSearch } from './rivals/flexsearch.ts';
import { openFts5 } from './rivals/fts5.ts';
import { openLanceDb } from './rivals/lancedb.ts';
import { openMiniSearch } from './rivals/minisearch.ts';
import { openOrama } from './rivals/orama.ts';
import { BEST, type OpenRival, wordsOf } from './rivals/rival.ts';
import { ms, type Row, type Subject } from './speed-row.ts';
import { percentile, timeEach, timeOnce } from './speed-timing.ts';

const RIVALS: Record<string, OpenRival> = {
  FTS5: openFts5,
  FlexSearch: openFlexSearch,
  MiniSearch: openMiniSearch,
  Orama: openOrama,
  LanceDB: openLanceDb,
};
/** Some engines take minutes and gigabytes for more. */
const SHORT_PASSAGES = 20_000;

/** Half of the queries and all but a twentieth take at most so many milliseconds. */
interface Times {
  p50: number;
  p95: number;
}

/** Of so many long queries one is measured for each row; the others came before it, as in a server that is used. */
const LONG_SHARE = 6;

/**
 * Long queries in natural language: messages of commits, over all passages. Ours are measured once each, after other
 * queries, since what is kept of a query makes the same one cheap. The ratio is of processor time, which other programs
 * of the machine disturb least.
 */
export async function longRows(subject: Subject, index: RepositoryIndex): Promise<Row[]> {
  const { repo, name } = subject;
  const all = messages(index, subject.queries * LONG_SHARE, 40);
  const part = (remainder: number) => all.filter((_, i) => i % LONG_SHARE === remainder);
  const find = (q: string) => searchCodeAndCommits({ repo, index, q, limit: BEST });
  for (let earlier = 3; earlier < LONG_SHARE; earlier++) for (const q of part(earlier)) await find(q);
  const ours = await timeOnce(part(0), (q) => rankPassages(index, parseQuery(q), { limit: BEST }));
  const shown = await timeOnce(part(1), (q) => searchPassages(parseQuery(q), { repo, index, limit: BEST }));
  const whole = await timeOnce(part(2), find);
  const fts5 = await openFts5(await passageTexts(repo, index));
  const theirs = await timeOnce(part(0), fts5.search);
  fts5.close?.();
  const what = `ranked search, long queries, ${index.code!.passageCount} passages`;
  const p95Wall = (times: Once) => percentile(times.wall, 0.95);
  const medianCpu = (times: Once) => percentile(times.processor, 0.5);
  const ratio = medianCpu(ours) / medianCpu(theirs);
  const shared = { repository: name, rival: `FTS5 ${formatWallAndCpu(theirs)}` };
  return [
    { ...shared, what, ours: formatWallAndCpu(ours), ratio, goal: '≤ 1/50', met: ratio <= 1 / 50 },
    {
      ...shared,
      what: `${what}, with fields and snippets`,
      ours: formatWallAndCpu(shown),
      ratio: medianCpu(shown) / medianCpu(theirs),
      goal: 'p95 ≤ 5 ms',
      met: p95Wall(shown) <= 5,
    },
    {
      ...shared,
      what: `${what}, with fields and snippets, 95th percentiles`,
      ours: ms(p95Wall(shown)),
      rival: `FTS5 ${ms(p95Wall(theirs))}`,
      ratio: p95Wall(shown) / p95Wall(theirs),
      goal: '≤ 5/285: what the goal was beside FTS5 where it was set',
      met: p95Wall(shown) / p95Wall(theirs) <= 5 / 285,
    },
    {
      ...shared,
      what: `${what}, and ${index.commits.count} commits`,
      ours: formatWallAndCpu(whole),
      ratio: medianCpu(whole) / medianCpu(theirs),
      goal: '–',
      met: null,
    },
  ];
}

type Once = Awaited<ReturnType<typeof timeOnce>>;

const formatWallAndCpu = ({ wall, processor }: Once) =>
  [wall, processor]
    .map((times) => `${ms(percentile(times, 0.5))} / ${ms(percentile(times, 0.95))}`)
    .join(' (p50 / p95), processor ');

/** Queries of two or three words, beside every engine that is installed. */
export async function shortRows(subject: Subject, index: RepositoryIndex): Promise<Row[]> {
  const { name } = subject;
  const queries = messages(index, subject.queries, 3).map(shortenQuery);
  const ours = await measure(subject, queries, (text) =>
    rankPassages(index, parseQuery(text), { limit: BEST }),
  );
  const texts = (await passageTexts(subject.repo, index)).slice(0, SHORT_PASSAGES);
  const what = `ranked search, short queries, ${index.code!.passageCount} passages`;
  const rows: Row[] = [];
  for (const [rival, open] of Object.entries(RIVALS)) {
    const theirs = await measureRival(subject, open, texts, queries);
    if (theirs === null) {
      console.error(`${rival} is not installed: npm ci --prefix bench`);
      continue;
    }
    const [p50Ratio, p95Ratio] = [ours.p50 / theirs.p50, ours.p95 / theirs.p95];
    const isFts5 = rival === 'FTS5';
    rows.push({
      what: `${what} (rivals ${texts.length})`,
      repository: name,
      ours: formatTimes(ours),
      rival: `${rival} ${formatTimes(theirs)}`,
      ratio: p50Ratio,
      goal: isFts5 ? '≤ 1 of p50, ≤ 0.3 of p95' : '< 1 of p50 and of p95',
      met: isFts5 ? p50Ratio <= 1 && p95Ratio <= 0.3 : p50Ratio < 1 && p95Ratio < 1,
    });
  }
  return rows;
}

async function measureRival(subject: Subject, open: OpenRival, texts: string[], queries: string[]) {
  const rival = await open(texts).catch((error) => {
    if ((error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') return null;
    throw error;
  });
  if (rival === null) return null;
  const times = await measure(subject, queries, rival.search);
  await rival.close?.();
  return times;
}

async function measure(
  { rounds }: Subject,
  queries: string[],
  run: (query: string) => unknown,
): Promise<Times> {
  const times = await timeEach(queries, rounds, run);
  return { p50: percentile(times, 0.5), p95: percentile(times, 0.95) };
}

const formatTimes = ({ p50, p95 }: Times) => `${ms(p50)} / ${ms(p95)} (p50 / p95)`;

/** Messages of commits with so many words at least, from all over the history. */
export function messages({ commits }: RepositoryIndex, count: number, words: number): string[] {
  const all = Array.from({ length: commits.count }, (_, commit) => commit)
    .filter((commit) => commits.parents(commit).length === 1)
    .map((commit) => commits.message(commit).replace(/^[\w-]+-by: .*$/gm, ''))
    .filter((message) => wordsOf(message).length >= words);
  const step = Math.max(1, all.length / count);
  return Array.from({ length: Math.min(count, all.length) }, (_, i) => all[Math.floor(i * step)]!);
}

/** The three longest words of the first line, as people search. */
export function shortenQuery(message: string): string {
  const words = wordsOf(firstLine(message));
  return words
    .toSorted((a, b) => b.length - a.length)
    .slice(0, 3)
    .join(' ');
}

/** The text of every passage, as rivals index it. */
async function passageTexts(repo: string, { code }: RepositoryIndex): Promise<string[]> {
  const texts: string[] = [];
  const blobs = openBlobReader(repo);
  try {
    for (let file = 0; file < code!.fileCount; file++) {
      const { first, count } = code!.filePassages(file);
      if (count === 0 || texts[first] !== undefined) continue;
      const blob = await blobs.read(code!.fileBlob(file), 2 ** 24);
      const lines = blob && 'content' in blob ? blob.content.toString().split('\n') : [];
      for (let passage = first; passage < first + count; passage++) {
        const { start, end } = code!.passageLines(passage);
        texts[passage] = lines.slice(start - 1, end).join('\n');
      }
    }
  } finally {
    blobs.close();
  }
  return Array.from(texts, (text) => text ?? '');
}
