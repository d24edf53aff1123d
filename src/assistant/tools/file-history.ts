import { z } from 'zod';
import { findFormerNames } from '#investigate/former-names.ts';
import { formatCommit, inlineCode } from '../markdown.ts';
import { commitsTouching } from './file-commits.ts';
import { defineTool, limitInput, pathInput } from './tool.ts';

export const fileHistory = defineTool('file_history', {
  input: z.object({ path: pathInput, limit: limitInput(100, 20) }),
  async execute({ path: name, limit: most }, context) {
    const { memory } = context;
    const commits = commitsTouching(name, context);
    const oldest = commits.at(-1);
    if (oldest === undefined) return `The history knows no file ${inlineCode(name)}.`;
    const former = findFormerNames([name], memory.commits).all(name).slice(1);
    const before = former.length > 0 ? ` It was called ${former.map(inlineCode).join(', ')} before.` : '';
    const items = commits.slice(0, most).map((commit) => `- ${formatCommit(memory, commit)}`);
    const more = commits.length - items.length;
    const end = more > 0 ? `\n- and ${more} more, the first of them ${formatCommit(memory, oldest)}` : '';
    return `${inlineCode(name)} was changed by ${commits.length} commits.${before}\n\n${items.join('\n')}${end}`;
  },
});
