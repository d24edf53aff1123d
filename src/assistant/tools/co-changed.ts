import { z } from 'zod';
import { findCoupled } from '#evolution/coupling.ts';
import { answerText } from '../answer/answer-text.ts';
import { citeFile } from '../answer/citations.ts';
import { formatCommit, inlineCode } from '../answer/markdown.ts';
import { commitsTouching } from './file-commits.ts';
import { defineTool, limitInput, pathInput } from './tool.ts';

export const coChanged = defineTool('co_changed', {
  input: z.object({ path: pathInput, limit: limitInput(30, 10) }),
  async execute({ path: name, limit: most }, context) {
    const { index } = context;
    const { of, coupled } = findCoupled(index, name, commitsTouching(name, context), most);
    const subject = inlineCode(name);
    if (coupled.length === 0) return answerText(context, 'co_change.none', { path: subject });
    const items = coupled.map(({ path: other, together, last }) => {
      const percent = Math.round((100 * together) / of);
      const commit = formatCommit(index, last);
      const params = { path: citeFile(other, index), together, count: of, percent, commit };
      return `- ${answerText(context, 'co_change.item', params)}`;
    });
    return `${answerText(context, 'co_change.title', { path: subject })}\n\n${items.join('\n')}`;
  },
});
