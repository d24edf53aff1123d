import { z } from 'zod';
import { findHotspots } from '#evolution/hotspots.ts';
import { answerText } from '../answer/answer-text.ts';
import { citeFile } from '../answer/citations.ts';
import { formatCommit, inlineCode } from '../answer/markdown.ts';
import { defineTool, limitInput, textInput } from './tool.ts';

const DAY = 86_400;

export const hotspotsTool = defineTool('hotspots', {
  input: z.object({
    path: textInput(1000).optional().describe('Only files below this folder'),
    days: z.int().min(1).max(100_000).optional().describe('Only changes of the last so many days'),
    limit: limitInput(50, 10),
  }),
  async execute({ path: folder, days, limit: most }, context) {
    const { index, now } = context;
    const since = days === undefined ? null : now - days * DAY;
    const found = findHotspots(index, { folder: folder?.replace(/\/+$/, ''), since, limit: most });
    if (found.length === 0) return answerText(context, 'hotspots.none');
    const items = found.map(({ path, commits, fixes, last }) => {
      const params = {
        path: citeFile(path, index),
        commits: answerText(context, 'commits', { count: commits }),
        fixes: answerText(context, 'fixes', { count: fixes }),
        commit: formatCommit(index, last),
      };
      return `- ${answerText(context, 'hotspots.item', params)}`;
    });
    const key = folder ? (days ? 'folder_days' : 'folder') : days ? 'days' : 'all';
    const params = { ...(folder && { folder: inlineCode(folder) }), ...(days && { count: days }) };
    return `${answerText(context, `hotspots.${key}`, params)}\n\n${items.join('\n')}`;
  },
});
