import { z } from 'zod';
import { AppError } from '#contract/errors.ts';
import type { Impact } from '#contract/impact.ts';
import { diffBetween } from '#git/diff.ts';
import { mergeBase } from '#git/refs.ts';
import { answerText, moreItem } from '../answer/answer-text.ts';
import { citeFile, citeLines } from '../answer/citations.ts';
import { formatCommit, inlineCode } from '../answer/markdown.ts';
import { findImpact, type ImpactSubject } from './find-impact.ts';
import { resolveOid } from './resolve-revision.ts';
import { defineTool, pathInput, revisionInput, type ToolContext, textInput } from './tool.ts';

const MAX_LISTED_CALLERS = 12;

export const impactTool = defineTool('impact', {
  input: z.object({
    symbol: textInput(200).optional().describe('Name as it is written in the code'),
    path: pathInput.optional(),
    branch: revisionInput.optional().describe('A branch, tag or commit: what differs from the indexed head'),
  }),
  async execute(input, context) {
    const impact = await findImpact(await toSubject(input, context), context);
    const { subject } = impact;
    const head = answerText(context, 'impact.title', { name: inlineCode(subject.name) });
    return [
      head,
      formatCallers(impact, context),
      formatList(
        'tests',
        impact.tests.map((test) => formatTest(test, context)),
        context,
      ),
      formatList(
        'changes_with',
        impact.changes_with.map((one) => formatCompanion(one, context)),
        context,
      ),
      formatList(
        'regressions',
        impact.regressions.map(({ hash }) => formatCommit(context.index, context.index.commits.find(hash))),
        context,
      ),
    ].join('\n\n');
  },
});

interface ImpactInput {
  symbol?: string | undefined;
  path?: string | undefined;
  branch?: string | undefined;
}

async function toSubject(
  { symbol, path, branch }: ImpactInput,
  context: ToolContext,
): Promise<ImpactSubject> {
  const given = [symbol, path, branch].filter((name) => name !== undefined);
  if (given.length !== 1) throw new AppError('invalid_input', 'impact_subject');
  if (symbol !== undefined) return { kind: 'symbol', name: symbol };
  if (path !== undefined) return { kind: 'path', name: path };
  const { repo, index, signal } = context;
  const commit = await resolveOid(branch, context);
  const before = (await mergeBase(repo, index.revision, commit)) ?? index.revision;
  // An ancestor of the indexed head has nothing of its own: what came after it is the change.
  const [from, to] = before === commit ? [commit, index.revision] : [before, commit];
  const files = await diffBetween(repo, from, to, {
    context: 0,
    ignoreWhitespace: true,
    ...(signal && { signal }),
  });
  return { kind: 'branch', name: branch!, files };
}

function formatCallers({ callers, caller_count }: Impact, context: ToolContext): string {
  const { revision, commits } = context.index;
  const items = callers.slice(0, MAX_LISTED_CALLERS).map(({ path, line, symbol, guessed }) => {
    const place = citeLines({ path, from: line, to: line, commit: revision }, commits);
    const name = symbol === null ? '' : ` ${inlineCode(symbol)}`;
    return `${place}${name}${guessed ? ` (${answerText(context, 'impact.guessed')})` : ''}`;
  });
  const more = moreItem(context, caller_count - items.length);
  return [formatList('callers', items, context), ...more].join('\n');
}

type List = 'callers' | 'tests' | 'changes_with' | 'regressions';

function formatList(name: List, items: readonly string[], context: ToolContext): string {
  if (items.length === 0) return answerText(context, `impact.no_${name}`);
  return `${answerText(context, `impact.${name}`)}\n\n${items.map((item) => `- ${item}`).join('\n')}`;
}

function formatTest({ path, basis }: Impact['tests'][number], context: ToolContext): string {
  return `${citeFile(path, context.index)}: ${answerText(context, `impact.basis.${basis}`)}`;
}

function formatCompanion(
  { path, together, of }: Impact['changes_with'][number],
  context: ToolContext,
): string {
  return answerText(context, 'impact.together', { path: citeFile(path, context.index), together, count: of });
}
