import { LRUCache } from 'lru-cache';
import { ACTIVITY_WEEKS, type ProjectOverview } from '#contract/project-overview.ts';
import { readAuthors } from '#evolution/authors.ts';
import { isFixCommit } from '#evolution/fixes.ts';
import { BULK_COMMIT_FILES } from '#evolution/hotspots.ts';
import { isSource, newestFixes } from '#investigate/backtest/select-fixes.ts';
import type { CodeTable, RepositoryIndex } from '#memory/repository-index.ts';
import { yieldIfDue } from '#scheduling/yield.ts';
import { recentCommits } from './commit-weeks.ts';

const MAX_LANGUAGES = 12;
const MAX_HOTSPOTS = 8;
const MAX_PEOPLE = 8;

interface Person {
  name: string;
  commits: number;
  last: number;
}

interface OverviewSource {
  repo: string;
  index: RepositoryIndex;
}

/** Parts of an overview that an index and the day determine. */
type IndexOverview = Omit<ProjectOverview, 'code_age'>;

/** Overviews by generation and day. */
const cache = new LRUCache<string, Promise<IndexOverview>>({ max: 200 });

/** Languages, hotspots, activity and people of an index, cached for a day. */
export async function describeProject(source: OverviewSource, now: Date): Promise<IndexOverview> {
  const key = `${source.index.generation} ${now.toISOString().slice(0, 10)}`;
  const overview = cache.get(key) ?? computeOverview(source, now);
  cache.set(key, overview);
  overview.catch(() => cache.delete(key));
  return await overview;
}

/** One pass over the files, and one over the commits of the last year. */
async function computeOverview(source: OverviewSource, now: Date): Promise<IndexOverview> {
  const { index } = source;
  const { commits, code } = index;
  const { names, authorOf } = await readAuthors(source);
  const weeks = new Array<number>(ACTIVITY_WEEKS).fill(0);
  const people = new Map<number, Person>();
  const touched = new Map<number, number[]>();
  for await (const { commit, weeksAgo } of recentCommits(commits, now)) {
    weeks[ACTIVITY_WEEKS - 1 - weeksAgo]!++;
    const author = authorOf[commit]!;
    countPerson(people, author, { name: names[author]!, last: commits.time(commit) });
    const paths = commits.paths(commit);
    if (paths.length > BULK_COMMIT_FILES) continue;
    for (const path of paths) {
      const numbers = touched.get(path);
      if (numbers) numbers.push(commit);
      else touched.set(path, [commit]);
    }
  }
  return {
    languages: code ? await countLanguages(code) : [],
    hotspots: listHotspots(index, touched),
    weeks,
    people: [...people.values()]
      .sort((a, b) => b.commits - a.commits || b.last - a.last)
      .slice(0, MAX_PEOPLE)
      .map(({ last, ...person }) => ({ ...person, last_active: toIso(last) })),
    people_count: people.size,
    has_replay: code !== null && newestFixes(commits, 1).length > 0,
  };
}

function countPerson(people: Map<number, Person>, author: number, { name, last }: Omit<Person, 'commits'>) {
  const person = people.get(author);
  if (person === undefined) people.set(author, { name, commits: 1, last });
  else {
    person.commits++;
    person.last = Math.max(person.last, last);
  }
}

/** Files of source code that changed most often, with their fixes. */
function listHotspots({ commits, code, ...index }: RepositoryIndex, touched: Map<number, number[]>) {
  return [...touched]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([path, numbers]) => ({ path: commits.path(path), numbers }))
    .filter(({ path }) => isSource(path) && (code === null || code.fileNumber(path) >= 0))
    .slice(0, MAX_HOTSPOTS)
    .map(({ path, numbers }) => ({
      path,
      commits: numbers.length,
      fixes: numbers.filter((commit) => isFixCommit({ commits, code, ...index }, commit)).length,
      last_changed: toIso(Math.max(...numbers.map((commit) => commits.time(commit)))),
    }));
}

/** Files and lines by language, most lines first. */
async function countLanguages(code: CodeTable): Promise<ProjectOverview['languages']> {
  const counts = new Map<string, { files: number; lines: number }>();
  for (let file = 0; file < code.fileCount; file++) {
    const name = code.fileLanguage(file) || 'text';
    const count = counts.get(name) ?? { files: 0, lines: 0 };
    count.files++;
    count.lines += code.fileLines(file);
    counts.set(name, count);
    if (file % 4096 === 0) await yieldIfDue();
  }
  return [...counts]
    .map(([name, count]) => ({ name, ...count }))
    .sort((a, b) => b.lines - a.lines)
    .slice(0, MAX_LANGUAGES);
}

function toIso(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}
