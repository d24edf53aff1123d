import { LRUCache } from 'lru-cache';
import { memoizeByIdentity } from '#memory/memoize-by-identity.ts';
import type { ToolContext } from '../../tools/tool.ts';
import {
  type DefinitionKind,
  kindOfDefinition,
  owningClass,
  wantedKind,
} from '../understand/definition-kind.ts';
import type { Entity, Mention } from '../understand/entities.ts';
import { lastPart } from '../understand/name-patterns.ts';
import type { Reading } from '../understand/reading.ts';
import { findTopicPlaces, type TopicPlace } from '../understand/topic-places.ts';
import { isStopWord } from '../understand/topic-words.ts';
import { isTestPath, pathKind, TEST_WORDS } from './path-kinds.ts';
import { matchPaths } from './path-match.ts';
import { type Scope, scopeOf } from './scope.ts';

type Code = NonNullable<ToolContext['index']['code']>;
type Of<K extends Entity['kind']> = Extract<Entity, { kind: K }>;

/** Definition that a question is about. */
export interface SymbolSubject {
  name: string;
  passages: number[];
  /** Certainty that it is meant, 0 to 1. */
  score: number;
  /** True when the question writes the name as code does. */
  isExplicit: boolean;
  /** Likelihood compared with the other definitions that a question may be about; missing for explicit ones. */
  rank?: number;
}

