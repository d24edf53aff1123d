import { isNonSource } from '#evolution/fixes.ts';
import type { CodeTable, RepositoryIndex } from '#memory/repository-index.ts';
import { wordTerms } from '#memory/tokens.ts';
import type { ToolContext } from '../../tools/tool.ts';
import { isCommonWord } from './common-words.ts';
import { spellsName } from './defined-names.ts';
import type { Entity, Mention } from './entities.ts';
import { linkFolders } from './link-folders.ts';
import { linkModules } from './link-modules.ts';
import { readManifestNames } from './manifests.ts';
import {
  findNamedPaths,
  findWrittenPaths,
  MAX_NAMED_SCORE,
  type NamedPathMatch,
  resolveWrittenPath,
} from './named-paths.ts';
import { findNamedSymbols } from './named-symbols.ts';
import { narrowByContainers } from './narrow-symbols.ts';
import { type NamedPath, nameTerms, pathNameTerms } from './path-table.ts';
import { CODE_NOUNS, FOLDER_NOUNS, hasNeighbor } from './question-words.ts';

/** Names in backticks or quotes. */
const QUOTED = /`([^`\n]{1,200})`|"([\w.:#$-]{2,80})"|“([\w.:#$-]{2,80})”|«\s?([\w.:#$-]{2,80})\s?»/g;
/** Identifiers that do not occur in prose: `snake_case`, `camelCase`, `Class.method`, `call()`. */
const NAME =
  /(?<![\w$.])[A-Za-z_$@][\w$]*(?:(?:\.|::|#|->|\/)[A-Za-z_$][\w$?!]*)+|(?<![\w$])\w*(?:[a-z\d][A-Z]|\w_|_\w)\w*(?![\w$])|(?<![\w$])[A-Za-z_$][\w$]*[?!]?(?=\(\)?)/g;
/** A word with a capital inside a sentence. */
const CAPITALIZED = /(?<=[\p{L}\p{N},'’)`] )\p{Lu}[\p{L}\p{N}]{2,}(?![\w]|(?:[./#]|::|->)\w)/gu;

/** Words of a German text, where all nouns are capitalized. */
const GERMAN =
  /\b(?:der|die|das|und|ist|wird|wurde|welche[nrsm]?|wie|wer|wo|hat|für|nicht|eine?[nrm]?|warum|wozu|bitte)\b/i;
const MIN_SCORE = 0.42;
const MAX_ALTERNATIVES = 5;
const MAX_PHRASES = 5;
/** Scores of names as written, of a capitalized word, and of a file among namesakes. */
const EXACT = 1;
const EXACT_OTHER_CASE = 0.9;
const CAPITALIZED_SCORE = 0.72;
const GERMAN_NOUN_SCORE = 0.5;
const NAMESAKE_SCORE = 0.82;
const PROJECT_NAME_FACTOR = 0.5;
/** Matches this close to the best of the same words are alternatives. */
const TIE = 0.05;

/** Links files, folders and definitions that exist: written out, by the parts of their names, and qualified. */
export async function linkCode(
  text: string,
  context: Pick<ToolContext, 'index' | 'sources'>,
): Promise<Mention[]> {
  const { index } = context;
  const { code } = index;
  if (!code) return [];
  const { projects } = await readManifestNames(context);
  const modules = linkModules(text, index);
  const isFree = (mention: Mention) => !modules.some((module) => overlaps(module, mention));
  const written = [...modules, ...linkWrittenPaths(text, index).filter(isFree)];
  const isNew = (mention: Mention) => !written.some((path) => overlaps(path, mention));
  const paths = [...written, ...linkFolders(text, index).filter(isNew)];
  const names = linkNames(text, code, projects)
    .map((mention) => lowerProjectName(text, mention, projects))
    .filter((mention) => mention.score >= MIN_SCORE && !paths.some((path) => contains(path, mention)));
  const phrases = [
    ...linkSymbolPhrases(text, code, projects),
    ...linkPathPhrases(await findNamedPaths(text, context)),
  ]
    .filter(({ score }) => score >= MIN_SCORE)
    .filter(
      (mention) =>
        ![...paths, ...names].some((other) => other.score >= mention.score && overlaps(other, mention)),
    )
    .sort((a, b) => b.score - a.score)
    .slice(0, 2 * MAX_PHRASES);
  const classes = [...names, ...phrases].map((mention) => toClass(mention, code));
  return narrowByContainers(text, [...paths, ...classes], code);
}

/** The class instead of its constructor of the same name. */
function toClass(mention: Mention, code: CodeTable): Mention {
  const { entity } = mention;
  const owner = entity.kind === 'symbol' ? /^(?:.*\.)?(\w+)(?=\.\1$)/.exec(entity.name)?.[0] : undefined;
  const passages = owner === undefined ? [] : code.passagesDefining(owner);
  if (owner === undefined || passages.length === 0) return mention;
  return { ...mention, entity: { kind: 'symbol', name: owner, passages } };
}

/** The name of the project mostly means the whole of it, not a file or class of that name. */
function lowerProjectName(text: string, mention: Mention, projects: ReadonlySet<string>): Mention {
  const written = text.slice(...mention.span).toLowerCase();
  const isNamed =
    hasNeighbor(text, mention.span, CODE_NOUNS) || hasNeighbor(text, mention.span, FOLDER_NOUNS);
  const isFolder = mention.entity.kind === 'folder' && mention.entity.path.toLowerCase().endsWith(written);
  if (isNamed || isFolder || !projects.has(written) || mention.score === EXACT) return mention;
  return { ...mention, score: mention.score * PROJECT_NAME_FACTOR };
}

function linkWrittenPaths(text: string, index: RepositoryIndex): Mention[] {
  return findWrittenPaths(text).flatMap((written): Mention[] => {
    const found = resolveWrittenPath(written, index).filter(({ isCurrent }) => isCurrent);
    const [first, ...others] = found.filter(({ isFolder }) => isFolder || !written.isFolder);
    if (!first) return [];
    const score = others.length === 0 || first.path === written.text ? EXACT : NAMESAKE_SCORE;
    const alternatives = others.slice(0, MAX_ALTERNATIVES).map((path) => pathEntity(path));
    return [{ entity: pathEntity(first, written.lines), span: written.span, score, alternatives }];
  });
}

function pathEntity({ path, isFolder }: NamedPath, lines: [number, number] | null = null): Entity {
  return isFolder ? { kind: 'folder', path } : { kind: 'file', path, lines };
}

function linkNames(text: string, code: CodeTable, projects: ReadonlySet<string>): Mention[] {
  const quoted = Array.from(text.matchAll(QUOTED), (match) => ({
    name: (match[1] ?? match[2] ?? match[3] ?? match[4])!,
    span: spanOf(match),
    score: EXACT,
  }));
  const written = Array.from(text.matchAll(NAME), (match) => ({
    name: match[0],
    span: spanOf(match),
    score: EXACT,
  }));
  const isGerman = GERMAN.test(text);
  const capitalized = Array.from(text.matchAll(CAPITALIZED), (match) => {
    const isCommon = isGerman && isCommonWord(wordTerms(match[0]), code);
    return { name: match[0], span: spanOf(match), score: isCommon ? GERMAN_NOUN_SCORE : CAPITALIZED_SCORE };
  });
  const mentions: Mention[] = [];
  for (const { name, span, score } of [...quoted, ...written, ...capitalized]) {
    const mention = linkName(name.replace(/\(.*$/, ''), span, score, { code, projects });
    if (mention && !mentions.some((other) => overlaps(other, mention))) mentions.push(mention);
  }
  return mentions;
}

/** Links a name as written; of a qualified one, the definition in that class, file or folder. */
function linkName(
  written: string,
  span: [number, number],
  score: number,
  { code, projects }: { code: CodeTable; projects: ReadonlySet<string> },
): Mention | null {
  const name = written.replaceAll(/::|#|->|\//g, '.').replace(/^[@$.]+|\.$/g, '');
  const full = findSymbol(name, code, score <= CAPITALIZED_SCORE);
  if (full) return { ...full, span, score: Math.min(score, full.score) };
  const parts = name.split('.');
  for (let from = 1; from < parts.length; from++) {
    const rest = findSymbol(parts.slice(from).join('.'), code, false);
    if (rest?.entity.kind !== 'symbol') continue;
    const isOfProject = projects.has(parts[from - 1]!.toLowerCase());
    const inside = passagesInside(rest.entity.passages, parts[from - 1]!, code);
    if (inside.length === 0 && !isOfProject) continue;
    const entity = inside.length === 0 ? rest.entity : symbolEntity(inside, rest.entity.name, code);
    return {
      entity,
      alternatives: inside.length === 0 ? rest.alternatives : [],
      span,
      score: Math.min(score, rest.score),
    };
  }
  return null;
}

/** Finds the definitions of a full or last name; those of other full names are alternatives. */
function findSymbol(
  name: string,
  code: CodeTable,
  sameCaseOnly: boolean,
): Pick<Mention, 'entity' | 'alternatives' | 'score'> | null {
  const found = code.passagesDefining(name);
  if (found.length === 0) return null;
  const same = found.filter((passage) => spellsName(code, passage, name));
  if (same.length === 0 && sameCaseOnly) return null;
  const passages = sourceFirst(same.length > 0 ? same : found, code, name);
  const score = same.length > 0 ? EXACT : EXACT_OTHER_CASE;
  return {
    entity: symbolEntity(passages, name, code),
    alternatives: alternativeSymbols(passages, name, code),
    score,
  };
}

/** Source code before tests, and a file with the name of the definition before other ones. */
function sourceFirst(passages: number[], code: CodeTable, name = ''): number[] {
  const pathOf = (passage: number) => code.filePath(code.passageFiles(passage)[0]!);
  const isOther = (passage: number) => Number(isNonSource(pathOf(passage)));
  const wanted = nameTerms(name.slice(name.lastIndexOf('.') + 1)).join(' ');
  const isElsewhere = (passage: number) => Number(pathNameTerms(pathOf(passage)).join(' ') !== wanted);
  return passages.toSorted((a, b) => isOther(a) - isOther(b) || isElsewhere(a) - isElsewhere(b) || a - b);
}

/** The definition of the first passage, with its full name where all passages share it. */
function symbolEntity(
  passages: number[],
  name: string,
  code: CodeTable,
): Extract<Entity, { kind: 'symbol' }> {
  const fulls = new Set(passages.map((passage) => fullName(passage, name, code)));
  return { kind: 'symbol', name: fulls.size === 1 ? [...fulls][0]! : name, passages };
}

function fullName(passage: number, name: string, code: CodeTable): string {
  const symbol = code.passageSymbol(passage);
  const last = name.slice(name.lastIndexOf('.') + 1);
  if (symbol === null || symbol === name) return name;
  if (symbol.toLowerCase().endsWith(`.${last.toLowerCase()}`) || symbol.toLowerCase() === last.toLowerCase())
    return symbol;
  const member = `${symbol}.${last}`;
  return code.passagesDefining(member).includes(passage) ? member : name;
}

/** Definitions of the same last name with another full name, such as methods of other classes. */
function alternativeSymbols(passages: number[], name: string, code: CodeTable): Entity[] {
  const groups = Map.groupBy(passages, (passage) => fullName(passage, name, code));
  if (groups.size < 2) return [];
  return [...groups]
    .slice(0, MAX_ALTERNATIVES)
    .map(([full, own]): Entity => ({ kind: 'symbol', name: full, passages: own }));
}

/** Passages of a class, file or folder with this name. */
function passagesInside(passages: number[], container: string, code: CodeTable): number[] {
  const wanted = container.toLowerCase();
  return passages.filter((passage) => {
    const symbols = (code.passageSymbol(passage) ?? '').toLowerCase().split('.');
    const segments = code.filePath(code.passageFiles(passage)[0]!).toLowerCase().split('/');
    const stem = segments.at(-1)!.replace(/\.\w+$/, '');
    return symbols.includes(wanted) || stem === wanted || segments.slice(0, -1).includes(wanted);
  });
}

function linkSymbolPhrases(text: string, code: CodeTable, projects: ReadonlySet<string>): Mention[] {
  const groups = groupMatches(findNamedSymbols(text, code, projects));
  return groups.slice(0, MAX_PHRASES).map(([first, ...others]): Mention => {
    const toEntity = ({ name }: { name: string }): Entity => ({
      kind: 'symbol',
      name,
      passages: sourceFirst(code.passagesDefining(name), code),
    });
    return { ...toMentionOf(first!), entity: toEntity(first!), alternatives: others.map(toEntity) };
  });
}

function linkPathPhrases(matches: NamedPathMatch[]): Mention[] {
  const current = matches.filter(({ isCurrent }) => isCurrent);
  return groupMatches(current)
    .slice(0, MAX_PHRASES)
    .map(([first, ...others]): Mention => {
      const alternatives = others.map((path) => pathEntity(path));
      return { ...toMentionOf(first!), entity: pathEntity(first!), alternatives };
    });
}

function toMentionOf({
  span,
  score,
}: {
  span: [number, number];
  score: number;
}): Pick<Mention, 'span' | 'score'> {
  return { span, score: Math.min(score, MAX_NAMED_SCORE) };
}

/** Groups matches, best first, by overlapping words; those about as good as the first of a group stay with it. */
function groupMatches<M extends { span: [number, number]; score: number }>(matches: M[]): M[][] {
  const groups: M[][] = [];
  for (const match of matches) {
    if (match.score < MIN_SCORE) break;
    const group = groups.find(([first]) => overlaps(first!, match));
    if (!group) groups.push([match]);
    else if (group.length <= MAX_ALTERNATIVES && match.score >= group[0]!.score - TIE) group.push(match);
  }
  return groups;
}

function spanOf(match: RegExpExecArray): [number, number] {
  return [match.index, match.index + match[0].length];
}

function overlaps(a: { span: [number, number] }, b: { span: [number, number] }): boolean {
  return a.span[0] < b.span[1] && b.span[0] < a.span[1];
}

function contains(outer: Mention, inner: Mention): boolean {
  return outer.span[0] <= inner.span[0] && inner.span[1] <= outer.span[1];
}
