import { findDefinitionsInText } from '#memory/chunk/parser-processes.ts';
import { parseQuery } from '#search/lexical/parse-query.ts';
import { rankPassages } from '#search/lexical/rank-documents.ts';
import { answerText, moreItem } from '../../answer/answer-text.ts';
import { fencedBlock, inlineCode } from '../../answer/markdown.ts';
import { describeFile } from '../../tools/describe-file.ts';
import type { ToolContext } from '../../tools/tool.ts';
import { citePlace, quoteLine } from '../evidence/cite.ts';
import { type DefinitionPlace, placesOfDefinitions } from '../evidence/definition-lines.ts';
import { type DefinitionText, fileHeader, readDefinition } from '../evidence/definition-text.ts';
import { fileStem, pathKind } from '../evidence/path-kinds.ts';
import { matchPaths } from '../evidence/path-match.ts';
import { bestOf, explicitFiles, findSubjects, isExplicit } from '../evidence/subject.ts';
import { createTopicMatcher } from '../evidence/topic-matcher.ts';
import { lastPart, wholeWord } from '../understand/name-patterns.ts';
import type { Reading } from '../understand/reading.ts';
import type { IntentAnswer } from './intent.ts';
import { answerOverview } from './overview.ts';
import { formatBestExcerpt } from './search.ts';

const MAX_COMMENT_LINES = 14;
const MAX_BODY_LINES = 14;
const MAX_MENTIONS = 2;
const MAX_RANKED_PASSAGES = 200;
const MAX_DEFINITIONS = 12;
const MAX_LISTED = 40;
/** Share of a definition's score from which a file alone explains better. */
const FILE_SHARE = 1.15;
/** Share of the words of a file's name that the question must have. */
const MIN_NAME_FIT = 0.6;
/** Share of a question's information from which a document is quoted as well. */
const MIN_EXCERPT_SCORE = 0.6;
/** Share of a question's information that the name of the file, or of the definition, which it means must have. */
const MIN_TOPIC_SHARE = 0.5;

/** Explains a definition or a file: its comments, signature, first lines, and the documents and tests that name it. */
export async function answerExplanation(
  reading: Reading,
  context: ToolContext,
): Promise<IntentAnswer | null> {
  if (!context.index.code) return null;
  const [file] = explicitFiles(reading).filter(({ entity }) => entity.lines === null);
  const [subject] = findSubjects(reading, context);
  const isNamed = subject?.isExplicit === true;
  if (file && !isNamed) return await explainFile(file.entity.path, file, { reading, context });
  const [folder] = bestOf(reading.mentions, 'folder');
  if (folder && !isNamed && isExplicit(folder.mention, reading.question))
    return await answerOverview(reading, context);
  const topFile = isNamed ? null : findFileOfTopic(reading, context);
  if (topFile && topFile.score > FILE_SHARE * (subject?.score ?? 0)) {
    return await explainFile(topFile.path, topFile, { reading, context });
  }
  if (!subject) return null;
  const places = await placesOfDefinitions(subject, context);
  const [place] = places;
  if (!place) return null;
  const definition = await readDefinition(place, context);
  const documented = await formatBestExcerpt(reading, MIN_EXCERPT_SCORE, context);
  const explained = await formatDefinition(place, definition, places.length - 1, context);
  const text = [explained, documented].filter((part) => part !== '').join('\n\n');
  const commented = definition.comment.length > 0 ? 1 : 0.85;
  return {
    text,
    evidence: Math.min(1, subject.score * commented),
    understood: { key: 'explanation', params: { name: inlineCode(place.symbol) } },
  };
}

/** Source file whose own name fits the topic; null for none. */
function findFileOfTopic(reading: Reading, context: ToolContext): { path: string; score: number } | null {
  const code = context.index.code!;
  const [best] = matchPaths(reading.question, code).filter(({ path }) => pathKind(path) === 'source');
  if (!best || best.nameFit < MIN_NAME_FIT || best.byFolder) return null;
  if (createTopicMatcher(reading.question, code).match(fileStem(best.path)) < MIN_TOPIC_SHARE) return null;
  return { path: best.path, score: best.coverage * best.nameFit };
}

