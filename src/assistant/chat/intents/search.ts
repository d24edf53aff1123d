import { posix } from 'node:path';
import { parseQuery, type Query } from '#search/lexical/parse-query.ts';
import { answerText } from '../../answer/answer-text.ts';
import { escapeMarkdown, inlineCode } from '../../answer/markdown.ts';
import { quoteDocument } from '../../answer/quote-document.ts';
import { formatPassage } from '../../tools/search-code.ts';
import { formatMatchingCommits } from '../../tools/search-commits.ts';
import type { ToolContext } from '../../tools/tool.ts';
import { findNewestSection, quoteSection } from '../changes/changelog.ts';
import { cacheOfAnswer } from '../evidence/cache-of-answer.ts';
import { citePlace } from '../evidence/cite.ts';
import { measureRanking, type RankedPlace, rankTopicPlaces } from '../evidence/rank-topic.ts';
import { scopeOf } from '../evidence/scope.ts';
import { findExcerpts } from '../evidence/topic-candidates.ts';
import type { TopicExcerpt } from '../evidence/topic-documents.ts';
import type { Reading } from '../understand/reading.ts';
import type { IntentAnswer } from './intent.ts';

/** Places that are quoted, and the next ones, which are listed. */
const MAX_QUOTED = 3;
const MAX_SEE_ALSO = 3;
const MAX_COMMITS = 3;
const MIN_EVIDENCE = 0.05;

/** Quotes the best places of documents and code with the latest commit of each, and lists further ones and similar commits. */
export async function answerSearch(reading: Reading, context: ToolContext): Promise<IntentAnswer | null> {
  const { topic, question } = reading;
  const { text, share, signals } = await collectMatches(reading, context);
  if (text === '') return null;
  return {
    text,
    signals,
    evidence: Math.max(MIN_EVIDENCE, share),
    understood: { key: 'search', params: { topic: escapeMarkdown(topic || question) } },
  };
}

/** Places and commits for the words of a question, as markdown. */
interface Matches {
  /** Empty when nothing matches. */
  text: string;
  /** Title of the excerpt that comes first; null where code does. */
  title: string | null;
  /** Share of the quoted places in the odds of all, 0 to 1. */
  share: number;
  signals: Record<string, number>;
}

/** An unsure answer shows the places of its search. */
const matchesOfAnswer = cacheOfAnswer<Matches>();

/** The best places and commits for the words of a question. */
export function collectMatches(
  reading: Pick<Reading, 'question' | 'mentions'>,
  context: ToolContext,
): Promise<Matches> {
  return matchesOfAnswer(context.sources, reading.question, () => formatMatches(reading, context));
}

async function formatMatches(
  reading: Pick<Reading, 'question' | 'mentions'>,
  context: ToolContext,
): Promise<Matches> {
  const ranked = await rankTopicPlaces(reading, context);
  const quoted = ranked.slice(0, MAX_QUOTED);
  const query = parseQuery(reading.question);
  const commits = formatMatchingCommits({ query: reading.question, limit: MAX_COMMITS }, context);
  const more = ranked.slice(MAX_QUOTED, MAX_QUOTED + MAX_SEE_ALSO);
  const firstCode = quoted.findIndex(({ excerpt }) => excerpt === null);
  const places = await Promise.all(quoted.map((place) => formatPlace(place, query, context)));
  const news = await findNewestSection(reading.question, context);
  const parts = places.flatMap((text, i) =>
    i === firstCode ? [answerText(context, 'search.code'), text] : [text],
  );
  if (news) parts.unshift(quoteSection(news, context));
  if (more.length > 0)
    parts.push(
      answerText(context, 'how_to.see_also'),
      more.map((place) => listPlace(place, context)).join('\n'),
    );
  if (commits !== null) parts.push(answerText(context, 'search.commits'), commits);
  return {
    text: parts.join('\n\n'),
    title: quoted[0]?.excerpt?.title ?? null,
    share: quoted.reduce((sum, { share }) => sum + share, 0),
    signals: measureRanking(quoted),
  };
}

function formatPlace(
  { excerpt, file, passages, from, to }: RankedPlace,
  query: Query,
  context: ToolContext,
): Promise<string> | string {
  if (excerpt) return formatExcerpt(excerpt, context);
  return formatPassage({ file, passage: passages[0]!, lines: { from, to } }, query, context);
}

function listPlace({ excerpt, symbol, path, from, to }: RankedPlace, context: ToolContext): string {
  const name = excerpt ? titleOf(excerpt) : symbol === null ? '' : inlineCode(symbol);
  return `- ${name === '' ? '' : `${name}: `}${citePlace(path, from, to, context)}`;
}

/** The excerpt of a document that has at least so much of a question, as markdown; empty where none has. */
export async function formatBestExcerpt(
  reading: Pick<Reading, 'question' | 'mentions'>,
  minScore: number,
  context: ToolContext,
): Promise<string> {
  const [best] = await findExcerpts(reading.question, scopeOf(reading.mentions, reading.question), context);
  return best && best.score >= minScore ? formatExcerpt(best, context) : '';
}

function formatExcerpt(excerpt: TopicExcerpt, context: ToolContext): string {
  const { path, from, to, lines } = excerpt;
  const title = titleOf(excerpt);
  const place = citePlace(path, from, to, context);
  const head = title === '' ? `${place}:` : answerText(context, 'how_to.section', { title, place });
  return `${head}\n\n${quoteDocument(path, lines)}`;
}

/** The title of a section; empty where it is the name of the file. */
function titleOf({ path, title }: TopicExcerpt): string {
  return title === posix.basename(path) ? '' : `“${escapeMarkdown(title)}”`;
}
