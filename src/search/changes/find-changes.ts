import type { FileDiff, Hunk } from '#contract/projects.ts';
import { readDiffs } from '#evolution/read-diffs.ts';
import type { ChangeIndex } from '#memory/changes/change-index.ts';
import type { DiffSide } from '#memory/changes/hunk.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { terms } from '#memory/tokens.ts';
import { yieldIfDue } from '#scheduling/yield.ts';
import { parseQuery, type Query } from '../lexical/parse-query.ts';
import { rankCommits } from '../lexical/rank-documents.ts';
import { findExactChanges } from './find-exact-changes.ts';
import { excerptHunk } from './hunk-excerpt.ts';
import { type HunkHit, locateHunk, type RankedHunk, rankHunks } from './search-hunks.ts';

/** A change of one file in one commit, with its matching lines unless reading them timed out. */
export interface ChangeMatch {
  /** Number of the commit in the index. */
  commit: number;
  oldPath: string | null;
  newPath: string | null;
  hunk: Hunk | null;
}

export interface FindChangesOptions {
  /** Absolute path of the bare repository. */
  repo: string;
  index: RepositoryIndex;
  hunks: ChangeIndex;
  q: string;
  /** `exact` requires the literal text; `words` ranks by its words. */
  match: 'words' | 'exact';
  side?: DiffSide | undefined;
  limit: number;
  /** True to leave out `firstAdded` and `lastRemoved`, which take further reads. */
  isListOnly?: boolean;
  /** For a list of exact matches: commit time before which at most one change is listed. */
  newerThan?: number | undefined;
  /** False for the number of a commit that is left out. */
  acceptsCommit?: (commit: number) => boolean;
  /** False for a path that is left out. */
  acceptsPath?: (path: string) => boolean;
  signal?: AbortSignal | undefined;
}

export interface ChangeMatches {
  changes: ChangeMatch[];
  /** For an exact text: the oldest change that added it and the newest that removed it. */
  firstAdded: ChangeMatch | null;
  lastRemoved: ChangeMatch | null;
  /** True when the budget ran out before all candidates were checked. */
  isPartial: boolean;
}

/** Hunks ranked per requested change, before commit messages reorder them. */
const OVERSAMPLING = 8;
/** Weight of the best message relative to the best hunk. Set by hand. */
const MESSAGE_WEIGHT = 0.4;
const MAX_MESSAGES = 500;
/** Hunks of one commit that are looked at where paths are left out. */
const HUNKS_PER_RESTRICTED_COMMIT = 20;

/**
 * Finds changes in the whole history. Exact matches come newest first and are verified against the diffs; word matches
 * are ranked by BM25 of hunks and messages, one per commit. Throws `index_rebuilding` on damaged blocks.
 */
export async function findChanges(options: FindChangesOptions): Promise<ChangeMatches> {
  if (options.match === 'exact') return await findExactChanges(options);
  const { hits, words } = await rankChanges(options);
  return {
    changes: await loadHunks(
      options,
      hits.map(({ hit }) => hit),
      words,
    ),
    firstAdded: null,
    lastRemoved: null,
    isPartial: false,
  };
}

/** Best hunks of commits, one per commit, with scores that are comparable over projects, and the words that were searched. */
export async function rankChanges(
  options: FindChangesOptions,
): Promise<{ hits: { hit: HunkHit; score: number }[]; words: string }> {
  const { index, hunks, q, limit, acceptsCommit, acceptsPath } = options;
  const { text, side } = parseChangeQuestion(q);
  const query = parseQuery(text);
  const numbers = new Map<string, number>();
  const numberOf = (oid: string) => {
    const known = numbers.get(oid) ?? index.commits.find(oid);
    numbers.set(oid, known);
    return known;
  };
  const ranked = rankHunks(hunks, query.terms, {
    limit: limit * OVERSAMPLING,
    side: options.side ?? side,
    maxPerCommit: acceptsPath ? HUNKS_PER_RESTRICTED_COMMIT : 1,
    acceptsCommit: (oid) => {
      const commit = numberOf(oid);
      return commit >= 0 && (acceptsCommit?.(commit) ?? true);
    },
  });
  await yieldIfDue(options.signal);
  const scored = addMessageScores(index, query, ranked, numberOf);
  const seen = new Set<string>();
  const hits: { hit: HunkHit; score: number }[] = [];
  for (const { hunk, oid, score } of scored) {
    if (hits.length === limit) break;
    if (seen.has(oid)) continue;
    // Places are read for the best only: each takes longer than ranking a hundred.
    const hit = locateHunk(hunk);
    if (acceptsPath?.(hit.path) === false) continue;
    seen.add(oid);
    hits.push({ hit, score });
  }
  return { hits, words: text };
}

