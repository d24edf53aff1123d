import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildRepository } from '../src/git/testing.ts';
import { openSourceReader } from '../src/investigate/locate/source-reader.ts';
import { rankFiles } from '../src/search/code/rank-files.ts';
import { rankFunctions } from '../src/search/code/rank-functions.ts';
import { parseQuery } from '../src/search/lexical/parse-query.ts';
import { rankCommits } from '../src/search/lexical/rank-documents.ts';
import { RIVALS, rankByBm25 } from './bm25.ts';
import { candidatesOf } from './candidates.ts';
import type { Instance } from './options.ts';
import { revisit } from './revisions.ts';

test('nothing after the base commit is found, although the superset contains it', async () => {
  const cache = await mkdtemp(join(tmpdir(), 'hindsight-bench-'));
  let [base, fix, later] = ['', '', ''];
  const repo = await buildRepository(async (repo) => {
    base = await repo.commit({
      message: 'Begin',
      files: { 'lib/door.js': 'export function open() {}\n', 'lib/wall.js': 'export const wall = 1;\n' },
    });
    fix = await repo.commit({
      message: 'Mend the zebra in lib/wall.js',
      files: { 'lib/wall.js': 'export function zebra() {}\n', 'lib/zebra.js': 'export const x = 1;\n' },
    });
    later = await repo.commit({ message: 'Zebra again', files: { 'lib/door.js': '// zebra\n' } });
  });
  const instance = (base_commit: string): Instance => ({
    instance_id: base_commit,
    repo: 'owner/name',
    language: 'js',
    base_commit,
    problem_statement: 'The zebra door fails',
    gold_files: ['lib/wall.js'],
  });
  const revisited = revisit({ instances: [base, later].map(instance), repository: () => repo.path }, cache);
  const seen = [];
  for await (const { instance, repo: path, index } of revisited) {
    const sources = openSourceReader(path, index);
    const query = parseQuery(instance.problem_statement);
    const candidates = candidatesOf(index, instance, false);
    const files = rankFiles(index, query, { candidates, limit: 10 });
    seen.push({
      commits: index.commits.count,
      containsFix: index.commits.find(fix) >= 0,
      messages: rankCommits(index, parseQuery('zebra'), { limit: 9 }).length,
      files: files.map(({ file }) => index.code!.filePath(file)).sort(),
      functions: (await rankFunctions(index, query, files, { limit: 9, lines: sources.lines })).map(
        ({ symbol }) => symbol,
      ),
      rival: rankByBm25(index.code!, 'zebra', candidates, RIVALS.BM25).length,
      zebras: index.code!.passagesDefining('zebra').length,
    });
    sources.close();
  }
  expect(seen[0]).toEqual({
    commits: 1,
    containsFix: false,
    messages: 0,
    files: ['lib/door.js', 'lib/wall.js'],
    functions: ['open'],
    rival: 2,
    zebras: 0,
  });
  expect(seen[1]).toMatchObject({ commits: 3, containsFix: true, messages: 2, rival: 3, zebras: 1 });
  expect(seen[1]!.files).toContain('lib/zebra.js');
  await repo.remove();
  await rm(cache, { recursive: true });
});
