import type { RepositoryIndex } from '#memory/repository-index.ts';
import type { Mention } from './entities.ts';

/** Words for a commit, in four languages. */
const COMMIT = 'commit|revision|änderung|révision|revisión';
/** `the last commit`, `letzter Commit`, `le dernier commit`, `el último commit`, `el commit más reciente`. */
const NEWEST = pattern(
  'last|latest|newest|most recent|current|letzte[nrsm]?|neueste[nrsm]?|jüngste[nrsm]?|dernier|derni[eè]re|último|última',
  'm[aá]s reciente|le plus récent',
);
const OLDEST = pattern(
  'first|initial|very first|oldest|earliest|root|erste[nrsm]?|älteste[nrsm]?|premier|premi[eè]re|primer|primera',
  'inicial|initial',
);
const PREVIOUS = pattern(
  'previous|second to last|last but one|vorletzte[nrsm]?|vorige[nrsm]?|avant-dernier|précédent|penúltimo|anterior',
  'précédent|anterior',
);
/** A place, a person or a condition behind it asks for another commit than that of the whole history. */
const NARROWED =
  /^\s*(?:\S+\s){0,1}?(?:to|on|in|of|that|which|where|by|from|for|with|before|after|touching|about|de|del|en|por|que|sur|dans|par|qui|à|von|an|in|zu|am|der|die|das|mit)(?![\p{L}\p{N}])/iu;
/** Before it, the words name the end of a range. */
const END_OF_RANGE =
  /\b(?:since|until|till|between|and|seit|bis|depuis|jusqu'\S*|desde|hasta)\s+(?:\S+\s)?$/iu;
const SCORE = 0.95;

function pattern(before: string, after: string): RegExp {
  return new RegExp(
    `(?<![\\p{L}\\p{N}])(?:(?:${before})\\s+(?:${COMMIT})|(?:${COMMIT})\\s+(?:${after}))(?![\\p{L}\\p{N}])`,
    'giu',
  );
}

/** Links the newest, the previous and the first commit of the history by these words. */
export function linkPositions(text: string, { commits }: RepositoryIndex): Mention[] {
  const found: [RegExp, number][] = [
    [NEWEST, 0],
    [PREVIOUS, 1],
    [OLDEST, commits.count - 1],
  ];
  return found.flatMap(([words, commit]) =>
    Array.from(text.matchAll(words)).flatMap((match): Mention[] => {
      const end = match.index + match[0].length;
      const isOther = NARROWED.test(text.slice(end)) || END_OF_RANGE.test(text.slice(0, match.index));
      if (isOther || commit < 0 || commit >= commits.count) return [];
      return [
        { entity: { kind: 'commit', commit }, span: [match.index, end], score: SCORE, alternatives: [] },
      ];
    }),
  );
}
