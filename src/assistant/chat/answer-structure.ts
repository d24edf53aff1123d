import { coChanged } from '../tools/co-changed.ts';
import { describeCommit } from '../tools/describe-commit.ts';
import { describeDefinition } from '../tools/describe-definition.ts';
import { describeFile } from '../tools/describe-file.ts';
import { hotspotsTool } from '../tools/hotspots.ts';
import { listReferences } from '../tools/list-references.ts';
import type { ToolContext } from '../tools/tool.ts';
import { findCodeRange } from './code-range.ts';
import { parseSince } from './parse-since.ts';
import type { Question } from './question.ts';
import { findFolder } from './targets.ts';

const DAY = 86_400;
const MAX_ITEMS = 10;

/** Describes the commit that the question names. */
export async function answerCommit({ targets }: Question, context: ToolContext): Promise<string | null> {
  const target = targets.find(({ kind }) => kind === 'commit');
  return target?.kind === 'commit' ? await describeCommit(target.commit, context) : null;
}

/** Lists the definitions of a name. */
export async function answerDefinition({ targets }: Question, context: ToolContext): Promise<string | null> {
  const target = targets.find(({ kind }) => kind === 'symbol');
  return target?.kind === 'symbol' && context.index.code ? await describeDefinition(target, context) : null;
}

/** Lists the references to a name. */
export async function answerReferences({ targets }: Question, context: ToolContext): Promise<string | null> {
  const target = targets.find(({ kind }) => kind === 'symbol');
  return target?.kind === 'symbol' && context.index.code ? await listReferences(target, context) : null;
}

/** Describes the file that the question names, or else the definition. */
export async function answerExplanation(question: Question, context: ToolContext): Promise<string | null> {
  const target = question.targets.find(({ kind }) => kind !== 'commit');
  if (target?.kind === 'file' && !target.lines)
    return await describeFile.execute({ path: target.path }, context);
  return await answerDefinition(question, context);
}

/** Ranks the files that change most often, in the whole project or in the folder that the question names. */
export async function answerHotspots({ text }: Question, context: ToolContext): Promise<string> {
  const since = await parseSince(text, context);
  const days = since ? Math.max(1, Math.ceil((context.now - since.time) / DAY)) : undefined;
  return await hotspotsTool.execute(
    { path: findFolder(text, context.index), days, limit: MAX_ITEMS },
    context,
  );
}

/** Lists the files that change together with a file. */
export async function answerCoChange({ targets }: Question, context: ToolContext): Promise<string | null> {
  const range = findCodeRange(targets, context);
  return range && (await coChanged.execute({ path: range.path, limit: MAX_ITEMS }, context));
}