/** Adds the scores of the messages to those of the hunks, best first. */
function addMessageScores(
  index: RepositoryIndex,
  query: Query,
  ranked: RankedHunk[],
  numberOf: (oid: string) => number,
) {
  const messages = new Map(
    rankCommits(index, query, { limit: MAX_MESSAGES }).map(({ commit, score }) => [commit, score]),
  );
  const [bestHunk, bestMessage] = [ranked[0]?.score || 1, Math.max(0, ...messages.values()) || 1];
  return ranked
    .map((hunk) => {
      const oid = hunk.block.oid(hunk.block.commitOf(hunk.hunk));
      const message = (messages.get(numberOf(oid)) ?? 0) / bestMessage;
      return { hunk, oid, score: hunk.score + bestHunk * MESSAGE_WEIGHT * message };
    })
    .sort((a, b) => b.score - a.score);
}

/** Reads the matching lines of hunks from their diffs. */
export async function loadHunks(
  { repo, hunks, index, signal }: FindChangesOptions,
  hits: HunkHit[],
  text: string,
): Promise<ChangeMatch[]> {
  const paths = [...new Set(hits.flatMap(({ path, oldPath }) => [path, oldPath]))];
  const oids = [...new Set(hits.map(({ oid }) => oid))];
  const diffs = await readDiffs({ repo, hunks }, oids, { paths, signal });
  const queryTerms = new Set(terms(text));
  const matches = (line: string) => terms(line).some((term) => queryTerms.has(term));
  return hits.map((hit) => {
    const file = diffs.get(hit.oid)?.find((file) => isFileOf(file, hit));
    return {
      commit: index.commits.find(hit.oid),
      oldPath: file ? file.old_path : hit.oldPath,
      newPath: file ? file.new_path : hit.path,
      hunk: file ? excerptHunk(file, hit, matches) : null,
    };
  });
}

/** True for the file of the hunk; a deleted file goes by its old path. */
function isFileOf(file: FileDiff, { path }: { path: string }): boolean {
  return (file.new_path ?? file.old_path) === path;
}

const QUESTION = /^\s*(?:when|which|what|who|why|where|how)\b/i;
const REMOVED =
  /\b(?:remov(?:e|es|ed|ing)|delet(?:e|es|ed|ing)|dropp?(?:s|ed|ing)?|disappear(?:s|ed)?|gone|went away)\b/i;
const ADDED = /\b(?:add(?:s|ed|ing)?|introduc(?:e|es|ed|ing)|appear(?:s|ed)?|came in|creat(?:e|es|ed))\b/i;
const QUESTION_WORDS =
  /\b(?:when|which|what|who|why|where|how|did|was|were|has|is|the|a|an|this|that|line|lines|code|change|changes|changed|commit|commits|first)\b/gi;

/** Extracts side and text of a question: "Which change removed the retry" searches removed lines for "retry". */
export function parseChangeQuestion(q: string): { text: string; side?: DiffSide } {
  if (!QUESTION.test(q)) return { text: q };
  const side = REMOVED.test(q) ? 'removed' : ADDED.test(q) ? 'added' : undefined;
  const text = q.replace(side === 'removed' ? REMOVED : ADDED, ' ').replace(QUESTION_WORDS, ' ');
  return /\w/.test(text) ? { text, ...(side && { side }) } : { text: q };
}
