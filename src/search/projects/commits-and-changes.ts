import { isoTime } from '#contract/iso-time.ts';
import type { SearchResult } from '#contract/search-results.ts';
import { terms } from '#memory/tokens.ts';
import { yieldIfDue } from '#scheduling/yield.ts';
import { type ChangeMatch, findChanges, loadHunks, rankChanges } from '../changes/find-changes.ts';
import { markOccurrences } from '../expressions/line-matcher.ts';
import { parseQuery } from '../lexical/parse-query.ts';
import { rankCommits } from '../lexical/rank-documents.ts';
import type { Candidates } from './candidates.ts';
import { createTermMarker, type MarkRange } from './marks.ts';
import { acceptsPath, commitFilter, type ProjectSearch, type SearchedProject } from './search-scope.ts';

/** Matches of one project that are counted. */
const SAMPLE_SIZE = 200;
/** Changes of all projects together that are counted: fewer, since each has to be located on disk. */
const CHANGE_SAMPLE_SIZE = 200;
const MIN_CHANGES_PER_PROJECT = 20;
const COMMIT_HASH = /^[0-9a-f]{7,64}$/i;
const MAX_SUBJECT = 500;
/** Commits that are tested between two looks at the clock. */
const STEP = 500;

interface CommitMatch {
  commit: number;
  score: number;
}

/** Commits by the words of their messages, by hash, or, without a text, the newest that pass the filters. */
export async function findCommits(project: SearchedProject, search: ProjectSearch): Promise<Candidates> {
  const wanted = Math.max(SAMPLE_SIZE, search.skip + search.limit);
  const { matches, complete } = await matchCommits(project, search, wanted);
  const { commits } = project.index;
  const mark = createMarker(search);
  return {
    found: matches.map(({ commit, score }) => ({
      score,
      facets: { project: project.id, author: commits.author(commit) },
      load: (): SearchResult => {
        const subject = commits.subject(commit).slice(0, MAX_SUBJECT);
        return {
          kind: 'commit',
          project_id: project.id,
          hash: commits.oid(commit),
          subject,
          marks: mark(subject),
          author: commits.author(commit),
          timestamp: isoTime(commits.committed(commit)),
        };
      },
    })),
    complete,
  };
}

function createMarker({ text, match }: ProjectSearch): (line: string) => MarkRange[] {
  return match === 'exact' ? (line) => markOccurrences(line, text) : createTermMarker(parseQuery(text));
}

async function matchCommits(
  project: SearchedProject,
  search: ProjectSearch,
  wanted: number,
): Promise<{ matches: CommitMatch[]; complete: boolean }> {
  const { index } = project;
  const { commits } = index;
  const accepts = commitFilter(project, search.filters) ?? (() => true);
  const { text, match, signal } = search;
  const byHash = COMMIT_HASH.test(text) ? commits.find(text.toLowerCase()) : -1;
  if (byHash >= 0 && accepts(byHash)) return { matches: [{ commit: byHash, score: 1e6 }], complete: true };
  if (text === '' || match === 'exact') {
    const candidates = text === '' ? allCommits(commits.count) : commitsWithTerms(project, text);
    const contains = (commit: number) => text === '' || commits.message(commit).includes(text);
    const matches: CommitMatch[] = [];
    for (const [i, commit] of candidates.entries()) {
      if (i % STEP === 0) await yieldIfDue(signal);
      if (matches.length === wanted) return { matches, complete: false };
      // Scores are commit times, so that the newest of all projects come first.
      if (accepts(commit) && contains(commit))
        matches.push({ commit, score: commits.committed(commit) || 0 });
    }
    return { matches, complete: true };
  }
  const query = parseQuery(text);
  for (let limit = wanted; ; limit *= 8) {
    const ranked = rankCommits(index, query, { limit });
    const matches = ranked.filter(({ commit }) => accepts(commit)).map((one) => ({ ...one }));
    const complete = ranked.length < limit;
    if (complete || matches.length >= wanted) return { matches, complete };
    await yieldIfDue(signal);
  }
}

const allCommits = (count: number) => Array.from({ length: count }, (_, commit) => commit);

/** Commits whose message has every term of a text, newest first. */
function commitsWithTerms({ index: { commits } }: SearchedProject, text: string): number[] {
  const lists = [...new Set(terms(text))].map(
    (term) => commits.messages.postings(term)?.docs ?? new Uint32Array(),
  );
  const [shortest, ...others] = lists.toSorted((a, b) => a.length - b.length);
  if (!shortest) return [];
  const sets = others.map((docs) => new Set(docs));
  return Array.from(shortest).filter((commit) => sets.every((docs) => docs.has(commit)));
}

/**
 * Changes of files by their added and removed lines. Empty before the changes are indexed. Exact matches that are older than
 * `newerThan` are left out, except for one.
 */
export async function findChangesOfProject(
  project: SearchedProject,
  search: ProjectSearch,
  { projectCount, newerThan }: { projectCount: number; newerThan?: number | undefined },
): Promise<Candidates> {
  const { index, repo } = project;
  const hunks = project.openHunks();
  if (!hunks || search.text === '') return { found: [], complete: true };
  const { filters, text, match, skip, limit, signal } = search;
  const accepts = commitFilter(project, filters);
  const sampleSize = Math.max(MIN_CHANGES_PER_PROJECT, Math.floor(CHANGE_SAMPLE_SIZE / projectCount));
  const isRestricted = filters.path.include.length + filters.path.exclude.length > 0;
  const options = {
    ...{ repo, index, hunks, q: text, signal },
    match: match === 'exact' ? match : ('words' as const),
    side: filters.side ?? undefined,
    // A search for the count alone has no page.
    limit: match === 'exact' ? Math.max(1, skip + limit) : Math.max(sampleSize, skip + limit),
    acceptsCommit: (commit: number) => commit >= 0 && (accepts === null || accepts(commit)),
    ...(isRestricted && { acceptsPath: (path: string) => acceptsPath(path, filters.path) }),
  };
  const facetsOf = (commit: number, path: string) => ({
    project: project.id,
    path,
    author: index.commits.author(commit),
  });
  if (match === 'exact') {
    const { changes, isPartial } = await findChanges({ ...options, isListOnly: true, newerThan });
    return {
      found: changes.map((change) => ({
        score: index.commits.committed(change.commit) || 0,
        facets: facetsOf(change.commit, change.newPath ?? change.oldPath ?? ''),
        load: () => presentChange(project, change),
      })),
      complete: !isPartial && changes.length < options.limit,
    };
  }
  const { hits, words } = await rankChanges(options);
  return {
    found: hits.map(({ hit, score }) => ({
      score,
      facets: facetsOf(index.commits.find(hit.oid), hit.path),
      load: async () => {
        const [change] = await loadHunks({ ...options, hunks: project.openHunks() ?? hunks }, [hit], words);
        return presentChange(project, change!);
      },
    })),
    complete: hits.length < options.limit,
  };
}

function presentChange(
  { id, index: { commits } }: SearchedProject,
  { commit, oldPath, newPath, hunk }: ChangeMatch,
): SearchResult {
  return {
    kind: 'change',
    project_id: id,
    hash: commits.oid(commit),
    message: commits.subject(commit).slice(0, MAX_SUBJECT),
    author: commits.author(commit),
    timestamp: isoTime(commits.committed(commit)),
    old_path: oldPath,
    new_path: newPath,
    hunk,
  };
}
