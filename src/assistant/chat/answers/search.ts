import { NO_FILES_FOUND, searchCode } from '../../tools/search-code.ts';
import { NO_COMMITS_FOUND, searchCommits } from '../../tools/search-commits.ts';
import type { ToolContext } from '../../tools/tool.ts';
import type { Question } from '../question.ts';

const MAX_FILES = 4;
const MAX_COMMITS = 3;

/** The files that fit a question best, each by its best passage and the commit behind it, and commits that read like it. */
export async function answerSearch({ text: query }: Question, context: ToolContext): Promise<string> {
  const code = await searchCode.execute({ query, limit: MAX_FILES }, context);
  const commits = await searchCommits.execute({ query, limit: MAX_COMMITS }, context);
  const parts: string[] = [];
  if (code !== NO_FILES_FOUND) parts.push('The code that fits the question best:', code);
  if (commits !== NO_COMMITS_FOUND) parts.push(`Commits that read like it:\n\n${commits}`);
  if (parts.length === 0) {
    return 'Nothing in the code or its history shares a word with this question. Name a file, a function or a commit.';
  }
  return parts.join('\n\n');
}