/** Spelling that prose does not have: a path, a qualified name, snake or camel case, a call, a file with an extension. */
const CODE_SPELLING = /[/_$`]|::|->|#|\w\.\w|\w\(\)|[a-z\d][A-Z]|[A-Z]{2}[a-z]|\w[?!]$/;
/** Certainty from which a member is meant rather than its class. */
const SURE_MEMBER = 0.75;
/** Certainty of a name that is not spelled as code. */
const SURE = 0.9;

/** True for a text with a spelling that prose does not have. */
export function isSpelledAsCode(text: string): boolean {
  return CODE_SPELLING.test(text);
}

/** True for a mention that is spelled as code, or that is the last part of a name as a whole. */
export function isExplicit({ entity, span, score }: Mention, question: string): boolean {
  const text = question.slice(span[0], span[1]);
  if (isSpelledAsCode(text)) return true;
  if (entity.kind === 'symbol') return score >= SURE && lastPart(entity.name) === text;
  return (entity.kind === 'folder' || entity.kind === 'file') && score >= SURE && entity.path.endsWith(text);
}

/** A less certain name needs its own spelling, also in a file that the question names. */
const MIN_PLACED_SCORE = 0.65;
/** Weight of a name that only tests define, in a question that is not about tests. */
const TEST_FACTOR = 0.7;

const ALTERNATIVE_MALUS = 0.1;
/** Of a class whose member is named as well. */
const OWNER_MALUS = 0.3;

function isContainer(mention: Mention, mentions: readonly Mention[]): boolean {
  return mentions.some((other) => isMemberOf(other, mention));
}

/** True for a symbol that is likely meant as a member of the other one. */
function isMemberOf({ entity, score }: Mention, { entity: owner }: Mention): boolean {
  const isSymbol = entity.kind === 'symbol' && owner.kind === 'symbol';
  return isSymbol && score >= SURE_MEMBER && entity.name.startsWith(`${owner.name}.`);
}

/** True for a name that only tests define. */
export function isOnlyTested(passages: readonly number[], code: Code): boolean {
  return passages.every((passage) => pathKind(code.filePath(code.passageFiles(passage)[0]!)) === 'test');
}

/** Symbols that the question names, likeliest first: in the files that it names, longer names first. */
export function namedSymbols(reading: Reading, context: ToolContext): SymbolSubject[] {
  const { mentions, question } = reading;
  const { index } = context;
  const scope = scopeOf(mentions, question);
  const fit = pathFits(question, index.code!);
  const linked = mentions
    .flatMap((mention) =>
      [mention.entity, ...mention.alternatives].map((entity, i) => ({ mention, entity, i })),
    )
    .filter(
      (one): one is { mention: Mention; entity: Of<'symbol'>; i: number } => one.entity.kind === 'symbol',
    )
    .map(({ mention, entity, i }) => {
      const isOwner = i === 0 && isContainer(mention, mentions);
      const score = mention.score - (isOwner ? OWNER_MALUS : i > 0 ? ALTERNATIVE_MALUS : 0);
      const isMember = mentions.some((other) => isMemberOf(mention, other) && isExplicit(other, question));
      return { ...entity, score, isExplicit: isMember || isExplicit(mention, question) };
    });
  return [...linked, ...wordsAsNames(reading, index.code!)]
    .map(({ name, passages, score, isExplicit }) => {
      const inside = passagesInScope(passages, scope, index.code!);
      const isInside = inside.some((passage) => isInScope(passage, scope, index.code!));
      const fitting = isInside && isExplicit ? inside : fittingFirst(inside, fit, index.code!);
      // A name in the very file or folder that the question names leaves little doubt.
      const isPlaced = isInside && scope.paths.length > 0 && score >= MIN_PLACED_SCORE;
      const factor = !TEST_WORDS.test(question) && isOnlyTested(fitting, index.code!) ? TEST_FACTOR : 1;
      return {
        ...{ name, passages: fitting, isInside },
        score: score * (isExplicit ? 1 : factor),
        isExplicit: isExplicit || isPlaced,
      };
    })
    .toSorted(
      (a, b) =>
        Number(b.isExplicit) - Number(a.isExplicit) ||
        Number(b.isInside) - Number(a.isInside) ||
        b.score - a.score,
    )
    .map(({ isInside: _, ...symbol }) => symbol);
}

const CODE_NOUN =
  'functions?|func|fn|methods?|class(?:es)?|helpers?|structs?|traits?|interfaces?|modules?|constants?|fonction|méthode|classe|función|método|clase|funktion|methode|klasse';
const NAME_AFTER_NOUN = new RegExp(`(?<!\\w)(?:${CODE_NOUN})\\s+[\`'"]?([A-Za-z_]\\w*)`, 'gi');
const NAME_BEFORE_NOUN = new RegExp(`(?<!\\w)([A-Za-z_]\\w*)[\`'"]?\\s+(?:${CODE_NOUN})(?!\\w)`, 'gi');
/** Ruby methods that end with a mark; the last word of a question may look like one. */
const NAME_WITH_MARK = /(?<!\w)([a-z_]\w*[?!])/g;
const MAX_NAMESAKES = 60;

/** Plain words beside a noun for code that are names as they stand: `sort` of "the sort function". */
function wordsAsNames({ question, mentions }: Reading, code: Code): SymbolSubject[] {
  const files = new Set(
    mentions.flatMap(({ entity, score }) => (entity.kind === 'file' && score >= SURE ? [entity.path] : [])),
  );
  const isInFile = (passage: number) =>
    code.passageFiles(passage).some((file) => files.has(code.filePath(file)));
  const patterns = [NAME_AFTER_NOUN, NAME_BEFORE_NOUN, NAME_WITH_MARK];
  const words = patterns.flatMap((pattern) => Array.from(question.matchAll(pattern), (match) => match[1]!));
  return [...new Set(words)].flatMap((word) => {
    const all = code.passagesDefining(word).filter((passage) => isSpelledSo(passage, word, code));
    const inFile = all.filter(isInFile);
    // Words without meaning are names only in a file that the question names.
    const passages = inFile.length > 0 || isStopWord(word) ? inFile : all;
    return passages.length === 0 || passages.length > MAX_NAMESAKES
      ? []
      : [{ name: word, passages, score: 0.7, isExplicit: /[?!_]/.test(word) }];
  });
}

/** False for a definition whose own name differs in case; small members share the passage of their class. */
function isSpelledSo(passage: number, word: string, code: Code): boolean {
  const last = lastPart(code.passageSymbol(passage) ?? word);
  return last === word || last.toLowerCase() !== word.toLowerCase();
}

/** Fits of paths to the latest questions: several intents name the symbols of the same one. */
const recentFits = memoizeByIdentity((_code: Code) => new LRUCache<string, Map<string, number>>({ max: 8 }));

/** Share of a question's words in each path. */
function pathFits(question: string, code: Code): ReadonlyMap<string, number> {
  const known = recentFits(code).get(question);
  if (known) return known;
  const fits = new Map(matchPaths(question, code).map(({ path, coverage }) => [path, coverage]));
  recentFits(code).set(question, fits);
  return fits;
}

/** Passages whose paths fit the question best first, source code before tests; only those where some fit and others do not. */
function fittingFirst(passages: readonly number[], fits: ReadonlyMap<string, number>, code: Code): number[] {
  const scored = passages.map((passage) => {
    const path = code.filePath(code.passageFiles(passage)[0]!);
    return { passage, fit: (fits.get(path) ?? 0) - (pathKind(path) === 'source' ? 0 : 0.3) };
  });
  const best = Math.max(...scored.map(({ fit }) => fit));
  const kept = best > 0 ? scored.filter(({ fit }) => fit >= 0.8 * best) : scored;
  return kept.toSorted((a, b) => b.fit - a.fit || a.passage - b.passage).map(({ passage }) => passage);
}

/** Symbols that the question names without doubt. */
export function explicitSymbols(reading: Reading, context: ToolContext): SymbolSubject[] {
  return namedSymbols(reading, context).filter((symbol) => symbol.isExplicit && symbol.score >= 0.6);
}

/** Mentions of some kinds, likeliest first; with a question only those that it spells as code. */
export function bestOf<K extends Entity['kind']>(
  mentions: readonly Mention[],
  ...kinds: K[]
): { entity: Of<K>; score: number; mention: Mention }[] {
  return mentions
    .filter(({ entity }) => (kinds as Entity['kind'][]).includes(entity.kind))
    .map((mention) => ({ entity: mention.entity as Of<K>, score: mention.score, mention }))
    .toSorted((a, b) => b.score - a.score);
}

/** Files that the question names without doubt. */
export function explicitFiles({ mentions, question }: Reading): { entity: Of<'file'>; score: number }[] {
  return bestOf(mentions, 'file').filter(({ mention }) => isExplicit(mention, question));
}

/** Passages in the scope; all where none is. */
function passagesInScope(passages: readonly number[], scope: Scope, code: Code): number[] {
  const inside = passages.filter((passage) => isInScope(passage, scope, code));
  return inside.length > 0 ? inside : [...passages];
}

function isInScope(passage: number, scope: Scope, code: Code): boolean {
  return code.passageFiles(passage).some((file) => scope.has(code.filePath(file)));
}

const MAX_PLACES = 40;
/** Certainty of a place that fits the topic perfectly, compared with that of a name. */
const TOPIC_FACTOR = 0.9;
/** Weight of places in tests, in a question that is not about tests. */
const TEST_PLACE_FACTOR = 0.6;
/** Weight of places outside the files and folders that the question names. */
const OUTSIDE_FACTOR = 0.75;
/** Weight of a name guessed from plain words that does not fit the rest of the question. */
const GUESS_FACTOR = 0.6;
const SUPPORT = 0.15;
/** Weight of definitions of another kind than the one that the question asks for. */
const OTHER_KIND_FACTOR = 0.7;
/** Weight of a class by the name of a member. */
const OWNER_FACTOR = 0.5;

/** Definitions that a question may be about, best first: those that it names, and those whose words fit it. */
export function findSubjects(reading: Reading, context: ToolContext): SymbolSubject[] {
  const named = namedSymbols(reading, context);
  if (named[0]?.isExplicit && named[0].score >= SURE)
    return named.toSpliced(1, 0, ...findMeetings(reading, named, context));
  const kind = wantedKind(reading.question);
  const places = fittingPlaces(reading, kind, context);
  const best = places[0]?.score ?? 1;
  const fits = new Set(places.filter(({ score }) => score >= 0.6 * best).map(({ passage }) => passage));
  const byName = ofKind(named, kind, context.index.code!).map((subject) => {
    const isSupported = subject.passages.some(
      (passage) => fits.has(passage) || isInNamedFile(passage, reading, context),
    );
    const guess = isSupported ? subject.score + SUPPORT : GUESS_FACTOR * subject.score;
    return { subject, rank: subject.isExplicit ? 1 + subject.score : guess };
  });
  const byTopic = places.map(({ symbol, passage, score }) => ({
    subject: { name: symbol!, passages: [passage], score: TOPIC_FACTOR * score, isExplicit: false },
    rank: 0.5 * (score / best) + 0.4 * score,
  }));
  const all = [...byName, ...byTopic]
    .toSorted((a, b) => b.rank - a.rank)
    .map(({ subject, rank }) => ({ ...subject, rank }));
  return all.filter((one, i) => !all.slice(0, i).some((other) => isSame(other, one)));
}

/** Definitions that fit the words of the question, of the kind that it asks for. */
function fittingPlaces(
  { question, mentions }: Reading,
  kind: DefinitionKind | null,
  context: ToolContext,
): TopicPlace[] {
  const scope = scopeOf(mentions, question);
  const code = context.index.code!;
  const weightOf = ({ path, symbol }: TopicPlace) =>
    (scope.has(path) ? 1 : OUTSIDE_FACTOR) *
    (isTestPath(path) && !TEST_WORDS.test(question) ? TEST_PLACE_FACTOR : 1) *
    (kind === 'function' && kindOfDefinition(symbol!, code) !== kind ? OTHER_KIND_FACTOR : 1);
  return findTopicPlaces(question, context, { limit: MAX_PLACES, classes: kind === 'class' })
    .filter((place) => place.symbol !== null && isCode(place.path, context))
    .map((place) => ({ ...place, score: place.score * weightOf(place) }))
    .toSorted((a, b) => b.score - a.score);
}

/** Names of the kind that the question asks for: the class of a member, and other kinds with less certainty. */
function ofKind(named: readonly SymbolSubject[], kind: DefinitionKind | null, code: Code): SymbolSubject[] {
  return named.map((subject) => {
    if (kind === null || subject.isExplicit || kindOfDefinition(subject.name, code) === kind) return subject;
    const owner = kind === 'class' ? owningClass(subject.name, code) : null;
    const { score } = subject;
    return owner === null
      ? { ...subject, score: OTHER_KIND_FACTOR * score }
      : { ...subject, name: owner, passages: code.passagesDefining(owner), score: OWNER_FACTOR * score };
  });
}

const MAX_MEETING_PLACES = 12;
const MIN_MEETING_SCORE = 0.3;
const MEETING_SCORE = 0.85;

/** The best definition that uses all of several names of the question. */
function findMeetings(
  { question }: Reading,
  named: readonly SymbolSubject[],
  context: ToolContext,
): SymbolSubject[] {
  const names = [...new Set(named.filter(({ isExplicit }) => isExplicit).map(({ name }) => lastPart(name)))];
  if (names.length < 2) return [];
  const { code } = context.index;
  const own = new Set(named.flatMap(({ passages }) => passages));
  return findTopicPlaces(question, context, { limit: MAX_MEETING_PLACES })
    .filter(
      ({ score, passage, path }) =>
        score >= MIN_MEETING_SCORE && !own.has(passage) && pathKind(path) === 'source',
    )
    .filter(({ passage }) => {
      const text = code!.passageText(passage) ?? '';
      return names.every((name) => text.includes(name));
    })
    .slice(0, 1)
    .map(({ symbol, path, passage }) => {
      return { name: symbol ?? path, passages: [passage], score: MEETING_SCORE, isExplicit: false };
    });
}

/** True for a passage of a file that the question writes as a path. */
function isInNamedFile(passage: number, reading: Reading, { index }: ToolContext): boolean {
  const paths = index.code!.passageFiles(passage).map((file) => index.code!.filePath(file));
  return explicitFiles(reading).some(({ entity }) => paths.includes(entity.path));
}

function isSame(a: SymbolSubject, b: SymbolSubject): boolean {
  return lastPart(a.name) === lastPart(b.name) && a.passages.some((passage) => b.passages.includes(passage));
}

const NO_CODE = new Set(
  'markdown restructuredtext asciidoc text json yaml toml xml html ini css gettext tex'.split(' '),
);

function isCode(path: string, { index }: ToolContext): boolean {
  const file = index.code!.fileNumber(path);
  return pathKind(path) !== 'document' && file >= 0 && !NO_CODE.has(index.code!.fileLanguage(file));
}
