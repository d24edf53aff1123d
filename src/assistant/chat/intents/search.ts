import type { SourceReader } from '#investigate/locate/source-reader.ts';
import { memoizeByIdentity } from '#memory/memoize-by-identity.ts';
import { parseQuery } from '#search/lexical/parse-query.ts';
import { answerText } from '../../answer/answer-text.ts';
import { escapeMarkdown } from '../../answer/markdown.ts';
import { quoteDocument } from '../../answer/quote-document.ts';
import { formatPassage } from '../../tools/search-code.ts';
import { formatMatchingCommits } from '../../tools/search-commits.ts';
import type { ToolContext } from '../../tools/tool.ts';
import { citePlace } from '../evidence/cite.ts';
import { scopeOf } from '../evidence/scope.ts';
import { findTopicCode } from '../evidence/topic-code.ts';
import { rankExcerpts, readTopicSections, type TopicExcerpt } from '../evidence/topic-documents.ts';
import { createTopicMatcher } from '../evidence/topic-matcher.ts';
import type { Reading } from '../understand/reading.ts';
import { findTopicPlaces } from '../understand/topic-places.ts';
import type { IntentAnswer } from './intent.ts';

const MAX_FILES = 3;
/** Share of a question's information from which an excerpt of a document is quoted. */
const MIN_EXCERPT_SCORE = 0.15;
/** Share from which it comes before the code. */
const MIN_FIRST_SCORE = 0.3;
/** Share of the best excerpt's score from which the place of another one is listed. */
const SEE_ALSO_SHARE = 0.8;
const MAX_SEE_ALSO = 3;
const MAX_COMMITS = 3;
const MIN_EVIDENCE = 0.05;

/** Quotes the document that tells most, lists the best files with the latest commit of each, and similar commits. */
export async function answerSearch(reading: Reading, context: ToolContext): Promise<IntentAnswer | null> {
  const { topic, question } = reading;
  const { text } = await collectMatches(reading, MAX_FILES, context);
  if (text === '') return null;
  const [place] = findTopicPlaces(topic || question, context, { limit: 1 });
  return {
    text,
    evidence: Math.max(MIN_EVIDENCE, place?.score ?? 0),
    understood: { key: 'search', params: { topic: escapeMarkdown(topic || question) } },
  };
}

/** Passages by the question, for one answer: those of an unsure one are the first of its search. */
const passagesOfAnswer = memoizeByIdentity((_sources: SourceReader) => new Map<string, Promise<string[]>>());

/** Matches of documents, code and commits for the words of a question, as markdown. */
interface Matches {
  /** Empty when nothing matches. */
  text: string;
  /** Title of the excerpt; null without one. */
  title: string | null;
  /** Share of the question's information in the excerpt, 0 to 1. */
  score: number;
}

/** The excerpt of a document, the best files and commits for the words of a question. */
export async function collectMatches(
  { question, mentions }: Pick<Reading, 'question' | 'mentions'>,
  limit: number,
  context: ToolContext,
): Promise<Matches> {
  const known = passagesOfAnswer(context.sources);
  const passages = known.get(question) ?? formatTopicCode(question, limit, context);
  if (limit === MAX_FILES) known.set(question, passages);
  const code = (await passages).slice(0, limit);
  const [best, ...more] = await findExcerpts({ question, mentions }, context);
  const commits = formatMatchingCommits({ query: question, limit: MAX_COMMITS }, context);
  const excerpt = best ? [formatExcerpt(best, context)] : [];
  const isDocumented = best !== undefined && best.score >= MIN_FIRST_SCORE;
  const matching = isDocumented ? code : [...code.slice(0, 1), ...excerpt, ...code.slice(1)];
  const parts = isDocumented ? excerpt : [];
  if (matching.length > 0) parts.push(answerText(context, 'search.code'), ...matching);
  if (more.length > 0) parts.push(answerText(context, 'how_to.see_also'), listExcerpts(more, context));
  if (commits !== null) parts.push(answerText(context, 'search.commits'), commits);
  return { text: parts.join('\n\n'), title: best?.title ?? null, score: best?.score ?? 0 };
}

/** The best passages of the code about a question, as markdown. */
async function formatTopicCode(question: string, limit: number, context: ToolContext): Promise<string[]> {
  const query = parseQuery(question);
  const found = findTopicCode(question, limit, context);
  return await Promise.all(found.map((passage) => formatPassage(passage, query, context)));
}

/** Excerpts by the question, for one answer: several intents of it quote documents. */
const excerptsOfAnswer = memoizeByIdentity(
  (_sources: SourceReader) => new Map<string, Promise<TopicExcerpt[]>>(),
);

/** Excerpts of documents that have enough of a question, and others of other sections that are nearly as good. */
function findExcerpts(
  reading: Pick<Reading, 'question' | 'mentions'>,
  context: ToolContext,
): Promise<TopicExcerpt[]> {
  const known = excerptsOfAnswer(context.sources);
  const excerpts = known.get(reading.question) ?? readExcerpts(reading, context);
  known.set(reading.question, excerpts);
  return excerpts;
}

async function readExcerpts(
  { question, mentions }: Pick<Reading, 'question' | 'mentions'>,
  context: ToolContext,
): Promise<TopicExcerpt[]> {
  const { code } = context.index;
  if (!code) return [];
  const matcher = createTopicMatcher(question, code);
  const sections = await readTopicSections(matcher, scopeOf(mentions, question), context);
  const ranked = rankExcerpts(sections, matcher);
  const least = Math.max(MIN_EXCERPT_SCORE, SEE_ALSO_SHARE * (ranked[0]?.score ?? 0));
  return ranked.filter(({ score }) => score >= least).slice(0, 1 + MAX_SEE_ALSO);
}

/** The excerpt of a document that has at least so much of a question, as markdown; empty where none has. */
export async function formatBestExcerpt(
  reading: Pick<Reading, 'question' | 'mentions'>,
  minScore: number,
  context: ToolContext,
): Promise<string> {
  const [best] = await findExcerpts(reading, context);
  return best && best.score >= minScore ? formatExcerpt(best, context) : '';
}

function formatExcerpt(excerpt: TopicExcerpt, context: ToolContext): string {
  const params = { title: titleOf(excerpt), place: placeOf(excerpt, context) };
  return `${answerText(context, 'how_to.section', params)}\n\n${quoteDocument(excerpt.path, excerpt.lines)}`;
}

function listExcerpts(excerpts: readonly TopicExcerpt[], context: ToolContext): string {
  return excerpts.map((excerpt) => `- ${titleOf(excerpt)}: ${placeOf(excerpt, context)}`).join('\n');
}

const titleOf = ({ title }: TopicExcerpt) => `“${escapeMarkdown(title)}”`;

const placeOf = ({ path, from, to }: TopicExcerpt, context: ToolContext) =>
  citePlace(path, from, to, context);
