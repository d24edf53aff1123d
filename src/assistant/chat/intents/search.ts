import type { SourceReader } from '#investigate/locate/source-reader.ts';
import { memoizeByIdentity } from '#memory/memoize-by-identity.ts';
import { answerText } from '../../answer/answer-text.ts';
import { escapeMarkdown } from '../../answer/markdown.ts';
import { listMatchingFiles } from '../../tools/search-code.ts';
import { formatMatchingCommits } from '../../tools/search-commits.ts';
import type { ToolContext } from '../../tools/tool.ts';
import type { Reading } from '../understand/reading.ts';
import { findTopicPlaces } from '../understand/topic-places.ts';
import type { IntentAnswer } from './intent.ts';

const MAX_FILES = 4;
const MAX_COMMITS = 3;
const MIN_EVIDENCE = 0.05;

/** Lists the best files with the best passage and latest commit of each, and commits with similar messages. */
export async function answerSearch(reading: Reading, context: ToolContext): Promise<IntentAnswer | null> {
  const { topic, question } = reading;
  const text = await formatMatches(reading, MAX_FILES, context);
  if (text === '') return null;
  const [place] = findTopicPlaces(topic || question, context, { limit: 1 });
  return {
    text,
    evidence: Math.max(MIN_EVIDENCE, place?.score ?? 0),
    understood: { key: 'search', params: { topic: escapeMarkdown(topic || question) } },
  };
}

/** Files by the question, for one answer: those of an unsure one are the first of its search. */
const filesOfAnswer = memoizeByIdentity((_sources: SourceReader) => new Map<string, Promise<string[]>>());

/** Best files and commits for the words of a question; empty when nothing matches. */
export async function formatMatches(
  { question: query }: Reading,
  limit: number,
  context: ToolContext,
): Promise<string> {
  const known = filesOfAnswer(context.sources);
  const files = known.get(query) ?? listMatchingFiles(query, limit, context);
  if (limit === MAX_FILES) known.set(query, files);
  const code = (await files).slice(0, limit);
  const commits = formatMatchingCommits({ query, limit: MAX_COMMITS }, context);
  const parts: string[] = [];
  if (code.length > 0) parts.push(answerText(context, 'search.code'), ...code);
  if (commits !== null) parts.push(answerText(context, 'search.commits'), commits);
  return parts.join('\n\n');
}
