import { z } from 'zod';
import { findCoupled } from '#evolution/coupling.ts';
import { code, introduceCommit } from '../markdown.ts';
import { commitsOf } from './history-of-file.ts';
import { defineTool, limit, path } from './tool.ts';

export const coChanged = defineTool('co_changed', {
  input: z.object({ path, limit: limit(30, 10) }),
  async execute({ path: name, limit: most }, context) {
    const { memory } = context;
    const { of, coupled } = findCoupled(memory, name, commitsOf(name, context), most);
    if (coupled.length === 0) return `No file changed together with ${code(name)}.`;
    const items = coupled.map(
      ({ path: other, together, last }) =>
        `- ${code(other)}: in ${together} of ${of} (${Math.round((100 * together) / of)} %), last with ${introduceCommit(memory, last)}`,
    );
    return `Files that changed in the same commits as ${code(name)}:\n\n${items.join('\n')}`;
  },
});
