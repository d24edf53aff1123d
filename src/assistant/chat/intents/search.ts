import { answerText } from '../../answer/answer-text.ts';
import { escapeMarkdown } from '../../answer/markdown.ts';
import { listMatchingCode } from '../../tools/search-code.ts';
import { formatMatchingCommits } from '../../tools/search-commits.ts';
import type { ToolContext } from '../../tools/tool.ts';
import type { Reading } from '../understand/reading.ts';
import { findTopicPlaces } from '../understand/topic-places.ts';
import type { IntentAnswer } from './intent.ts';

const MAX_FILES = 4;
const MAX_COMMITS = 3;
const MIN_EVIDENCE = 0.05;

/** Lists the best files with the best passage and latest commit of each, and commits with similar messages. */
export async function answerSearch(
  { question: query, topic }: Reading,
  context: ToolContext,
): Promise<IntentAnswer | null> {
  const [place] = findTopicPlaces(topic || query, context, { limit: 1 });
  const code = await listMatchingCode(query, MAX_FILES, context);
  const commits = formatMatchingCommits({ query, limit: MAX_COMMITS }, context);
  const parts: string[] = [];
  if (code !== null) parts.push(answerText(context, 'search.code'), code);
  if (commits !== null) parts.push(answerText(context, 'search.commits'), commits);
  if (parts.length === 0) return null;
  const understood = { key: 'search', params: { topic: escapeMarkdown(topic || query) } } as const;
  return { text: parts.join('\n\n'), evidence: Math.max(MIN_EVIDENCE, place?.score ?? 0), understood };
}
