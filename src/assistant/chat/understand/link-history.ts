import { isNonSource } from '#evolution/fixes.ts';
import { memoizeByIdentity } from '#memory/memoize-by-identity.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import type { ToolContext } from '../../tools/tool.ts';
import type { Entity, Mention } from './entities.ts';
import { linkPositions } from './link-positions.ts';
import { linkSubjects } from './link-subjects.ts';
import { readManifestNames } from './manifests.ts';
import { findModuleNames, resolveModule } from './module-paths.ts';
import {
  findNamedPaths,
  findWrittenPaths,
  MAX_NAMED_SCORE,
  type NamedPathMatch,
  resolveWrittenPath,
} from './named-paths.ts';
import { pathTableOf } from './path-table.ts';
import { findRemovedNames } from './removed-names.ts';

const HASH = /(?<![\w.#/-])(?=[a-f]*\d)[0-9a-f]{7,64}(?![\w-])/g;
const ISSUE =
  /(?<![\w/])(?:(?:issues?|bugs?|tickets?|pr|pull requests?|pull|mr|merge requests?|incidencias?|problemas?|demandes?|fehler)(?: (?:number|num|no|nr|n|número|numéro|nummer|id)[.°º]?)?[ :]*#?|gh-|#)(\d{1,7})\b(?![.-]\d)/gi;
/** `LANG-1234`, as in the messages of projects with another tracker. */
const TRACKER_KEY = /(?<![\w/-])([A-Z][A-Z\d]{1,9})-(\d{1,6})(?![\w-])/g;
const ADVISORY = /\b(?:CVE-\d{4}-\d{4,7}|GHSA(?:-[0-9a-z]{4}){3})\b/gi;
/** Words for what no longer exists, in four languages. */
const REMOVED =
  /\b(?:remov\w+|delet\w+|dropp?(?:ed|ing)?|gone|kill(?:ed)?|nuk(?:e|ed)|eras\w+|ripp?(?:ed)? out|r(?:i|e)d of|disappear\w*|vanish\w*|no longer|elimin\w+|borr[aóo]\w*|quit(?:ó|ado|aron|ada)|desapareci\w+|ya no|suppr\w+|retir\w+|enlev\w+|dispar\w+|entfernt?\w*|gel[öo]scht\w*|verschw\w+|raus\w*|weggefallen|rausgeflogen|flog|geflogen|gibt es nicht mehr|nicht mehr)\b/iu;
/** Words for the past, which may mean the same. */
const FORMER =
  /\b(?:earlier|old|former|formerly|legacy|what happened to|ancien\w*|jadis|früher\w*|ehemalig\w*|alte[nrs]?|any ?more|used to (?:be|have|exist))\b/iu;
const MAX_COMMITS = 200;
const MAX_ALTERNATIVES = 4;
/** Names of which the last is sought. */
const MAX_NAMES = 12;
const MIN_SCORE = 0.45;
const REMOVAL_BONUS = 0.12;

/** Links commits, issues, and what no longer exists or has moved: paths and names of code. */
export async function linkHistory(text: string, context: ToolContext): Promise<Mention[]> {
  const { index } = context;
  const certain = [
    ...linkHashes(text, index),
    ...linkIssues(text, index),
    ...linkTrackerKeys(text, index),
    ...linkAdvisories(text, index),
    ...linkSubjects(text, index),
    ...linkPositions(text, index),
  ];
  const removedPaths = [
    ...linkWrittenPaths(text, index),
    ...linkRemovedModules(text, index),
    ...(await linkNamedPaths(text, context)),
  ];
  const names = await findRemovedNames(text, context, REMOVED.test(text));
  const isPath = ({ span }: Mention) =>
    removedPaths.some((path) => path.span[0] < span[1] && span[0] < path.span[1]);
  return [...certain, ...removedPaths, ...names.filter((name) => !isPath(name))];
}

/** Finds hashes of commits and numbers of issues in a question that no mention covers. */
export function findUnlinkedReferences(
  text: string,
  isLinked: (from: number, to: number) => boolean,
): { hashes: string[]; issues: string[] } {
  const unlinked = (pattern: RegExp) =>
    Array.from(text.matchAll(pattern)).filter(
      ({ 0: match, index }) => !isLinked(index, index + match.length),
    );
  return {
    // Seven digits may be an amount.
    hashes: unlinked(HASH).flatMap(([hash]) => (/[a-f]/.test(hash) ? [hash] : [])),
    issues: unlinked(ISSUE).flatMap(([, number]) => (number!.length > 1 ? [`#${number}`] : [])),
  };
}

function linkHashes(text: string, { commits }: RepositoryIndex): Mention[] {
  return Array.from(text.matchAll(HASH)).flatMap((match): Mention[] => {
    const commit = commits.find(match[0].toLowerCase());
    return commit < 0 ? [] : [toMention({ kind: 'commit', commit }, spanOf(match), 1)];
  });
}

function linkIssues(text: string, index: RepositoryIndex): Mention[] {
  return Array.from(text.matchAll(ISSUE)).flatMap((match): Mention[] => {
    const number = Number(match[1]);
    const reference = new RegExp(
      `(?:#|\\bgh-|/(?:issues|pull|merge_requests)/|\\b(?:ticket|issue|bug|pr|pull request)[ :]#?)${number}\\b`,
      'i',
    );
    const commits = commitsThatSay(String(number), reference, index);
    if (commits.length === 0) return [];
    return [toMention({ kind: 'issue', number, commits }, spanOf(match), 0.98)];
  });
}

function linkTrackerKeys(text: string, index: RepositoryIndex): Mention[] {
  return Array.from(text.matchAll(TRACKER_KEY)).flatMap((match): Mention[] => {
    const commits = commitsThatSay(match[2]!, new RegExp(`\\b${match[0]}\\b`, 'i'), index);
    if (commits.length === 0) return [];
    return [toMention({ kind: 'issue', number: Number(match[2]), commits }, spanOf(match), 0.98)];
  });
}

/** Links `CVE-2024-12345` to the newest commit that names it; the others are alternatives. */
function linkAdvisories(text: string, index: RepositoryIndex): Mention[] {
  return Array.from(text.matchAll(ADVISORY)).flatMap((match): Mention[] => {
    const rarest = match[0].split('-').at(-1)!;
    const found = commitsThatSay(rarest, new RegExp(match[0], 'i'), index);
    const [first, ...others] = found.map((commit): Entity => ({ kind: 'commit', commit }));
    if (!first) return [];
    return [
      { entity: first, span: spanOf(match), score: 0.98, alternatives: others.slice(0, MAX_ALTERNATIVES) },
    ];
  });
}

/** Commits whose message has a term and matches a pattern, newest first. */
function commitsThatSay(term: string, pattern: RegExp, { commits }: RepositoryIndex): number[] {
  const docs = commits.messages.postings(term.toLowerCase())?.docs.slice() ?? [];
  return Array.from(docs)
    .filter((commit) => pattern.test(commits.message(commit)))
    .slice(0, MAX_COMMITS);
}

/** Links written paths that the code does not have. */
function linkWrittenPaths(text: string, index: RepositoryIndex): Mention[] {
  return findWrittenPaths(text).flatMap((written): Mention[] => {
    const found = resolveWrittenPath(written, index);
    if (found.length === 0 || found[0]!.isCurrent) return [];
    const [first, ...others] = lastNames(
      found.map(({ path }) => path),
      index,
    );
    if (first === undefined) return [];
    const alternatives = others.slice(0, MAX_ALTERNATIVES).map((path) => toEntity(path, index));
    return [{ entity: toEntity(first, index), span: written.span, score: 0.95, alternatives }];
  });
}

/** Links qualified names of modules and classes that the code no longer has: `Acme::OldParser` of `acme/old_parser.rb`. */
function linkRemovedModules(text: string, index: RepositoryIndex): Mention[] {
  return findModuleNames(text).flatMap(({ name, span }): Mention[] => {
    if (index.code?.passagesDefining(name).length !== 0) return [];
    const found = resolveModule(name, index);
    if (found.length === 0 || found.some(({ isCurrent }) => isCurrent)) return [];
    const [first, ...others] = lastNames(
      found.map(({ path }) => path),
      index,
    );
    if (first === undefined) return [];
    const alternatives = others.slice(0, MAX_ALTERNATIVES).map((path) => toEntity(path, index));
    return [{ entity: toEntity(first, index), span, score: 0.97, alternatives }];
  });
}

/** Links words to paths that the code no longer has, where no current path fits as well. */
async function linkNamedPaths(text: string, context: ToolContext): Promise<Mention[]> {
  const { index } = context;
  const { projects } = await readManifestNames(context);
  const asksForRemoved = REMOVED.test(text) || FORMER.test(text);
  const found = await findNamedPaths(text, context);
  const current = found.filter(({ isCurrent }) => isCurrent);
  const removed = found.filter(
    (match) =>
      !match.isCurrent &&
      !projects.has(text.slice(...match.span).toLowerCase()) &&
      !current.some((other) => isAsGood(other, match, REMOVED.test(text))),
  );
  const mentions: Mention[] = [];
  for (const group of groupBySpan(removed)) {
    const [first, ...others] = lastNames(
      group.map(({ path }) => path),
      index,
    );
    if (first === undefined) continue;
    const score = Math.min(
      MAX_NAMED_SCORE,
      group[0]!.score + (asksForRemoved ? REMOVAL_BONUS : -REMOVAL_BONUS),
    );
    if (score < MIN_SCORE) continue;
    const alternatives = others.slice(0, MAX_ALTERNATIVES).map((path) => toEntity(path, index));
    mentions.push({ entity: toEntity(first, index), span: group[0]!.span, score, alternatives });
  }
  return mentions.slice(0, 3);
}

function isAsGood(current: NamedPathMatch, removed: NamedPathMatch, asksForRemoved: boolean): boolean {
  const overlap = current.span[0] < removed.span[1] && removed.span[0] < current.span[1];
  return overlap && current.score >= removed.score - (asksForRemoved ? -0.1 : 0.05);
}

/** Matches of about the same words, in groups of about the same score. */
function groupBySpan(matches: NamedPathMatch[]): NamedPathMatch[][] {
  const groups: NamedPathMatch[][] = [];
  for (const match of matches) {
    const group = groups.find(([first]) => first!.span[0] < match.span[1] && match.span[0] < first!.span[1]);
    if (!group) groups.push([match]);
    else if (match.score >= group[0]!.score - 0.06) group.push(match);
  }
  return groups;
}

/** The last names of removed paths, source code first, then most recently changed; those that live on under another name come last. */
function lastNames(paths: string[], index: RepositoryIndex): string[] {
  const table = pathTableOf(index);
  const { commits } = index;
  const names = [...new Set(paths)].slice(0, MAX_NAMES).map((path) => {
    const isFolder = table.paths[table.find(path)]?.isFolder ?? false;
    const [newest = Number.MAX_SAFE_INTEGER] = isFolder
      ? [newestBelow(path, index)]
      : commits.touching(commits.pathNumber(path));
    return { path, newest, isMoved: renameOf(path, index) !== undefined };
  });
  const isOther = (path: string) => Number(isNonSource(path));
  names.sort(
    (a, b) =>
      Number(a.isMoved) - Number(b.isMoved) || isOther(a.path) - isOther(b.path) || a.newest - b.newest,
  );
  return names.map(({ path }) => path);
}

function newestBelow(folder: string, index: RepositoryIndex): number {
  const { commits } = index;
  let newest = Number.MAX_SAFE_INTEGER;
  for (const { path, isFolder } of pathTableOf(index).paths) {
    if (isFolder || !path.startsWith(`${folder}/`)) continue;
    const number = commits.pathNumber(path);
    if (number >= 0) newest = Math.min(newest, commits.touching(number)[0] ?? newest);
  }
  return newest;
}

function toEntity(path: string, index: RepositoryIndex): Entity {
  const renamedTo = renameOf(path, index);
  return { kind: 'deleted_path', path, ...(renamedTo !== undefined && { renamedTo }) };
}

/** New name of every path that a commit renamed, by the newest such commit. */
const renamesOf = memoizeByIdentity(({ commits }: RepositoryIndex): Map<number, number> => {
  const renames = new Map<number, number>();
  for (let commit = 0; commit < commits.count; commit++) {
    const paths = commits.paths(commit);
    const oldPaths = commits.oldPaths(commit);
    for (let i = 0; i < paths.length; i++) {
      const old = oldPaths[i]!;
      if (old === paths[i] || renames.has(old) || commits.statuses(commit)[i] !== 'R') continue;
      renames.set(old, paths[i]!);
    }
  }
  return renames;
});

/** The present path of a renamed file; undefined for deleted ones. For a folder, that of most of its files. */
function renameOf(path: string, index: RepositoryIndex): string | undefined {
  const table = pathTableOf(index);
  if (table.paths[table.find(path)]?.isFolder) return renameOfFolder(path, index);
  const present = followRenames(index.commits.pathNumber(path), index);
  return present === null ? undefined : index.commits.path(present);
}

function followRenames(path: number, index: RepositoryIndex): number | null {
  const renames = renamesOf(index);
  const seen = new Set<number>();
  for (let at = renames.get(path); at !== undefined && !seen.has(at); at = renames.get(at)) {
    seen.add(at);
    if ((index.code?.fileNumber(index.commits.path(at)) ?? -1) >= 0) return at;
  }
  return null;
}

function renameOfFolder(folder: string, index: RepositoryIndex): string | undefined {
  const { commits } = index;
  const counts = new Map<string, number>();
  let files = 0;
  for (const { path, isFolder } of pathTableOf(index).paths) {
    if (isFolder || !path.startsWith(`${folder}/`)) continue;
    files++;
    const present = followRenames(commits.pathNumber(path), index);
    if (present === null) continue;
    const to = commits.path(present);
    const target = to.slice(0, Math.max(0, to.lastIndexOf('/')));
    counts.set(target, (counts.get(target) ?? 0) + 1);
  }
  const [best] = [...counts].sort((a, b) => b[1] - a[1]);
  return best && best[1] * 2 > files && best[0] !== '' ? best[0] : undefined;
}

function toMention(entity: Entity, span: [number, number], score: number): Mention {
  return { entity, span, score, alternatives: [] };
}

function spanOf(match: RegExpExecArray): [number, number] {
  return [match.index, match.index + match[0].length];
}
