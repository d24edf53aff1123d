import type { Sentence } from '#contract/common.ts';
import type { FileDiff, Hunk } from '#contract/projects.ts';
import { isFixCommit } from '#evolution/fixes.ts';
import { HOLDS_AFTER_DAYS } from '#evolution/held.ts';
import type { Memory } from '#memory/memory.ts';
import type { Blamed } from './blame-places.ts';
import type { FormerNames } from './former-names.ts';
import { changedText, isFormatting } from './hunks.ts';
import type { Located, LocatedPlace } from './locate.ts';
import { type Age, age, say } from './sentences.ts';
import { type ErrorWords, type Likeness, likeness } from './words.ts';

/** A commit that could have caused the error. */
export interface RankedSuspect {
  commit: number;
  /** 0 to 1: its share of what a commit could reach. */
  score: number;
  path: string | null;
  hunk: Hunk | null;
  /** What blame says of it at a place. */
  blamed: Blamed | null;
  why: Sentence;
}

/** A commit that may be named, with what its message is worth: 0 to 1. */
export interface Candidate {
  commit: number;
  message: number;
}

const SHOWN_SUSPECTS = 5;
/** Set by hand after a prototype without blame that named the culprit first in 31 % of 194 cases. */
const WEIGHTS = { message: 1, hunk: 1, file: 0.5, recency: 0.35, blame: 1, function: 0.3 };
const MOST = Object.values(WEIGHTS).reduce((a, b) => a + b);
/** Recency halves with every year of age. */
const HALF_LIFE_S = 365.25 * 86_400;
/** Commits that can hardly be a cause: merges, pure renames, formatting; less so sweeping ones, and fixes that held. */
const UNLIKELY = 0.3;
const SWEEPING = 0.7;
const SWEEPING_FILES = 60;
const FIX = 0.7;
/** What a file began with is seldom what broke it. */
const BEGAN = 0.6;
/** New lines in a function break less than replaced or deleted ones. */
const ONLY_ADDS = 0.4;

interface SuspectInput {
  memory: Memory;
  candidates: Candidate[];
  /** Diffs of the candidates at the located files, by hash. */
  diffs: Map<string, FileDiff[]>;
  located: Located;
  names: FormerNames;
  blamed: Map<number, Blamed>;
  words: ErrorWords;
  /** Seconds since 1970. */
  now: number;
}

/** A candidate's best hunk: where it touches what the error is about. */
interface BestHunk extends Pick<Likeness, 'score' | 'words'> {
  path: string;
  hunk: Hunk;
  /** The place whose function the hunk changes. */
  place: LocatedPlace | null;
}

/**
 * Ranks commits that could have caused the error: likeness of message and hunk, the best located file touched
 * (squared), recency, blame of the places' lines, and whether the very function was changed; each from 0 to 1.
 */
export function rankSuspects(input: SuspectInput): RankedSuspect[] {
  const { memory, candidates, diffs, located } = input;
  const files = new Map(located.files.map(({ path, score }) => [path, score]));
  const scoreOf = (path: string) => files.get(input.names.current(path)) ?? 0;
  const hunks = candidates.map(({ commit }) =>
    bestHunk(diffs.get(memory.commits.oid(commit)) ?? [], {
      scoreOf,
      places: located.places,
      input,
      blamed: input.blamed.get(commit) ?? null,
    }),
  );
  const likest = Math.max(...hunks.map((hunk) => hunk?.score ?? 0), Number.MIN_VALUE);
  return candidates
    .map((candidate, index) => weigh(candidate, hunks[index] ?? null, likest, scoreOf, input))
    .sort((a, b) => b.score - a.score)
    .slice(0, SHOWN_SUSPECTS);
}

function weigh(
  { commit, message }: Candidate,
  best: BestHunk | null,
  likest: number,
  scoreOf: (path: string) => number,
  input: SuspectInput,
): RankedSuspect {
  const { memory, blamed, now } = input;
  const touched = touchedFile(memory, commit, scoreOf);
  const blame = blamed.get(commit) ?? null;
  const seconds = Math.max(0, now - memory.commits.time(commit));
  const score =
    WEIGHTS.message * message +
    (WEIGHTS.hunk * (best?.score ?? 0)) / likest +
    WEIGHTS.file * touched.score ** 2 +
    WEIGHTS.recency * (Number.isNaN(seconds) ? 0 : 2 ** (-seconds / HALF_LIFE_S)) +
    WEIGHTS.blame * (blame?.weight ?? 0) +
    WEIGHTS.function * (best?.place ? best.place.score * (replaces(best.hunk) ? 1 : ONLY_ADDS) : 0);
  return {
    commit,
    score: (score / MOST) * doubt(input, commit, blame !== null) * (best && begins(best.hunk) ? BEGAN : 1),
    path: best?.path ?? touched.path,
    hunk: best?.hunk ?? null,
    blamed: blame,
    why: explain({
      blame,
      best,
      touched: touched.path,
      when: age(memory.commits.time(commit), now),
      message,
    }),
  };
}

