import { z } from 'zod';
import { followRenames } from '#investigate/history/renames.ts';
import { answerText } from '../answer/answer-text.ts';
import { formatCommit, inlineCode } from '../answer/markdown.ts';
import { commitsTouching } from './file-commits.ts';
import { defineTool, limitInput, pathInput } from './tool.ts';

export const fileHistory = defineTool('file_history', {
  input: z.object({ path: pathInput, limit: limitInput(100, 20) }),
  async execute({ path: name, limit: most }, context) {
    const { index } = context;
    const commits = commitsTouching(name, context);
    const oldest = commits.at(-1);
    if (oldest === undefined) return `The history has no file ${inlineCode(name)}.`;
    const former = followRenames([name], index.commits).allPaths(name).slice(1);
    const before = former.length > 0 ? ` Previously named ${former.map(inlineCode).join(', ')}.` : '';
    const items = commits.slice(0, most).map((commit) => `- ${formatCommit(index, commit)}`);
    const more = commits.length - items.length;
    const end = more > 0 ? `\n- and ${more} more, the first is ${formatCommit(index, oldest)}` : '';
    return `${inlineCode(name)} changed in ${answerText(context, 'commits', { count: commits.length })}.${before}\n\n${items.join('\n')}${end}`;
  },
});
