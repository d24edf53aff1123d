import { memoizeByIdentity } from '#memory/memoize-by-identity.ts';
import { cachedWordTerms } from '#search/lexical/word-terms.ts';
import type { ToolContext } from '../../tools/tool.ts';
import { isCommonWord } from './common-words.ts';
import { isDeveloperWord } from './developer-words.ts';
import type { Entity, Mention } from './entities.ts';
import { lastSegment, type ManifestNames, readManifestNames } from './manifests.ts';
import { matchName, type NameMatch } from './match-name.ts';
import { nameTerms } from './path-table.ts';
import { hasNeighbor, type QuestionWord, questionWords } from './question-words.ts';
import stopWords from './stop-words.json' with { type: 'json' };
import { isStopWord } from './topic-words.ts';

type Dependency = Extract<Entity, { kind: 'dependency' }>;

/** `goccy/go-yaml`, `@scope/name`, `com.google.guava:guava`, `crossbeam-deque`. */
const WORD = /@?[\p{L}\p{N}_][\p{L}\p{N}_.-]*(?:[/:][\p{L}\p{N}_.-]+)*/gu;
/** Words that announce a dependency, in four languages. */
const DEPENDENCY_NOUNS = new Set(stopWords.dependencyNouns.split(' '));
/** Beside such a word, as certain as a definition of that name. */
const NAMED_SCORE = 1;
const QUALIFIED_SCORE = 0.97;
const COMPOUND_SCORE = 0.93;
const PLAIN_SCORE = 0.8;
const PHRASE_SCORE = 0.82;
const MIN_PHRASE_SCORE = 0.65;
const COMMON_SCORE = 0.4;
const MAX_ALTERNATIVES = 4;
const COMMON_WORDS = new Set(
  `${stopWords.cues} ${stopWords.subjects} ${stopWords.generic} ${stopWords.codeNouns} ${stopWords.fileNouns}`.split(
    ' ',
  ),
);

/**
 * Links dependencies of the manifests by their whole name, or by its last part. Names of the project itself are none.
 */
export async function linkDependencies(
  text: string,
  context: Pick<ToolContext, 'index' | 'sources'>,
): Promise<Mention[]> {
  const manifests = await readManifestNames(context);
  const names = dependenciesOf(manifests);
  const written = Array.from(text.matchAll(WORD)).flatMap((match): Mention[] => {
    const word = match[0].replace(/[.-]+$/, '');
    const found = names.get(normalize(word)) ?? names.get(normalize(word.replace(/[’']s$/, '')));
    if (!found || isStopWord(word) || manifests.projects.has(word.toLowerCase())) return [];
    const [first, ...others] = found as [Dependency];
    const span = withQuotes(text, [match.index, match.index + word.length]);
    const isNamed = hasNeighbor(text, span, DEPENDENCY_NOUNS);
    const isCommon =
      isDeveloperWord(word.toLowerCase()) && isCommonWord(cachedWordTerms(word), context.index.code);
    const score = isNamed ? NAMED_SCORE : isCommon ? Math.min(COMMON_SCORE, scoreOf(word)) : scoreOf(word);
    return [{ entity: first, span, score, alternatives: others.slice(0, MAX_ALTERNATIVES) }];
  });
  const spans = written.map(({ span }) => span);
  const phrases = linkPhrases(text, manifests).filter(
    ({ span }) => !spans.some(([from, to]) => from < span[1] && span[0] < to),
  );
  return [...written, ...phrases];
}

/** The range with the quotation marks around it. */
function withQuotes(text: string, [from, to]: [number, number]): [number, number] {
  const isQuoted = /["'`“«„]/.test(text[from - 1] ?? '') && /["'`”»“]/.test(text[to] ?? '');
  return isQuoted ? [from - 1, to + 1] : [from, to];
}

/** Links dependencies whose names of several parts are written as words: `deprecation contracts`. */
function linkPhrases(text: string, { dependencies, projects }: ManifestNames): Mention[] {
  const words = questionWords(text, projects);
  return [...dependencies].flatMap(([name, manifests]): Mention[] => {
    if (projects.has(name.toLowerCase())) return [];
    const match =
      matchPhrase(words, nameTerms(lastSegment(name)), name) ?? matchPhrase(words, ownTerms(name), name);
    if (!match) return [];
    const entity: Dependency = { kind: 'dependency', name, manifests: [...manifests] };
    return [{ entity, span: match.span, score: Math.min(PHRASE_SCORE, match.score), alternatives: [] }];
  });
}

/** Match of all of at least two terms of a name. */
function matchPhrase(words: QuestionWord[], terms: string[], name: string): NameMatch | null {
  if (terms.length < 2) return null;
  const match = matchName(words, { name: terms, context: new Set(nameTerms(name)) }, () => 1);
  return match && match.terms >= terms.length && match.score >= MIN_PHRASE_SCORE ? match : null;
}

/** Terms of a name without its host and its language: `goccy` and `yaml` of `github.com/goccy/go-yaml`. */
function ownTerms(name: string): string[] {
  const path = name.replace(/^[\w-]+(?:\.[\w-]+)+\//, '');
  return nameTerms(path).filter(
    (term) => !/^(?:go|js|ts|py|python|rb|ruby|rs|rust|php|node|lib|v\d+)$/.test(term),
  );
}

function scoreOf(written: string): number {
  if (/[/:]/.test(written)) return QUALIFIED_SCORE;
  if (COMMON_WORDS.has(written.toLowerCase()) || written.length < 3) return COMMON_SCORE;
  return /[-_.]/.test(written) ? COMPOUND_SCORE : PLAIN_SCORE;
}

/** Dependencies by their normalized name and its ends: of `github.com/goccy/go-yaml`, also `goccy/go-yaml` and `go-yaml`. */
const dependenciesOf = memoizeByIdentity(({ dependencies }: ManifestNames): Map<string, Dependency[]> => {
  const found = new Map<string, Dependency[]>();
  const add = (key: string, dependency: Dependency) => {
    const known = found.get(key);
    if (!known) found.set(key, [dependency]);
    else if (!known.includes(dependency)) known.push(dependency);
  };
  for (const [name, manifests] of dependencies) {
    const dependency: Dependency = { kind: 'dependency', name, manifests: [...manifests] };
    const parts = name
      .replace(/^@/, '')
      .split(/[/:]/)
      .filter((part) => !/^v\d+$/.test(part));
    for (let from = 0; from < parts.length; from++) add(normalize(parts.slice(from).join('/')), dependency);
    add(normalize(name), dependency);
    add(normalize(lastSegment(name).replace(/\.git$/, '')), dependency);
  }
  return found;
});

/** Lower case, with one separator: package registries treat `-`, `_` and `.` alike. */
function normalize(name: string): string {
  return name
    .toLowerCase()
    .replace(/^@/, '')
    .replace(/:/g, '/')
    .replace(/[-_.]+/g, '-');
}