function doubt({ memory, diffs, now }: SuspectInput, commit: number, blamed: boolean): number {
  const { commits } = memory;
  if (commits.parents(commit).length > 1) return UNLIKELY;
  if (/^[RC]+$/.test(commits.statuses(commit))) return UNLIKELY;
  const hunks = diffs.get(commits.oid(commit))?.flatMap((file) => file.hunks) ?? [];
  if (isFormatting(hunks)) return UNLIKELY;
  if (commits.paths(commit).length > SWEEPING_FILES) return SWEEPING;
  const stands = now - commits.time(commit) > HOLDS_AFTER_DAYS * 86_400;
  return !blamed && stands && isFixCommit(memory, commit) ? FIX : 1;
}

function begins(hunk: Hunk): boolean {
  return hunk.old_lines === 0 && hunk.new_start <= 1;
}

function replaces(hunk: Hunk): boolean {
  return hunk.lines.some((line) => line.kind === 'delete');
}

function touchedFile(memory: Memory, commit: number, scoreOf: (path: string) => number) {
  let best: { path: string | null; score: number } = { path: null, score: 0 };
  for (const number of memory.commits.paths(commit)) {
    const path = memory.commits.path(number);
    const score = scoreOf(path);
    if (score > best.score) best = { path, score };
  }
  return best;
}

interface HunkContext {
  scoreOf: (path: string) => number;
  places: LocatedPlace[];
  input: SuspectInput;
  blamed: Blamed | null;
}

/** The hunk that blame names, else the likest: in the function of a place, in a located file, in words. */
function bestHunk(diffs: FileDiff[], { scoreOf, places, input, blamed }: HunkContext): BestHunk | null {
  let best: BestHunk | null = null;
  for (const file of diffs) {
    const path = file.new_path ?? file.old_path;
    if (path === null) continue;
    for (const hunk of file.hunks) {
      const place =
        places.find((candidate) => changesFunction(hunk, input.names.current(path), candidate)) ?? null;
      const { score, words: shared } = likeness(input.words, changedText(hunk));
      // Likeness in a file that the error is hardly about counts half.
      const weighed = score * (0.5 + 0.5 * scoreOf(path)) * (place ? 1.25 : 1) * (begins(hunk) ? BEGAN : 1);
      const found = { path, hunk, place, score: weighed, words: shared };
      if (blamed && wrote(hunk, path, blamed.origin)) return found;
      if (!best || weighed > best.score) best = found;
    }
  }
  return best;
}

/** Whether a hunk holds a line of the commit's own version of the file. */
function wrote(hunk: Hunk, path: string, { path: own, line }: Blamed['origin']): boolean {
  return path === own && line >= hunk.new_start && line < hunk.new_start + hunk.new_lines;
}

/** Words before a name that is defined in this line, in any of the languages. */
const DEFINES =
  '(?:^|\\s)(?:def|function\\*?|func|fn|class|const|let|var|async|static|public|private|void|int)\\s.*';

/**
 * Whether a hunk changes the function of a place: git writes the function's line behind the second `@@`, unless that
 * line itself is changed. A hunk that only calls it is no change of it.
 */
function changesFunction(hunk: Hunk, path: string, place: LocatedPlace): boolean {
  if (path !== place.path || place.symbol === null) return false;
  const last = place.symbol.slice(place.symbol.lastIndexOf('.') + 1);
  const name = `(?<![\\w$])${last.replace(/[^\w]/g, '\\$&')}(?![\\w$])`;
  const defined = new RegExp(DEFINES + name);
  return (
    new RegExp(name).test(hunk.header) ||
    hunk.lines.some(({ text }) => text.includes(last) && defined.test(text))
  );
}

interface Reasons {
  blame: Blamed | null;
  best: BestHunk | null;
  touched: string | null;
  when: Age;
  message: number;
}

function explain({ blame, best, touched, when, message }: Reasons): Sentence {
  if (blame) {
    const { line, path } = blame;
    return say(blame.exact ? 'debug.why.suspect_line' : 'debug.why.suspect_near', { line, path, age: when });
  }
  if (best?.place?.symbol) {
    return say('debug.why.suspect_function', { symbol: best.place.symbol, path: best.path, age: when });
  }
  if (best && best.words.length > 0) {
    return say('debug.why.suspect_alike', { path: best.path, age: when, words: best.words });
  }
  if (touched && message < 0.5) return say('debug.why.suspect_file', { path: touched, age: when });
  return say('debug.why.suspect_message', { age: when });
}
