import { posix } from 'node:path';
import type { CodeTable } from '#memory/repository-index.ts';
import { parseQuery } from '#search/lexical/parse-query.ts';
import { rankPassages } from '#search/lexical/rank-documents.ts';
import { answerText } from '../../answer/answer-text.ts';
import { escapeMarkdown, fencedBlock, inlineCode } from '../../answer/markdown.ts';
import type { ToolContext } from '../../tools/tool.ts';
import { citePlace } from '../evidence/cite.ts';
import { type DocSection, readDocSections } from '../evidence/doc-sections.ts';
import { pathKind } from '../evidence/path-kinds.ts';
import { preferScope, scopeOf } from '../evidence/scope.ts';
import { createTopicMatcher, type TopicMatcher } from '../evidence/topic-matcher.ts';
import type { Reading } from '../understand/reading.ts';
import type { IntentAnswer } from './intent.ts';

const MAX_SHOWN_LINES = 45;
const MAX_SEE_ALSO = 4;
const MAX_RANKED_PASSAGES = 150;
const MAX_RANKED_FILES = 14;

/** Tasks that documents describe, with the words of their titles and file names. */
const TASKS: [string, RegExp][] = [
  ['test', /\b(?:unit)?tests?(?:ing)?\b|\btest suite\b|pruebas?\b|\bessais?\b/i],
  [
    'release',
    /\breleas(?:e|es|ed|ing)\b|\bpublish|\brelanz|\bver[oö]ffentlich|\bpublicar|\bpubli(?:er|cation|ée?)\b|\bcut a\b|\blanzar|\blanzamiento/i,
  ],
  ['build', /\bbuil[dt]|\bcompil|\bbauen\b|\bconstrui|\bübersetz/i],
  ['install', /\binstall|\binstal/i],
  [
    'contribute',
    /\bcontribut|\bcontribu|\bpull requests?\b|\bpatch(?:es)?\b|\bbeitrag|\bbeizutragen|\bmitarbeit/i,
  ],
  ['develop', /\bdevelop|\bset ?up\b|\bentwickl|\bdesarroll|\bdévelopp/i],
  ['lint', /\blint|\bformat(?:ting)?\b|\bcode style\b/i],
  ['document', /\b(?:build|generate|write)\b.*\bdoc(?:s|umentation)\b/i],
];
const FILES_OF_TASKS: Record<string, RegExp> = {
  test: /test|tox\.ini|nox/i,
  release: /releas|publish/i,
  build: /build|compil|makefile|install|hacking/i,
  install: /install|readme|build/i,
  contribute: /contribut|hacking|develop/i,
  develop: /contribut|hacking|develop/i,
  lint: /contribut|lint|style/i,
  document: /doc/i,
};
const ROOT_FILES =
  /^(?:readme|contributing|hacking|develop\w*|releas\w*|build\w*|install\w*|test\w*|maintain\w*)(?:[._-].*)?$|^readme/i;
const BUILD_FILES =
  /^(?:(?:gnu)?makefile|tox\.ini|noxfile\.py|package\.json|composer\.json|rakefile|justfile|taskfile\.ya?ml|setup\.cfg|pyproject\.toml)$/i;
const NOT_INSTRUCTIONS =
  /(?:^|\/)(?:change(?:s|log)|history|news|licen[cs]e|authors|copying|code_of_conduct)|changelog|release[-_ ]?notes|whatsnew/i;

/** Quotes the section of the documents, or of a build file, that describes a task. */
export async function answerHowTo(reading: Reading, context: ToolContext): Promise<IntentAnswer | null> {
  const { code } = context.index;
  if (!code) return null;
  const question = reading.question;
  const tasks = TASKS.filter(([, pattern]) => pattern.test(question)).map(([task]) => task);
  const matcher = createTopicMatcher([question, ...tasks].join(' '), code);
  const candidates = candidateFiles(matcher, code, context);
  const paths = preferScope(candidates, scopeOf(reading.mentions, question), (path) => path);
  const sections = (await Promise.all(paths.map((path) => readDocSections(path, context)))).flat();
  const ranked = sections
    .map((section) => ({ section, score: scoreSection(section, matcher, tasks) }))
    .toSorted((a, b) => b.score - a.score);
  const best = ranked[0];
  if (!best) return null;
  const others = ranked.filter(({ score }) => score > 0.6 * best.score).slice(1, 1 + MAX_SEE_ALSO);
  const text = formatSections(
    extend(best.section, sections, tasks),
    others.map(({ section }) => section),
    context,
  );
  const topic = escapeMarkdown(tasks.join(', ') || best.section.title);
  const evidence = Math.min(1, best.score / 2) * (tasks.length > 0 ? 1 : 0.6);
  return { text, evidence, understood: { key: 'how_to', params: { topic } } };
}

