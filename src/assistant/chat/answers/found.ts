import { NO_FILE, searchCode } from '../../tools/search-code.ts';
import { NO_COMMIT, searchCommits } from '../../tools/search-commits.ts';
import type { ToolContext } from '../../tools/tool.ts';
import type { Question } from '../question.ts';

const FILES = 4;
const COMMITS = 3;

/** The files that fit a question best, each by its best passage and the commit behind it, and commits that read like it. */
export async function answerFound({ text: query }: Question, context: ToolContext): Promise<string> {
  const code = await searchCode.execute({ query, limit: FILES }, context);
  const commits = await searchCommits.execute({ query, limit: COMMITS }, context);
  const parts: string[] = [];
  if (code !== NO_FILE) parts.push('The code that fits the question best:', code);
  if (commits !== NO_COMMIT) parts.push(`Commits that read like it:\n\n${commits}`);
  if (parts.length === 0) {
    return 'Nothing in the code or its history shares a word with this question. Name a file, a function or a commit.';
  }
  return parts.join('\n\n');
}
