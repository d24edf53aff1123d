import { z } from 'zod';
import { findHotspots } from '#evolution/hotspots.ts';
import { formatCommit, inlineCode } from '../markdown.ts';
import { defineTool, limitInput, textInput } from './tool.ts';

const DAY = 86_400;

export const hotspotsTool = defineTool('hotspots', {
  input: z.object({
    path: textInput(1000).optional().describe('Only files below this folder'),
    days: z.int().min(1).max(100_000).optional().describe('Only changes of the last so many days'),
    limit: limitInput(50, 10),
  }),
  async execute({ path: folder, days, limit: most }, { memory, now }) {
    const since = days === undefined ? null : now - days * DAY;
    const found = findHotspots(memory, { folder: folder?.replace(/\/+$/, ''), since, limit: most });
    if (found.length === 0) return 'No file has been changed there in this time.';
    const items = found.map(
      ({ path, commits, fixes, last }) =>
        `- ${inlineCode(path)}: ${commits} commit${commits === 1 ? '' : 's'}, ${fixes} of them fixes; last ${formatCommit(memory, last)}`,
    );
    const where = folder ? ` below ${inlineCode(folder)}` : '';
    const when = days === undefined ? '' : ` in the last ${days} days`;
    return `Files${where} that changed most often${when}:\n\n${items.join('\n')}`;
  },
});