/** Documents at the root, build files, and those that match the question best. */
function candidateFiles(matcher: TopicMatcher, code: CodeTable, { index }: ToolContext): string[] {
  const found = new Set<string>();
  for (let file = 0; file < code.fileCount; file++) {
    const path = code.filePath(file);
    const name = posix.basename(path);
    const depth = path.split('/').length - 1;
    if (depth <= 1 && ROOT_FILES.test(name) && pathKind(path) === 'document') found.add(path);
    if (depth === 0 && BUILD_FILES.test(name)) found.add(path);
  }
  const ranked = rankPassages(index, parseQuery(matcher.query), { limit: MAX_RANKED_PASSAGES });
  let left = MAX_RANKED_FILES;
  for (const { file } of ranked) {
    const path = code.filePath(file);
    if (left === 0 || found.has(path) || pathKind(path) !== 'document') continue;
    found.add(path);
    left--;
  }
  return [...found].filter((path) => !NOT_INSTRUCTIONS.test(path));
}

/** Score by the words of the title, the text and the file name; about 2 for a section that fits in all of them. */
function scoreSection(section: DocSection, matcher: TopicMatcher, tasks: readonly string[]): number {
  const { path, title, lines, hasCommands } = section;
  const name = posix.basename(path);
  const depth = path.split('/').length - 1;
  const titleMatch = matcher.match(title.replace(/[`*[\]()]/g, ' '));
  const textMatch = matcher.match(lines.join('\n').slice(0, 6_000));
  const isTaskFile = tasks.some((task) => FILES_OF_TASKS[task]!.test(name));
  const isTaskTitle = tasks.some((task) => TASKS.find(([one]) => one === task)![1].test(title));
  const isProse = pathKind(path) === 'document';
  return (
    textMatch +
    0.7 * titleMatch +
    0.35 * Number(isTaskFile) +
    0.35 * Number(isTaskTitle) +
    0.25 * Number(hasCommands) +
    0.15 * Number(isProse) +
    0.2 / (1 + depth) -
    0.3 * Number(lines.length < 3)
  );
}

/** The whole document where it is short and about the task alone, else the section. */
function extend(best: DocSection, sections: readonly DocSection[], tasks: readonly string[]): DocSection {
  const name = posix.basename(best.path);
  const isAboutTask =
    tasks.some((task) => FILES_OF_TASKS[task]!.test(name)) && !/^readme\.[a-z]+$/i.test(name);
  if (!isAboutTask || pathKind(best.path) !== 'document') return best;
  const own = sections.filter(({ path }) => path === best.path);
  const first = own.indexOf(best);
  let last = first;
  const length = (to: number) => own[to]!.to - own[first]!.from + 1;
  while (own[last + 1] && length(last + 1) <= MAX_SHOWN_LINES) last++;
  let start = first;
  while (own[start - 1] && own[last]!.to - own[start - 1]!.from < MAX_SHOWN_LINES) start--;
  const parts = own.slice(start, last + 1);
  return { ...best, from: parts[0]!.from, to: parts.at(-1)!.to, lines: joinLines(parts) };
}

function joinLines(parts: readonly DocSection[]): string[] {
  const lines: string[] = [];
  for (const part of parts) {
    while (lines.length < part.from - parts[0]!.from) lines.push('');
    lines.push(...part.lines);
  }
  return lines;
}

function formatSections(best: DocSection, others: readonly DocSection[], context: ToolContext): string {
  const { index } = context;
  const shown = best.lines.slice(0, MAX_SHOWN_LINES);
  const place = citePlace(best.path, best.from, best.from + shown.length - 1, context);
  const file = index.code!.fileNumber(best.path);
  const language = pathKind(best.path) === 'document' ? '' : index.code!.fileLanguage(file);
  const parts = [
    answerText(context, 'how_to.section', { title: titleText(best), place }),
    fencedBlock(language, [...shown, ...(shown.length < best.lines.length ? ['…'] : [])].join('\n')),
  ];
  const items = others
    .filter(({ path, from }) => path !== best.path || from < best.from || from > best.to)
    .map(
      (section) => `- ${titleText(section)}: ${citePlace(section.path, section.from, section.to, context)}`,
    );
  if (items.length > 0) parts.push(answerText(context, 'how_to.see_also'), items.join('\n'));
  return parts.join('\n\n');
}

function titleText({ title, path }: DocSection): string {
  return title === posix.basename(path) ? inlineCode(title) : `“${escapeMarkdown(title)}”`;
}
