import { z } from 'zod';
import { findCoupled } from '#evolution/coupling.ts';
import { formatCommit, inlineCode } from '../markdown.ts';
import { commitsTouching } from './file-commits.ts';
import { defineTool, limitInput, pathInput } from './tool.ts';

export const coChanged = defineTool('co_changed', {
  input: z.object({ path: pathInput, limit: limitInput(30, 10) }),
  async execute({ path: name, limit: most }, context) {
    const { memory } = context;
    const { of, coupled } = findCoupled(memory, name, commitsTouching(name, context), most);
    if (coupled.length === 0) return `No file changed together with ${inlineCode(name)}.`;
    const items = coupled.map(
      ({ path: other, together, last }) =>
        `- ${inlineCode(other)}: in ${together} of ${of} (${Math.round((100 * together) / of)} %), last with ${formatCommit(memory, last)}`,
    );
    return `Files that changed in the same commits as ${inlineCode(name)}:\n\n${items.join('\n')}`;
  },
});
