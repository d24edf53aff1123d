import { z } from 'zod';
import { findFormerNames } from '#investigate/former-names.ts';
import { code, introduceCommit } from '../markdown.ts';
import { commitsOf } from './history-of-file.ts';
import { defineTool, limit, path } from './tool.ts';

export const fileHistory = defineTool('file_history', {
  input: z.object({ path, limit: limit(100, 20) }),
  async execute({ path: name, limit: most }, context) {
    const { memory } = context;
    const commits = commitsOf(name, context);
    const oldest = commits.at(-1);
    if (oldest === undefined) return `The history knows no file ${code(name)}.`;
    const former = findFormerNames([name], memory.commits).all(name).slice(1);
    const before = former.length > 0 ? ` It was called ${former.map(code).join(', ')} before.` : '';
    const items = commits.slice(0, most).map((commit) => `- ${introduceCommit(memory, commit)}`);
    const more = commits.length - items.length;
    const end = more > 0 ? `\n- and ${more} more, the first of them ${introduceCommit(memory, oldest)}` : '';
    return `${code(name)} was changed by ${commits.length} commits.${before}\n\n${items.join('\n')}${end}`;
  },
});
