import { answerText } from '../../answer/answer-text.ts';
import { inlineCode } from '../../answer/markdown.ts';
import { hotspotsTool } from '../../tools/hotspots.ts';
import type { ToolContext } from '../../tools/tool.ts';
import { asksForPart } from '../evidence/other-topic.ts';
import { entitiesOf } from '../understand/entities.ts';
import { parseSince } from '../understand/parse-since.ts';
import type { Reading } from '../understand/reading.ts';
import type { IntentAnswer } from './intent.ts';

const DAY = 86_400;
const MAX_ITEMS = 10;

/** Ranks the files that change most often, in the whole project or in the folder that the question names. */
export async function answerHotspots(reading: Reading, context: ToolContext): Promise<IntentAnswer | null> {
  if (await asksForPart(reading, context)) return null;
  const { mentions, question } = reading;
  const [range] = entitiesOf(mentions, 'range');
  const since = range?.from ?? (await parseSince(question, context));
  const days = since && since.time > 0 ? Math.max(1, Math.ceil((context.now - since.time) / DAY)) : undefined;
  const path = entitiesOf(mentions, 'folder')[0]?.path;
  const name = path === undefined ? answerText(context, 'changes.project') : inlineCode(path);
  return {
    text: await hotspotsTool.execute({ path, days, limit: MAX_ITEMS }, context),
    evidence: 0.8,
    understood: { key: 'hotspots', params: { name } },
  };
}
