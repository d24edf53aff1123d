import type { Sentence } from '#contract/common.ts';
import type { Held } from '#contract/debug.ts';
import type { FileDiff, Hunk } from '#contract/projects.ts';
import { isBesideTheCode, isFixCommit } from '#evolution/fixes.ts';
import { judgeFixes } from '#evolution/held.ts';
import type { Memory } from '#memory/memory.ts';
import type { FormerNames } from './former-names.ts';
import { changedText } from './hunks.ts';
import type { Located } from './locate.ts';
import { age, say } from './sentences.ts';
import type { Candidate } from './suspects.ts';
import { type ErrorWords, enough, type Likeness, likeness } from './words.ts';

/** An earlier fix that looks like what this error needs. */
export interface Precedent {
  commit: number;
  /** 0 to 1. */
  similarity: number;
  held: Held;
  path: string | null;
  hunk: Hunk | null;
  why: Sentence;
}

const SHOWN_PRECEDENTS = 3;
/** Fixes below this share of what a fix could reach have little more than a common word. */
const LEAST_SIMILARITY = 0.3;
const WEIGHTS = { message: 0.5, hunk: 0.25, file: 0.25 };
/** A fix's test says less than what it mended. */
const BESIDE_THE_CODE = 0.3;

interface PrecedentInput {
  repo: string;
  memory: Memory;
  candidates: Candidate[];
  diffs: Map<string, FileDiff[]>;
  located: Located;
  names: FormerNames;
  words: ErrorWords;
  now: number;
  signal?: AbortSignal;
}

/** Ranks earlier fixes by likeness of message and hunk and by the files they changed, and judges whether they held. */
export async function findPrecedents(input: PrecedentInput): Promise<Precedent[]> {
  const { memory, words } = input;
  const fixes = input.candidates.filter(({ commit }) => isFixCommit(memory, commit));
  const hunks = fixes.map(({ commit }) =>
    likestHunk(input.diffs.get(memory.commits.oid(commit)) ?? [], words),
  );
  const likest = Math.max(...hunks.map((hunk) => hunk?.score ?? 0), Number.MIN_VALUE);
  const files = new Map(input.located.files.map(({ path, score }) => [path, score]));
  const ranked = fixes
    .map(({ commit, message }, index) => {
      const best = hunks[index] ?? null;
      const similarity =
        WEIGHTS.message * message +
        ((WEIGHTS.hunk * (best?.score ?? 0)) / likest) * enough(best?.mass ?? 0) +
        WEIGHTS.file * fileScore(memory, commit, (path) => files.get(input.names.current(path)) ?? 0);
      return { commit, similarity, best };
    })
    .filter(({ similarity }) => similarity >= LEAST_SIMILARITY)
    .sort((a, b) => b.similarity - a.similarity)
    .slice(0, SHOWN_PRECEDENTS);
  const held = await judgeFixes({ ...input, commits: ranked.map(({ commit }) => commit) });
  return ranked.map((fix, index) => present(fix, held[index]!, input));
}

function present(
  { commit, similarity, best }: { commit: number; similarity: number; best: LikestHunk | null },
  held: Held,
  { memory, words, now }: PrecedentInput,
): Precedent {
  const shared = likeness(words, memory.commits.message(commit)).words;
  const when = age(memory.commits.time(commit), now);
  const path = best?.path ?? firstPath(memory, commit);
  const known = shared.length > 0 ? shared : (best?.words ?? []);
  const why =
    known.length > 0 || path === null
      ? say('debug.why.precedent', { age: when, words: known })
      : say('debug.why.precedent_file', { path, age: when });
  return { commit, similarity, held, path, hunk: best?.hunk ?? null, why };
}

interface LikestHunk extends Likeness {
  path: string;
  hunk: Hunk;
}

function likestHunk(diffs: FileDiff[], words: ErrorWords): LikestHunk | null {
  let best: LikestHunk | null = null;
  for (const file of diffs) {
    const path = file.new_path ?? file.old_path;
    if (path === null) continue;
    for (const hunk of file.hunks) {
      const like = likeness(words, changedText(hunk));
      const score = like.score * (isBesideTheCode(path) ? BESIDE_THE_CODE : 1);
      if (!best || score > best.score) best = { ...like, score, path, hunk };
    }
  }
  return best;
}

function fileScore(memory: Memory, commit: number, scoreOf: (path: string) => number): number {
  const paths = Array.from(memory.commits.paths(commit), (path) => scoreOf(memory.commits.path(path)));
  return Math.max(0, ...paths);
}

function firstPath(memory: Memory, commit: number): string | null {
  const [path] = memory.commits.paths(commit);
  return path === undefined ? null : memory.commits.path(path);
}
