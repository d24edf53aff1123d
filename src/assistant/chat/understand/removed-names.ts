import { isNonSource } from '#evolution/fixes.ts';
import { type ChangeIndex, openChangeIndexIfUsable } from '#memory/changes/change-index.ts';
import { termKey } from '#memory/changes/term-keys.ts';
import type { CodeTable } from '#memory/repository-index.ts';
import { terms } from '#memory/tokens.ts';
import { searchHistory } from '#search/changes/search-history.ts';
import type { ToolContext } from '../../tools/tool.ts';
import { spellsName } from './defined-names.ts';
import { isDeveloperWord } from './developer-words.ts';
import type { Mention } from './entities.ts';
import { questionWords } from './question-words.ts';
import { isSourceText } from './source-texts.ts';

/** Quoted text, flags, and identifiers that do not occur in prose. */
const CODE_LIKE =
  /`(?<quoted>[^`\n]{2,120})`|(?<![\w)\]`"'”»“-])(?<flag>--?[A-Za-z][\w-]{2,})|(?<![\w.])(?<name>[A-Za-z_$][\w$]*(?:(?:\.|::|#|->)[A-Za-z_$][\w$]*)+|\w*(?:[a-z\d][A-Z]|\w_|_\w)\w*|[a-z]\w+(?:-\w+)+)(?![\w])/g;
/** Between the parts of a qualified name. */
const SEPARATOR = /\.|::|#|->/;
const MAX_CANDIDATES = 4;
const SCORES = { quoted: 0.92, flag: 0.92, name: 0.85 };
/** In a question that does not ask for what was removed. */
const UNASKED_FACTOR = 0.75;
/** A name that the code still has somewhere, in a question about what was removed. */
const STILL_PRESENT_SCORE = 0.65;
const OTHER_CASE_SCORE = 0.95;
const PLAIN_WORD_SCORE = 0.5;
const MIN_PLAIN_LENGTH = 4;

interface Candidate {
  name: string;
  span: [number, number];
  score: number;
}

/**
 * Finds names of the question that the code does not have and that some change had. With `asksForRemoved` also plain words, and
 * names that the code has in another case or place.
 */
export async function findRemovedNames(
  text: string,
  context: ToolContext,
  asksForRemoved: boolean,
): Promise<Mention[]> {
  const { code } = context.index;
  const hunks = openChangeIndexIfUsable(context.hunks);
  if (!code || hunks === null) return [];
  const written = Array.from(text.matchAll(CODE_LIKE)).flatMap(
    (match) => scoreName(toCandidate(match), code, asksForRemoved) ?? [],
  );
  const plain = asksForRemoved ? findPlainWords(text, code) : [];
  const candidates = [...written, ...plain.filter((word) => !written.some((other) => contains(other, word)))];
  const mentions: Mention[] = [];
  for (const { name, span, score } of candidates.slice(0, MAX_CANDIDATES)) {
    if (!(await isInChanges(name, hunks, context))) continue;
    mentions.push({ entity: { kind: 'removed_name', name }, span, score, alternatives: [] });
  }
  return mentions;
}

function toCandidate(match: RegExpExecArray): Candidate {
  const { quoted, flag, name } = match.groups!;
  const kind = quoted !== undefined ? 'quoted' : flag !== undefined ? 'flag' : 'name';
  return {
    name: (quoted ?? flag ?? name)!.replace(/\(.*$/, ''),
    span: [match.index, match.index + match[0].length],
    score: SCORES[kind],
  };
}

/** Lowers the score of names that the code has in some way; null for those that it simply has. */
function scoreName(candidate: Candidate, code: CodeTable, asksForRemoved: boolean): Candidate | null {
  const last = candidate.name.split(SEPARATOR).at(-1)!;
  const defined = code.passagesDefining(last);
  if (defined.length === 0 && isAbsent(last, code))
    return asksForRemoved ? candidate : { ...candidate, score: candidate.score * UNASKED_FACTOR };
  if (!asksForRemoved) return null;
  if (defined.length === 0) return { ...candidate, score: STILL_PRESENT_SCORE };
  const isSpelled = defined.some((passage) => spellsName(code, passage, last));
  return isSpelled ? null : { ...candidate, score: OTHER_CASE_SCORE };
}

/** True when no source file has all terms of a name. */
function isAbsent(name: string, code: CodeTable): boolean {
  const [whole, ...others] = terms(name);
  if (whole === undefined) return false;
  // The first term of `fooBar` is the whole.
  const wanted = /[^\p{L}\p{N}_]/u.test(name) ? [whole, ...others] : [whole];
  const lists = wanted.map((term) => new Set(code.files.postings(term)?.docs));
  const [rarest, ...rest] = lists.sort((a, b) => a.size - b.size);
  return ![...rarest!].some(
    (file) => !isNonSource(code.filePath(file)) && rest.every((files) => files.has(file)),
  );
}

/** Words with meaning that no source file has. */
function findPlainWords(text: string, code: CodeTable): Candidate[] {
  return questionWords(text)
    .filter(({ topic, isOptional }) => {
      const { word, variants } = topic;
      return (
        !isOptional &&
        variants.every(({ strength }) => strength === 1 || strength < 0.8) &&
        /^[a-z]+$/.test(word)
      );
    })
    .map(({ topic, span }) => ({ name: topic.word, span, score: PLAIN_WORD_SCORE }))
    .filter(({ name }) => name.length >= MIN_PLAIN_LENGTH && !isDeveloperWord(name) && isAbsent(name, code));
}

async function isInChanges(
  name: string,
  { blocks }: ChangeIndex,
  { repo, index, hunks, signal }: ToolContext,
): Promise<boolean> {
  const last = name.split(SEPARATOR).at(-1)!;
  const keys = [...new Set(terms(last))].map(termKey);
  const isKnown = keys.length > 0 && keys.every((key) => blocks.some((block) => block.term(key) !== null));
  if (!isKnown || /^[a-z]+$/.test(name)) return isKnown;
  for (const q of new Set([name, last])) {
    const found = await searchHistory({
      directory: hunks!,
      repo,
      index,
      q,
      match: 'exact',
      acceptsPath: isSourceText,
      limit: 0,
      signal,
    });
    if (found.first_added !== null || found.last_removed !== null) return true;
  }
  return false;
}

function contains(outer: Candidate, inner: Candidate): boolean {
  return outer.span[0] <= inner.span[0] && inner.span[1] <= outer.span[1];
}