async function formatDefinition(
  place: DefinitionPlace,
  { comment, signature, body, raises, returns }: DefinitionText,
  others: number,
  context: ToolContext,
): Promise<string> {
  const { path, line, to, language, symbol } = place;
  const name = inlineCode(symbol);
  const header = comment.length === 0 ? fileHeader((await context.sources.lines(path)) ?? []) : [];
  const shown = body.slice(0, MAX_BODY_LINES);
  const source = [...signature, ...shown, ...(shown.length < body.length ? ['…'] : [])];
  const parts = [
    answerText(context, 'definition.place', { name, place: citePlace(path, line, to, context) }),
    quote(comment),
    header.length > 0
      ? `${answerText(context, 'explanation.file', { path: inlineCode(path) })}\n\n${quote(header)}`
      : '',
    fencedBlock(language, source.join('\n')),
    formatOutcome(raises, returns, context),
    others > 0
      ? answerText(context, 'explanation.others', {
          places: answerText(context, 'places', { count: others }),
        })
      : '',
    await formatMentions(symbol, place, context),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

/** Plain lines as a block quote without code spans, so that none of them looks like a source. */
function quote(lines: readonly string[]): string {
  const shown = lines
    .slice(0, MAX_COMMENT_LINES)
    .map((line) => `> ${line.replaceAll('`', "'").replace(/^(\s*)([#>])/, '$1\\$2')}`.trimEnd());
  return [...shown, ...(lines.length > shown.length ? ['> …'] : [])].join('\n');
}

function formatOutcome(raises: readonly string[], returns: readonly string[], context: ToolContext): string {
  const list = (items: readonly string[]) => items.map((item) => inlineCode(item.slice(0, 100))).join(', ');
  const items = [
    ...(raises.length > 0
      ? [`- ${answerText(context, 'explanation.raises', { errors: list(raises) })}`]
      : []),
    ...(returns.length > 0
      ? [`- ${answerText(context, 'explanation.returns', { values: list(returns) })}`]
      : []),
  ];
  return items.join('\n');
}

/** Lines of documents and tests that name the definition. */
async function formatMentions(symbol: string, place: DefinitionPlace, context: ToolContext): Promise<string> {
  const { index } = context;
  const code = index.code!;
  const name = lastPart(symbol);
  const ranked = rankPassages(index, parseQuery(name), { limit: MAX_RANKED_PASSAGES });
  const word = wholeWord(name);
  const found: Record<'document' | 'test', string[]> = { document: [], test: [] };
  const seen = new Set<string>([place.path]);
  for (const { passage, file } of ranked) {
    const path = code.filePath(file);
    const kind = pathKind(path);
    if ((kind !== 'document' && kind !== 'test') || seen.has(path) || found[kind].length >= MAX_MENTIONS)
      continue;
    if (/change(?:s|log)|history|news/i.test(path)) continue;
    const { start, end } = code.passageLines(passage);
    const rows = ((await context.sources.lines(path)) ?? []).slice(start - 1, end);
    const row = rows.findIndex((text) => word.test(text));
    if (row < 0) continue;
    seen.add(path);
    found[kind].push(quoteLine(path, start + row, rows[row]!, context));
  }
  const items = [
    ...found.document.map((line) => `- ${answerText(context, 'explanation.document', { line })}`),
    ...found.test.map((line) => `- ${answerText(context, 'explanation.test', { line })}`),
  ];
  return items.join('\n');
}

/** Explains a file by the comment at its beginning and its definitions. */
async function explainFile(
  path: string,
  { score }: { score: number },
  { reading, context }: { reading: Reading; context: ToolContext },
): Promise<IntentAnswer> {
  const code = context.index.code!;
  const file = code.fileNumber(path);
  const rows = (await context.sources.lines(path)) ?? [];
  const header = file < 0 ? [] : fileHeader(rows);
  const summary = await describeFile.execute({ path }, context);
  const asksForNames = DEFINITIONS.test(reading.question);
  const isDescribed = asksForNames || header.length === 0;
  const definitions =
    file >= 0 && isDescribed ? await describeDefinitions(file, rows, { asksForNames, context }) : '';
  const [head, ...rest] = summary.split('\n\n');
  const text = [head, quote(header), definitions, ...rest]
    .filter((part) => part !== undefined && part !== '')
    .join('\n\n');
  return {
    text,
    evidence: Math.min(1, score),
    understood: { key: 'explanation', params: { name: inlineCode(path) } },
  };
}

/** Words for what a file defines, in four languages. */
const DEFINITIONS =
  /\b(?:functions?|methods?|classes|definitions?|exports?|funci[oó]n(?:es)?|m[eé]todos?|clases|fonctions?|m[eé]thodes?|funktionen|methoden|klassen)\b/iu;

/**
 * First sentences of the comments of the largest definitions of a file; where the question asks for what it defines, the places of
 * all of them in their order.
 */
async function describeDefinitions(
  file: number,
  rows: readonly string[],
  { asksForNames, context }: { asksForNames: boolean; context: ToolContext },
): Promise<string> {
  const code = context.index.code!;
  const path = code.filePath(file);
  const language = code.fileLanguage(file);
  const signal = context.signal && { signal: context.signal };
  const definitions = await findDefinitionsInText(language, rows.join('\n'), { ...signal });
  if (asksForNames) {
    const listed = definitions.map(
      ({ names, start, end }) =>
        `- ${inlineCode(names[0]!)}: ${citePlace(path, start + 1, end + 1, context)}`,
    );
    return [...listed.slice(0, MAX_LISTED), ...moreItem(context, listed.length - MAX_LISTED)].join('\n');
  }
  const largest = definitions
    .toSorted((a, b) => b.end - b.start - (a.end - a.start))
    .slice(0, MAX_DEFINITIONS);
  const items: string[] = [];
  for (const { names, start, end } of largest) {
    const place = { path, file, language, symbol: names[0]!, line: start + 1, from: start + 1, to: end + 1 };
    const { comment } = await readDefinition(place, context);
    const first = comment.find((line) => line.trim() !== '');
    if (first) items.push(`- ${inlineCode(names[0]!)}: ${first.replaceAll('`', "'").slice(0, 160)}`);
    if (items.length === 4) break;
  }
  return items.join('\n');
}
