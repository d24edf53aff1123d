import type { ToolContext } from '../../tools/tool.ts';
import type { Entity, Mention } from '../understand/entities.ts';
import type { Reading } from '../understand/reading.ts';
import { findTopicPlaces } from '../understand/topic-places.ts';
import { lastPart } from './definition-lines.ts';
import { pathKind } from './path-kinds.ts';
import { type Scope, scopeOf } from './scope.ts';

type Of<K extends Entity['kind']> = Extract<Entity, { kind: K }>;

/** Definition that a question is about. */
export interface SymbolSubject {
  name: string;
  passages: number[];
  /** Certainty that it is meant, 0 to 1. */
  score: number;
}

/** Symbols that the question names, likeliest first: in the files that it names, longer names first. */
export function namedSymbols({ mentions }: Reading, { index }: ToolContext): SymbolSubject[] {
  const scope = scopeOf(mentions);
  return mentions
    .flatMap((mention) =>
      [mention.entity, ...mention.alternatives].map((entity, i) => ({ mention, entity, i })),
    )
    .filter(
      (one): one is { mention: Mention; entity: Of<'symbol'>; i: number } => one.entity.kind === 'symbol',
    )
    .map(({ mention, entity, i }) => {
      const passages = passagesInScope(entity.passages, scope, index.code!);
      const isInside = passages.some((passage) => isInScope(passage, scope, index.code!));
      return { name: entity.name, passages, score: mention.score - (i > 0 ? 0.1 : 0), isInside };
    })
    .toSorted((a, b) => Number(b.isInside) - Number(a.isInside) || b.score - a.score)
    .map(({ name, passages, score }) => ({ name, passages, score }));
}

/** Mentions of some kinds, likeliest first. */
export function bestOf<K extends Entity['kind']>(
  mentions: readonly Mention[],
  ...kinds: K[]
): { entity: Of<K>; score: number }[] {
  return mentions
    .filter(({ entity }) => (kinds as Entity['kind'][]).includes(entity.kind))
    .map(({ entity, score }) => ({ entity: entity as Of<K>, score }))
    .toSorted((a, b) => b.score - a.score);
}

type Code = NonNullable<ToolContext['index']['code']>;

/** Passages in the scope; all where none is. */
function passagesInScope(passages: readonly number[], scope: Scope, code: Code): number[] {
  const inside = passages.filter((passage) => isInScope(passage, scope, code));
  return inside.length > 0 ? inside : [...passages];
}

function isInScope(passage: number, scope: Scope, code: Code): boolean {
  return code.passageFiles(passage).some((file) => scope.has(code.filePath(file)));
}

/** Certainty of a place that fits the topic perfectly, compared with that of a name. */
const TOPIC_FACTOR = 0.9;
const MAX_PLACES = 40;
/** Names with this certainty need no other candidates. */
const SURE = 0.9;

/** Definitions that a question may be about, best first: those that it names, and those whose words fit it. */
export function findSubjects(reading: Reading, context: ToolContext): SymbolSubject[] {
  const named = namedSymbols(reading, context);
  if ((named[0]?.score ?? 0) >= SURE) return named;
  const scope = scopeOf(reading.mentions);
  const places = findTopicPlaces(reading.question, context, { limit: MAX_PLACES })
    .filter((place) => place.symbol !== null && isCode(place.path, context))
    .map(({ symbol, passage, path, score }) => {
      const outside = scope.has(path) ? 1 : OUTSIDE_FACTOR;
      return { name: symbol!, passages: [passage], score: TOPIC_FACTOR * outside * score };
    });
  const all = [...named.map(lowerGuess), ...places].toSorted((a, b) => b.score - a.score);
  return all.filter(
    (one, i) =>
      !all
        .slice(0, i)
        .some(
          (other) =>
            lastPart(other.name) === lastPart(one.name) &&
            other.passages.some((passage) => one.passages.includes(passage)),
        ),
  );
}

/** Names below this certainty are guesses from plain words: a place that fits the whole question is likelier. */
const GUESS = 0.6;
const GUESS_FACTOR = 0.4;

function lowerGuess(subject: SymbolSubject): SymbolSubject {
  return subject.score < GUESS ? { ...subject, score: subject.score * GUESS_FACTOR } : subject;
}

/** Weight of places outside the files and folders that the question names. */
const OUTSIDE_FACTOR = 0.75;
const NO_CODE = new Set(
  'markdown restructuredtext asciidoc text json yaml toml xml html ini css gettext tex'.split(' '),
);

function isCode(path: string, { index }: ToolContext): boolean {
  const file = index.code!.fileNumber(path);
  return pathKind(path) !== 'document' && file >= 0 && !NO_CODE.has(index.code!.fileLanguage(file));
}
