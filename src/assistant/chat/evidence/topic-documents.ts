import { posix } from 'node:path';
import type { CodeTable } from '#memory/repository-index.ts';
import type { ToolContext } from '../../tools/tool.ts';
import { coverage } from '../understand/topic-words.ts';
import { type DocSection, readDocSections } from './doc-sections.ts';
import { pathKind, SETTINGS_TEMPLATE } from './path-kinds.ts';
import { preferScope, type Scope } from './scope.ts';
import type { TopicMatcher } from './topic-matcher.ts';

/** The lines of a document's section that are most about a topic. */
export interface TopicExcerpt extends Pick<DocSection, 'path' | 'title' | 'from' | 'to' | 'lines'> {
  /** Share of the topic's information in the excerpt and its titles, 0 to 1. */
  score: number;
}

const MAX_RANKED_FILES = 14;
const ROOT_FILES =
  /^(?:readme|contributing|hacking|develop\w*|releas\w*|build\w*|install\w*|test\w*|maintain\w*)(?:[._-].*)?$|^readme/i;
const NOT_ABOUT_NOW =
  /(?:^|\/)(?:change(?:s|log)|history|news|licen[cs]e|authors|copying|code_of_conduct)|changelog|release[-_ ]?notes|whatsnew/i;
/** Documents in words, which have sections. */
export const PROSE =
  /(?:^|\/)[^./]+$|\.(?:mdx?|markdown|rst|adoc|asciidoc|txt|textile|org|pod|ronn|[1-9])(?:\.in)?$/i;
/** Weights of an excerpt's words and of its titles; a long section has every word somewhere. */
const TEXT_SHARE = 0.65;
const TITLE_SHARE = 0.35;
const PARENT_SHARE = 0.7;
const MAX_EXCERPT_LINES = 14;
/** Weight of a template of settings beside documents in words. */
const TEMPLATE_FACTOR = 0.9;

/** Sections of the documents at the root, and of those that match the topic best. Changelogs and licenses are left out. */
export async function readTopicSections(
  matcher: TopicMatcher,
  scope: Scope,
  context: ToolContext,
): Promise<DocSection[]> {
  const files = preferScope(candidateFiles(matcher, context.index.code!), scope, (path) => path);
  return (await Promise.all(files.map((path) => readDocSections(path, context)))).flat();
}

function candidateFiles(matcher: TopicMatcher, code: CodeTable): string[] {
  const scores = scoreDocuments(matcher, code);
  const isRoot = (path: string) => path.split('/').length <= 2 && ROOT_FILES.test(posix.basename(path));
  const roots = [...scores.keys()].filter(isRoot);
  const best = [...scores].toSorted(([, a], [, b]) => b - a).slice(0, MAX_RANKED_FILES);
  return [...new Set([...roots, ...best.filter(([, score]) => score > 0).map(([path]) => path)])];
}

/** Share of the topic's information in each document. */
function scoreDocuments({ words, weights }: TopicMatcher, code: CodeTable): Map<string, number> {
  const containing = words.map(({ variants }) =>
    variants.map(({ term, strength }) => ({ strength, files: new Set(code.files.postings(term)?.docs) })),
  );
  const strengthIn = (file: number, i: number) =>
    containing[i]!.reduce(
      (best, { files, strength }) => (files.has(file) ? Math.max(best, strength) : best),
      0,
    );
  const scores = new Map<string, number>();
  for (let file = 0; file < code.fileCount; file++) {
    const path = code.filePath(file);
    if (!isDocument(path) && !SETTINGS_TEMPLATE.test(path)) continue;
    if (NOT_ABOUT_NOW.test(path)) continue;
    scores.set(
      path,
      coverage(
        weights,
        words.map((_, i) => strengthIn(file, i)),
      ),
    );
  }
  return scores;
}

/** Documents, and files without an extension that are named like one, such as `BUILDING`. */
function isDocument(path: string): boolean {
  return pathKind(path) === 'document' || /^[A-Z_-]+$/.test(posix.basename(path));
}

/** The paragraphs of each section that have most of the topic, best first. */
export function rankExcerpts(sections: readonly DocSection[], matcher: TopicMatcher): TopicExcerpt[] {
  return sections
    .filter(({ path }) => PROSE.test(path) || SETTINGS_TEMPLATE.test(path))
    .map((section) => toExcerpt(section, matcher))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score);
}

function toExcerpt({ path, title, parents, from, lines }: DocSection, matcher: TopicMatcher): TopicExcerpt {
  const plain = (text: string) => text.replace(/[`*[\]()]/g, ' ');
  const above = Math.max(matcher.match(plain(parents.join(' '))), matcher.match(posix.basename(path)));
  const titled = Math.max(matcher.match(plain(title)), PARENT_SHARE * above);
  let best = { fit: -1, first: 0, last: 0 };
  for (const { first, last } of windowsOf(lines)) {
    const fit = matcher.match(lines.slice(first, last + 1).join('\n'));
    if (fit > best.fit) best = { fit, first, last };
  }
  return {
    ...{ path, title, from: from + best.first, to: from + best.last },
    lines: lines.slice(best.first, best.last + 1),
    score: (TEXT_SHARE * best.fit + TITLE_SHARE * titled) * (PROSE.test(path) ? 1 : TEMPLATE_FACTOR),
  };
}

/** As many whole paragraphs from each paragraph on as fit into an excerpt; of a longer one, its beginning. */
function windowsOf(lines: readonly string[]): { first: number; last: number }[] {
  const isText = (row: number) => lines[row] !== undefined && /[^\s#;/]/.test(lines[row]);
  const starts = lines.flatMap((_, row) => (isText(row) && !isText(row - 1) ? [row] : []));
  return starts.map((first) => {
    const end = Math.min(lines.length, first + MAX_EXCERPT_LINES);
    let last = first;
    for (let row = first; row < end; row++)
      if (isText(row) && (!isText(row + 1) || row === end - 1)) last = row;
    return { first, last };
  });
}
