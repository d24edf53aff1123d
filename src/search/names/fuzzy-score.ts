import { foldCase } from './name-list.ts';

/** Part of a name list's bytes; `base` begins its last segment: the file in a path, the method in a symbol. */
export interface NameSpan {
  bytes: Uint8Array;
  from: number;
  base: number;
  to: number;
}

/** A word that is looked for: in lower case, and as it was typed. */
export interface NameTerm {
  folded: Uint8Array;
  typed: Uint8Array;
}

const WHOLE_BASE = 1_000;
const BASE_PREFIX = 800;
const PATH_END = 750;
const BASE_WORD = 600;
const BASE_PART = 400;
const PATH_WORD = 300;
const PATH_PART = 200;
const SCATTERED = 60;
const SCATTERED_IN_BASE = 100;
const CONSECUTIVE = 6;
const WORD_START = 12;
const CASE_BONUS = 5;
const LENGTH_PENALTY = 0.4;

/**
 * Score of a term in a name, whatever its case; 0 where its characters do not occur in their order. Whole segments come before
 * their beginnings, beginnings of words before other parts, and coherent parts before scattered characters; of equals, the one
 * in the case that was typed. `positions` receives the places of the characters, relative to the name.
 */
export function fuzzyScore(span: NameSpan, term: NameTerm, positions?: number[]): number {
  const coherent = scorePart(span, term, positions);
  const score = coherent > 0 ? coherent : scoreScattered(span, term.folded, positions);
  return score === 0 ? 0 : Math.max(1, score - (span.to - span.from) * LENGTH_PENALTY);
}

function scorePart(span: NameSpan, term: NameTerm, positions: number[] | undefined): number {
  const { from, to } = span;
  let best = 0;
  let bestAt = -1;
  for (let at = to - term.folded.length; at >= from; at--) {
    if (!matchesAt(span, term.folded, at)) continue;
    const score = scorePlace(span, term, at);
    if (score > best) [best, bestAt] = [score, at];
  }
  if (best > 0) positions?.push(...Array.from(term.folded, (_, i) => bestAt + i - from));
  return best;
}

function matchesAt({ bytes }: NameSpan, term: Uint8Array, at: number): boolean {
  for (let i = 0; i < term.length; i++) if (foldCase(bytes[at + i]!) !== term[i]) return false;
  return true;
}

function scorePlace(span: NameSpan, { typed }: NameTerm, at: number): number {
  const { bytes, base, to } = span;
  const end = at + typed.length;
  const caseBonus = typed.every((byte, i) => byte === bytes[at + i]) ? CASE_BONUS : 0;
  if (at < base) {
    if (end === to) return PATH_END + caseBonus;
    return (isWordStart(span, at) ? PATH_WORD : PATH_PART) + caseBonus;
  }
  if (at === base) return (end === to || bytes[end] === DOT ? WHOLE_BASE : BASE_PREFIX) + caseBonus;
  return (isWordStart(span, at) ? BASE_WORD : BASE_PART) + caseBonus;
}

/**
 * Matches backwards, so that the last segment takes as many characters as it can. Half of the characters have to begin a word
 * or follow one another: any long path contains the letters of a short word.
 */
function scoreScattered(span: NameSpan, term: Uint8Array, positions: number[] | undefined): number {
  const { bytes, from, base, to } = span;
  let at = to - 1;
  let score = 0;
  let coherent = 0;
  let previous = -2;
  const found: number[] = [];
  for (let i = term.length - 1; i >= 0; i--) {
    while (at >= from && foldCase(bytes[at]!) !== term[i]) at--;
    if (at < from) return 0;
    const isConsecutive = previous === at + 1;
    const isStart = isWordStart(span, at);
    score += (isConsecutive ? CONSECUTIVE : 0) + (isStart ? WORD_START : 0);
    coherent += Number(isConsecutive || isStart);
    previous = at;
    found.push(at - from);
    at--;
  }
  if (coherent * 2 < term.length) return 0;
  positions?.push(...found.reverse());
  return score + (previous >= base ? SCATTERED_IN_BASE : SCATTERED);
}

const DOT = 46;

/** True at the first character, after a separator, and at an upper-case letter after a lower-case one. */
function isWordStart({ bytes, from }: NameSpan, at: number): boolean {
  if (at === from) return true;
  const [before, here] = [bytes[at - 1]!, bytes[at]!];
  const isUpper = here >= 65 && here <= 90;
  return !isWordByte(before) || (isUpper && before >= 97 && before <= 122);
}

function isWordByte(byte: number): boolean {
  const folded = foldCase(byte);
  return (folded >= 97 && folded <= 122) || (byte >= 48 && byte <= 57) || byte >= 128;
}
