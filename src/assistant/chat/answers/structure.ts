import { coChanged } from '../../tools/co-changed.ts';
import { sayCommit } from '../../tools/commit-story.ts';
import { sayDefinition } from '../../tools/definition.ts';
import { describeFile } from '../../tools/describe-file.ts';
import { hotspotsTool } from '../../tools/hotspots.ts';
import { sayReferences } from '../../tools/references.ts';
import type { ToolContext } from '../../tools/tool.ts';
import type { Question } from '../question.ts';
import { readSince } from '../since.ts';
import { subjectOf } from '../subject.ts';
import { findFolder } from '../targets.ts';

const DAY = 86_400;
const SHOWN = 10;

/** The commit that a question names. */
export async function answerCommit({ targets }: Question, context: ToolContext): Promise<string | null> {
  const target = targets.find(({ kind }) => kind === 'commit');
  return target?.kind === 'commit' ? await sayCommit(target.commit, context) : null;
}

/** Where a name is defined. */
export async function answerDefined({ targets }: Question, context: ToolContext): Promise<string | null> {
  const target = targets.find(({ kind }) => kind === 'symbol');
  return target?.kind === 'symbol' && context.memory.code ? await sayDefinition(target, context) : null;
}

/** Where a name is used. */
export async function answerUsed({ targets }: Question, context: ToolContext): Promise<string | null> {
  const target = targets.find(({ kind }) => kind === 'symbol');
  return target?.kind === 'symbol' && context.memory.code ? await sayReferences(target, context) : null;
}

/** What a file is; a definition that is named instead is shown. */
export async function answerExplained(question: Question, context: ToolContext): Promise<string | null> {
  const target = question.targets.find(({ kind }) => kind !== 'commit');
  if (target?.kind === 'file' && !target.lines)
    return await describeFile.execute({ path: target.path }, context);
  return await answerDefined(question, context);
}

/** Where changes gather, in all or in the folder that the question names. */
export async function answerHotspots({ text }: Question, context: ToolContext): Promise<string> {
  const since = await readSince(text, context);
  const days = since ? Math.max(1, Math.ceil((context.now - since.time) / DAY)) : undefined;
  return await hotspotsTool.execute({ path: findFolder(text, context.memory), days, limit: SHOWN }, context);
}

/** What changes together with a file. */
export async function answerTogether({ targets }: Question, context: ToolContext): Promise<string | null> {
  const subject = subjectOf(targets, context);
  return subject && (await coChanged.execute({ path: subject.path, limit: SHOWN }, context));
}
