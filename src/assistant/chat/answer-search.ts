import { answerText } from '../answer/answer-text.ts';
import { listMatchingCode } from '../tools/search-code.ts';
import { formatMatchingCommits } from '../tools/search-commits.ts';
import type { ToolContext } from '../tools/tool.ts';
import type { Question } from './question.ts';

const MAX_FILES = 4;
const MAX_COMMITS = 3;

/** Lists the best files with the best passage and latest commit of each, and commits with similar messages. */
export async function answerSearch({ text: query }: Question, context: ToolContext): Promise<string> {
  const code = await listMatchingCode(query, MAX_FILES, context);
  const commits = formatMatchingCommits({ query, limit: MAX_COMMITS }, context);
  const parts: string[] = [];
  if (code !== null) parts.push(answerText(context, 'search.code'), code);
  if (commits !== null) parts.push(answerText(context, 'search.commits'), commits);
  return parts.length > 0 ? parts.join('\n\n') : answerText(context, 'search.nothing');
}
